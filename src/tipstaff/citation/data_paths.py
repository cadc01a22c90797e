"""A data path → where it leads in a JSON or XML document, however big its blocks are.

Blocks name the path of what they hold. A path above some blocks leads to all of them; a path
inside a block is followed in the block's own text. What is no plain path is a query (JSONPath,
XPath), asked of the whole text; it leads to every node that it selects.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from tipstaff.citation.data_queries import DataQueries, Form
from tipstaff.citation.query_limits import MAX_PLACES, BadQuery
from tipstaff.domain import json_nodes, xml_nodes
from tipstaff.domain.data_nodes import NotWellFormed
from tipstaff.domain.document import Document, Span
from tipstaff.domain.location import DataPath

_JSON_STEP = re.compile(
    r"""(?P<deep>\.)?\.(?P<name>[^.\[\]*]+|\*)|\['(?P<quoted>[^'\\]+)'\]
    |\[(?:(?P<index>\d{1,9})|(?P<every>\*))\]""",
    re.X,
)


class NoSuchPath(Exception):
    """Carries the reason why a path leads nowhere, as half a sentence."""


@dataclass(frozen=True, slots=True)
class FoundPlaces:
    """Where a path leads; `note` says what is not among the spans."""

    spans: list[Span]
    note: str | None = None


class DataPlaces:
    """The paths of a document's blocks, ready to be asked."""

    def __init__(self, document: Document) -> None:
        self._text = document.text
        self._queries: DataQueries | None = None
        self._exact: dict[str, list[Span]] = {}
        for block in document.blocks:
            if isinstance(block.location, DataPath):
                self._exact.setdefault(block.location.path, []).append(block.span)
        self._is_xml = next(iter(self._exact), "$").startswith("/")

    def find(self, path: str) -> FoundPlaces:
        if not self._exact:
            raise NoSuchPath(f"{path} of an item that is no data")
        # What blocks are called is never ambiguous; anything else is looked for step by step.
        if exact := self._exact.get(path):
            return FoundPlaces(exact)
        if self._is_xml:
            path = _as_xml_path(path)
            xml_steps = xml_nodes.read_steps(path)
            found = self._in_xml(xml_steps) if xml_steps is not None else None
        else:
            json_steps = json_nodes.read_steps(path)
            found = self._in_json(json_steps) if json_steps is not None else None
        if found is None:
            return self._asked(path)
        if not found:
            raise NoSuchPath(f"there is nothing at {path}")
        return FoundPlaces(found)

    def _asked(self, path: str) -> FoundPlaces:
        if self._queries is None:
            everything = [span for spans in self._exact.values() for span in spans]
            form: Form = (
                "xml" if self._is_xml else "lines" if self._is_lines(everything) else "json"
            )
            self._queries = DataQueries(self._text, everything, form)
        try:
            found = self._queries.select(path)
        except BadQuery as bad:
            raise NoSuchPath(f"the query {path} is not answered: {bad}") from None
        if not found:
            raise NoSuchPath(f"the query {path} selects nothing")
        more = f"the query selects {len(found):,} places; these are the first {MAX_PLACES}"
        return FoundPlaces(found[:MAX_PLACES], more if len(found) > MAX_PLACES else None)

    def _is_lines(self, blocks: list[Span]) -> bool:
        """In JSON Lines nothing stands before the first value; an array has its bracket there."""
        return "$" not in self._exact and not self._text[: blocks[0].start].strip()

    def _in_json(self, wanted: tuple[json_nodes.Step, ...]) -> list[Span]:
        names = _plain(wanted)
        within: list[Span] = []
        around: tuple[int, Span, tuple[json_nodes.Step, ...]] | None = None
        for steps, span in self._json_blocks:
            if _plain(steps)[: len(names)] == names:
                within.append(span)
            rest = _rest_behind(steps, wanted)
            if rest is not None and (around is None or len(steps) > around[0]):
                around = len(steps), span, rest
        if within:
            return [_joined(within)]
        return self._inside_json(around[1], around[2]) if around else []

    @cached_property
    def _json_blocks(self) -> list[tuple[tuple[json_nodes.Step, ...], Span]]:
        return [
            (json_nodes.read_steps(path) or (), span)
            for path, spans in self._exact.items()
            for span in spans
        ]

    @cached_property
    def _xml_blocks(self) -> list[tuple[tuple[xml_nodes.XmlStep, ...], list[Span]]]:
        return [(xml_nodes.read_steps(path) or (), spans) for path, spans in self._exact.items()]

    def _inside_json(self, span: Span, rest: tuple[json_nodes.Step, ...]) -> list[Span]:
        words, shift = self._text[span.start : span.end], span.start
        if rest and isinstance(rest[0], tuple):
            # A run of elements: an array without its brackets.
            words, shift, rest = f"[{words}]", shift - 1, (rest[0][0], *rest[1:])
        try:
            nodes = json_nodes.scan_json(words)
        except NotWellFormed:
            return []
        found = (nodes.span(node) for node in json_nodes.find_json(words, nodes, rest))
        return [Span(place.start + shift, place.end + shift) for place in found]

    def _in_xml(self, wanted: tuple[xml_nodes.XmlStep, ...]) -> list[Span]:
        within: dict[tuple[xml_nodes.XmlStep, ...], list[Span]] = {}
        found: list[Span] = []
        for steps, spans in self._xml_blocks:
            if len(steps) >= len(wanted) and _met(steps, wanted):
                # `/root/item` asks for every item: each is a place of its own.
                within.setdefault(steps[: len(wanted)], []).extend(spans)
                continue
            of_attributes = steps[-1:] == (("@*", None),)
            above = steps[:-1] if of_attributes else steps
            if len(above) < len(wanted) and _met(above, wanted):
                for span in spans:
                    found += self._inside_xml(span, wanted[len(above) :])
        return sorted([*map(_joined, within.values()), *found])

    def _inside_xml(self, span: Span, rest: tuple[xml_nodes.XmlStep, ...]) -> list[Span]:
        words, shift = self._text[span.start : span.end], span.start
        if not words.startswith("<"):
            # Attributes, or text between elements: nothing further inside but attributes.
            words, shift = f"<x {words}/>", shift - len("<x ")
            if not rest[0][0].startswith("@"):
                return []
        try:
            found = xml_nodes.find_xml(words, xml_nodes.scan_xml(words), rest)
        except NotWellFormed:
            return []
        return [Span(place.start + shift, place.end + shift) for place in found]


