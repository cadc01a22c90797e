"""JSON and JSON Lines: the text is the file's own; blocks are values small enough to read.

A member or element of up to `MAX_BLOCK_CHARS` is one block with its path; a bigger one is
opened and its parts are blocks. Keys of what was opened are the blocks' headings.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from tipstaff.decoding import decode_text
from tipstaff.domain.data_nodes import DataNodes, NotWellFormed, TooDeep
from tipstaff.domain.document import Block, BlockKind, Document, Mark, MarkKind, Span
from tipstaff.domain.json_nodes import Step, children_by_step, key_of, scan_json, write_step
from tipstaff.domain.location import DataPath
from tipstaff.domain.text_lines import TextLines
from tipstaff.parse.parser import CannotRead, Parser, Source
from tipstaff.parse.plain_text import parse_text

MAX_BLOCK_CHARS = 600
JSON_LINES = ("application/jsonl", "application/x-ndjson")

# Past this, further double keys say nothing new.
_MAX_NAMED = 5
_SYNTAX = "JSON syntax"


def parse(source: Source) -> Document:
    text = decode_text(source.content)
    if not text.strip():
        raise CannotRead("The JSON file is empty.", "Ask the sender for the file's content.")
    if source.media_type in JSON_LINES:
        return _of_lines(text)
    try:
        nodes = scan_json(text)
    except TooDeep as fault:
        raise too_deep("JSON", fault) from None
    except NotWellFormed as fault:
        return as_plain_text(text, "JSON", fault)
    return _Reader(text, nodes).read()


def too_deep(name: str, fault: TooDeep) -> CannotRead:
    return CannotRead(
        f"The {name} cannot be read: {fault}.",
        "Ask the sender for the part of the data that matters.",
    )


def as_plain_text(text: str, name: str, fault: NotWellFormed) -> Document:
    """What is broken is still text; it can be cited by its lines."""
    note = f"The file is not valid {name} ({fault}), so it was read as plain text."
    return replace(parse_text(text), notes=(note,))


def syntax_between(
    text: str, blocks: list[Block], reason: str, marks: list[Mark] | None = None
) -> tuple[Mark, ...]:
    """Marks over everything that stands outside all blocks, beside the marks that there are."""
    found = list(marks or ())
    position = 0
    for span in [*(block.span for block in blocks), Span(len(text), len(text))]:
        between = text[position : span.start]
        if between.strip():
            start = position + len(between) - len(between.lstrip())
            end = position + len(between.rstrip())
            found.append(Mark(Span(start, end), MarkKind.MARKUP, reason))
        position = span.end
    return tuple(sorted(found, key=lambda mark: mark.span))


class _Reader:
    def __init__(self, text: str, nodes: DataNodes) -> None:
        self.text = text
        self.nodes = nodes
        self.blocks: list[Block] = []
        self.doubled: list[str] = []

    def read(self) -> Document:
        # What is still to be visited, last first: a node or a run of elements.
        pending: list[tuple[int, int, str, tuple[str, ...]]] = [(0, 0, "$", ())]
        while pending:
            first, last, path, headings = pending.pop()
            if first != last or self._is_small(first):
                self._add(first, last, path, headings)
            else:
                key = key_of(self.text, self.nodes, first)
                inside = headings if key is None else (*headings, key)
                pending.extend(reversed(list(self._parts(first, path, inside))))
        return Document(
            text=self.text,
            blocks=tuple(self.blocks),
            marks=syntax_between(self.text, self.blocks, _SYNTAX),
            lines_are_the_files=True,
            notes=self._notes(),
        )

    def _is_small(self, node: int) -> bool:
        return self.nodes.is_leaf(node) or len(self.nodes.span(node)) <= MAX_BLOCK_CHARS

    def _parts(
        self, node: int, path: str, headings: tuple[str, ...]
    ) -> Iterator[tuple[int, int, str, tuple[str, ...]]]:
        children = list(children_by_step(self.text, self.nodes, node))
        counted = Counter(step for step, _ in children)
        self.doubled += [path + write_step(step) for step in counted if counted[step] > 1]
        for first, last, step in _runs(self.nodes, children):
            yield first, last, path + write_step(step), headings

    def _add(self, first: int, last: int, path: str, headings: tuple[str, ...]) -> None:
        span = Span(self.nodes.starts[first], self.nodes.ends[last])
        self.blocks.append(
            Block(kind=BlockKind.DATA_NODE, span=span, location=DataPath(path), headings=headings)
        )

    def _notes(self) -> tuple[str, ...]:
        shown = ", ".join(self.doubled[:_MAX_NAMED])
        more = " and others" if len(self.doubled) > _MAX_NAMED else ""
        return (f"The same key occurs more than once at {shown}{more}.",) if shown else ()


def _runs(
    nodes: DataNodes, children: list[tuple[str | int, int]]
) -> Iterator[tuple[int, int, Step]]:
    """Children one by one, but plain values in an array by the run: (first, last, step)."""
    position = 0
    while position < len(children):
        step, first = children[position]
        end = position + 1
        if isinstance(step, int) and nodes.is_leaf(first):
            while (
                end < len(children)
                and nodes.is_leaf(children[end][1])
                and nodes.ends[children[end][1]] - nodes.starts[first] <= MAX_BLOCK_CHARS
            ):
                end += 1
        last = children[end - 1][1]
        yield first, last, step if first == last else (position, end)
        position = end


def _of_lines(text: str) -> Document:
    """One value a line; `$[0]` is the first line that holds one."""
    lines = TextLines.of(text)
    blocks: list[Block] = []
    broken: list[int] = []
    for number in range(1, len(lines) + 1):
        span = lines.trimmed(lines.span(number, number))
        if not len(span):
            continue
        try:
            scan_json(text, span.start, span.end)
        except NotWellFormed:
            broken.append(number)
        path = DataPath(f"$[{len(blocks)}]")
        blocks.append(Block(kind=BlockKind.DATA_NODE, span=span, location=path))
    shown = ", ".join(map(str, broken[:_MAX_NAMED])) + (" …" if len(broken) > _MAX_NAMED else "")
    notes = (f"These lines are not valid JSON and stand as text: {shown}.",) if broken else ()
    return Document(text=text, blocks=tuple(blocks), lines_are_the_files=True, notes=notes)


PARSER = Parser(
    name="json_data",
    version=1,
    media_types=("application/json", *JSON_LINES),
    parse=parse,
)
