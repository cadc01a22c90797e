"""XML: the text is the file's own; blocks are elements small enough to read, with their paths.

Tags are marked and read as labels (see `xml_marks.py`). No entity that a file declares is ever
replaced.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator

from tipstaff.decoding import decode_text
from tipstaff.domain.data_nodes import NotWellFormed, TooDeep
from tipstaff.domain.document import Block, BlockKind, Document, Mark, Span
from tipstaff.domain.location import DataPath
from tipstaff.domain.xml_nodes import (
    XmlNodes,
    attributes_in,
    children_by_step,
    name_of,
    scan_xml,
    write_step,
)
from tipstaff.parse.json_data import (
    MAX_BLOCK_CHARS,
    as_plain_text,
    syntax_between,
    too_deep,
)
from tipstaff.parse.parser import CannotRead, Parser, Source
from tipstaff.parse.xml_marks import XML_SYNTAX, marks_of_xml, names_space

# A paragraph with tags in it is one block even if it is long.
_MAX_PROSE_CHARS = 4_000
_ENTITIES = "The file declares entities of its own; they are shown as written, never replaced."


def parse(source: Source) -> Document:
    text = decode_text(source.content, declared=_declared_encoding(source.content))
    if not text.strip():
        raise CannotRead("The XML file is empty.", "Ask the sender for the file's content.")
    try:
        found = scan_xml(text)
    except TooDeep as fault:
        raise too_deep("XML", fault) from None
    except NotWellFormed as fault:
        return as_plain_text(text, "XML", fault)
    return _Reader(text, found).read()


def _declared_encoding(content: bytes) -> str | None:
    head = content[:200].decode("ascii", "ignore")
    if not head.lstrip().startswith("<?xml"):
        return None
    named = (
        text[value.start : value.end]
        for text in (head.split("?>", 1)[0],)
        for name, _, value in attributes_in(text, 0, len(text))
        if name == "encoding"
    )
    return next(named, None)


class _Reader:
    def __init__(self, text: str, found: XmlNodes) -> None:
        self.text = text
        self.found = found
        self.nodes = found.nodes
        self.blocks: list[Block] = []
        self.mixed = self._mixed()
        self.opened: set[int] = set()

    def read(self) -> Document:
        root = name_of(self.text, self.nodes, 0)
        # What is still to be visited, last first: a node, or a stretch of text as -1.
        pending: list[tuple[int, Span, str, tuple[str, ...]]] = [
            (0, self.nodes.span(0), f"/{root}", ())
        ]
        while pending:
            node, span, path, headings = pending.pop()
            if node < 0 or self._is_small(node):
                self._add(span, path, headings)
            else:
                self.opened.add(node)
                inside = (*headings, name_of(self.text, self.nodes, node))
                pending.extend(reversed(list(self._parts(node, path, inside))))
        return Document(
            text=self.text,
            blocks=tuple(self.blocks),
            marks=syntax_between(self.text, self.blocks, XML_SYNTAX, self._marks()),
            lines_are_the_files=True,
            notes=(_ENTITIES,) if self.found.declares_entities else (),
        )

    def _marks(self) -> list[Mark]:
        starts = {block.span.start for block in self.blocks}
        return marks_of_xml(
            self.text, self.found, opened=self.opened, mixed=self.mixed, block_starts=starts
        )

    def _is_small(self, node: int) -> bool:
        limit = _MAX_PROSE_CHARS if self._is_prose(node) else MAX_BLOCK_CHARS
        return self.nodes.is_leaf(node) or len(self.nodes.span(node)) <= limit

    def _is_prose(self, node: int) -> bool:
        return node in self.mixed and all(
            self.nodes.is_leaf(child) or child in self.mixed for child in self.nodes.children(node)
        )

    def _parts(
        self, node: int, path: str, headings: tuple[str, ...]
    ) -> Iterator[tuple[int, Span, str, tuple[str, ...]]]:
        """Its attributes, then its children and the text between them, in order."""
        attributes = list(self._attributes(node))
        if attributes:
            yield -1, Span(attributes[0].start, attributes[-1].end), f"{path}/@*", headings
        texts = 0
        position = self.nodes.values[node]
        for step, child in children_by_step(self.text, self.nodes, node):
            span = self.nodes.span(child)
            for piece in self._text_between(position, span.start):
                texts += 1
                yield -1, piece, f"{path}/text()[{texts}]", headings
            yield child, span, path + write_step(step), headings
            position = span.end
        for piece in self._text_between(position, self.nodes.closings[node]):
            texts += 1
            yield -1, piece, f"{path}/text()[{texts}]", headings

    def _attributes(self, node: int) -> Iterator[Span]:
        bounds = self.nodes.starts[node], self.nodes.values[node]
        return (
            whole for name, whole, _ in attributes_in(self.text, *bounds) if not names_space(name)
        )

    def _text_between(self, start: int, end: int) -> Iterator[Span]:
        """The stretches of text outside comments and instructions."""
        position = start
        for aside in [*self._asides_in(start, end), Span(end, end)]:
            words = self.text[position : aside.start]
            if words.strip():
                first = position + len(words) - len(words.lstrip())
                yield Span(first, position + len(words.rstrip()))
            position = aside.end

    def _asides_in(self, start: int, end: int) -> Iterator[Span]:
        asides = self.found.asides
        index = bisect_left(asides, start, key=lambda aside: aside.start)
        while index < len(asides) and asides[index].start < end:
            yield asides[index]
            index += 1

    def _mixed(self) -> set[int]:
        """Elements that hold both elements and text."""
        mixed = set()
        for node in range(len(self.nodes)):
            position = self.nodes.values[node]
            for child in self.nodes.children(node):
                if any(self._text_between(position, self.nodes.starts[child])):
                    mixed.add(node)
                    break
                position = self.nodes.ends[child]
            else:
                is_parent = not self.nodes.is_leaf(node)
                if is_parent and any(self._text_between(position, self.nodes.closings[node])):
                    mixed.add(node)
        return mixed

    def _add(self, span: Span, path: str, headings: tuple[str, ...]) -> None:
        self.blocks.append(
            Block(kind=BlockKind.DATA_NODE, span=span, location=DataPath(path), headings=headings)
        )


PARSER = Parser(
    name="xml_data", version=2, media_types=("application/xml", "text/xml"), parse=parse
)