def _joined(spans: list[Span]) -> Span:
    return Span(min(span.start for span in spans), max(span.end for span in spans))


def _plain(steps: tuple[json_nodes.Step, ...]) -> tuple[str, ...]:
    return tuple(str(step) for step in steps)


def _rest_behind(
    steps: tuple[json_nodes.Step, ...], wanted: tuple[json_nodes.Step, ...]
) -> tuple[json_nodes.Step, ...] | None:
    """What of a path is left to follow inside a block, or None if it does not lead there.

    In a block that is a run of elements the first step left counts from the run's start; it
    comes back as a one-element run to say so.
    """
    names, others = _plain(steps), _plain(wanted[: len(steps)])
    if names == others:
        return wanted[len(steps) :]
    if not steps or len(others) < len(steps) or names[:-1] != others[:-1]:
        return None
    run, index = steps[-1], others[-1]
    if isinstance(run, tuple) and index.isdecimal() and run[0] <= int(index) < run[1]:
        offset = int(index) - run[0]
        return ((offset, offset + 1), *wanted[len(steps) :])
    return None


def _met(steps: tuple[xml_nodes.XmlStep, ...], wanted: tuple[xml_nodes.XmlStep, ...]) -> bool:
    """Whether the shorter path is the beginning of the longer one."""
    return all(xml_nodes.meets(name, step) for name, step in zip(steps, wanted, strict=False))


def _as_xml_path(path: str) -> str:
    """TIP §5.1.7 writes `$.root.item[0]` for XML, too; there members count from 0."""
    if not path.startswith("$"):
        return path
    written, position = "", 1
    while match := _JSON_STEP.match(path, position):
        if match["index"]:
            written += f"[{int(match['index']) + 1}]"
        elif not match["every"]:  # a path asks for all elements of a name anyway
            written += ("//" if match["deep"] else "/") + (match["name"] or match["quoted"])
        position = match.end()
    if position < len(path):
        raise NoSuchPath(f"{path} cannot be asked of XML; it is written as an XPath there")
    return written
