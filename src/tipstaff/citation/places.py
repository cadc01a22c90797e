"""Locations resolved in a document: every form of TIP §5.1, wherever it makes sense.

A location gives spans of the document's text or the reason why it does not exist. An element
that is not there (`p12:table-9`) falls back to the place that it was asked for in.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import singledispatchmethod

from tipstaff.citation.cells import NoSuchCells, cell_spans
from tipstaff.citation.data_paths import DataPlaces, NoSuchPath
from tipstaff.citation.definitions import Definitions
from tipstaff.domain.citation import Citation, Passage, Resolution, Unresolved
from tipstaff.domain.document import Block, BlockKind, Document, Span
from tipstaff.domain.location import (
    Cell,
    CellRange,
    DataPath,
    Element,
    Lines,
    Location,
    Pages,
    Section,
    Slides,
    TimeRange,
    WholeItem,
    column_number,
    slug,
)
from tipstaff.domain.sections import DocumentSection, sections_of
from tipstaff.domain.text_lines import TextLines

_LEADING_NUMBER = re.compile(
    r"^(?:section|article|part|chapter|appendix)?-?(?:\d+|[ivxlc]+)(?:-\d+)*-"
)
_SECTION_NUMBER = re.compile(r"(?:section|article|part|chapter|§)?-?((?:\d+)(?:[-.]\d+)*)")
_TITLE_NUMBER = re.compile(r"(?:section|article|part|chapter)?\s*§?\s*(\d+(?:\.\d+)*)\b", re.I)
_BARE_CELLS = re.compile(r"([A-Za-z]{1,3})(\d{1,7})(?:[-:]([A-Za-z]{1,3})(\d{1,7}))?")
_PARAGRAPHS = frozenset({BlockKind.PARAGRAPH, BlockKind.LIST_ITEM})
_KINDS: dict[str, frozenset[BlockKind]] = {
    "para": _PARAGRAPHS,
    "item": frozenset({BlockKind.LIST_ITEM}),
    "row": frozenset({BlockKind.TABLE_ROW, BlockKind.CELL_RANGE}),
    "message": frozenset({BlockKind.MESSAGE}),
}


class _Nowhere(Exception):
    """Carries the reason why a location does not exist, as half a sentence."""


class CitableDocument:
    """A document under an item id: the thing that citations are resolved against."""

    def __init__(self, item_id: str, document: Document) -> None:
        self.item_id = item_id
        self.document = document
        self._lines: TextLines | None = None
        self._note: str | None = None
        self._sections: tuple[DocumentSection, ...] | None = None
        self._data_places: DataPlaces | None = None
        self._definitions: Definitions | None = None

    def resolve(self, location: Location) -> Resolution:
        citation = Citation(self.item_id, location)
        self._note = None
        try:
            spans = tuple(self._spans(location))
        except _Nowhere as nowhere:
            return Unresolved(citation, str(nowhere))
        if not any(map(len, spans)):
            return Unresolved(citation, self._nothing_there())
        text = "\n".join(self.document.words(span) for span in spans)
        boxes = tuple(box for span in spans for box in self.document.boxes.lines(span))
        return Passage(citation, text, spans, boxes, self._note)

    def _nothing_there(self) -> str:
        """A place without text; what could not be read there says why."""
        why = " ".join(self.document.notes[:3])
        return (
            f"there is no text at this place ({why})" if why else "there is no text at this place"
        )

    @property
    def sections(self) -> tuple[DocumentSection, ...]:
        if self._sections is None:
            self._sections = sections_of(self.document)
        return self._sections

    @property
    def definitions(self) -> Definitions:
        if self._definitions is None:
            self._definitions = Definitions(self.document)
        return self._definitions

    @property
    def lines(self) -> TextLines:
        if self._lines is None:
            self._lines = TextLines.of(self.document.text)
        return self._lines

    @singledispatchmethod
    def _spans(self, location: Location) -> Iterable[Span]:
        raise _Nowhere(f"'{location}' is no kind of place")

    @_spans.register
    def _whole(self, location: WholeItem) -> Iterable[Span]:
        everything = Span(0, len(self.document.text))
        if location.element is None:
            return [everything]
        found = self._element(location.element, self.document.blocks)
        if found is None:
            # "table-2" may also be a heading of that name.
            return self._by_section(Section(str(location.element)))
        return found

    @_spans.register
    def _pages(self, location: Pages) -> Iterable[Span]:
        pages = self.document.pages
        if not pages:
            raise _Nowhere(f"{location} of an item that has no pages")
        wanted = [page for page in pages if location.first <= page.number <= location.last]
        if not wanted or location.first < 1 or location.last > pages[-1].number:
            raise _Nowhere(f"{location} of {len(pages)}")
        span = Span(wanted[0].span.start, wanted[-1].span.end)
        return self._narrowed(span, location.element)

    @_spans.register
    def _line_range(self, location: Lines) -> Iterable[Span]:
        count = len(self.lines)
        if not 1 <= location.first <= location.last <= count:
            raise _Nowhere(f"{location} of {count} lines")
        return [self.lines.span(location.first, location.last)]

    @_spans.register
    def _slides(self, location: Slides) -> Iterable[Span]:
        numbered = [
            (block.location.first, block)
            for block in self.document.blocks
            if isinstance(block.location, Slides)
        ]
        if not numbered:
            raise _Nowhere(f"{location} of an item that has no slides")
        last = max(number for number, _ in numbered)
        last = max(last, int(self.document.metadata.get("slides", "0")))
        blocks = [block for number, block in numbered if location.first <= number <= location.last]
        if location.first < 1 or location.last > last or location.last < location.first:
            raise _Nowhere(f"{location} of {last}")
        if not blocks:
            raise _Nowhere(f"there is no text on {location}")
        span = Span(blocks[0].span.start, blocks[-1].span.end)
        return self._narrowed(span, location.element)

    @_spans.register
    def _by_section(self, location: Section) -> Iterable[Span]:
        section = self._find_section(location.name)
        if section is not None:
            if location.element is None:
                return [section.span]
            found = self._element(location.element, self._blocks_in(section.own))
            return found or self._narrowed(section.span, location.element)
        if spans := self._definition(location.name):
            return spans
        if location.element is None:
            return self._sheet_or_cell(location)
        message = _message_number(location.name)
        if message is None:
            raise _Nowhere(self._no_section(location))
        return self._narrowed(self._message(message), location.element)

    @_spans.register
    def _time(self, location: TimeRange) -> Iterable[Span]:
        timed = [
            (block.location, block)
            for block in self.document.blocks
            if isinstance(block.location, TimeRange)
        ]
        if not timed:
            raise _Nowhere(f"{location} of an item that has no times")
        end = location.start_ms if location.end_ms is None else location.end_ms
        # TIP writes whole seconds: 0:00:03 is all of that second.
        end += 999 if end % 1000 == 0 else 0
        total = self.document.duration_ms or max(
            place.end_ms or place.start_ms for place, _ in timed
        )
        if end - 999 > total or end < location.start_ms:
            raise _Nowhere(f"{location} of {TimeRange(total)}")
        said = [
            block.span
            for place, block in timed
            if place.start_ms <= end and (place.end_ms or place.start_ms) >= location.start_ms
        ]
        if not said:
            raise _Nowhere(f"nothing is said at {location}")
        return [Span(said[0].start, said[-1].end)]

    @_spans.register
    def _cells(self, location: CellRange) -> Iterable[Span]:
        try:
            spans, self._note = cell_spans(self.document, location)
        except NoSuchCells as nowhere:
            raise _Nowhere(str(nowhere)) from None
        return spans

    @_spans.register
    def _data(self, location: DataPath) -> Iterable[Span]:
        if self._data_places is None:
            self._data_places = DataPlaces(self.document)
        try:
            found = self._data_places.find(location.path)
        except NoSuchPath as nowhere:
            raise _Nowhere(str(nowhere)) from None
        self._note = found.note
        return found.spans

    def _definition(self, name: str) -> list[Span]:
        """In source code, which has no headings, a name is that of a definition."""
        paths = self.definitions.find(name)
        if len(paths) > 1:
            several = ", ".join(".".join(path) for path in paths[:6])
            raise _Nowhere(f"'{name}' could be any of {several}")
        return self.definitions.spans(paths[0]) if paths else self.definitions.around(name)

    def _narrowed(self, span: Span, element: Element | None) -> Iterable[Span]:
        if element is None:
            return [span]
        found = self._element(element, self._blocks_in(span))
        if not found:
            self._note = f"there is no {element} here; this is what it would stand in"
        return found or [span]

    def _element(self, element: Element, blocks: Iterable[Block]) -> list[Span] | None:
        """The n-th thing of its kind among the blocks, or None."""
        if element.kind == "table":
            return _nth_table(blocks, element.number)
        kinds = _KINDS.get(element.kind)
        if kinds is None:
            return None
        if element.kind == "message":
            return [self._message(element.number)]
        found = [block for block in blocks if block.kind in kinds]
        if not 1 <= element.number <= len(found):
            return None
        return [found[element.number - 1].span]

    def _message(self, number: int) -> Span:
        """A message of a thread: from its header to the next one's."""
        starts = [
            block.span.start for block in self.document.blocks if block.kind is BlockKind.MESSAGE
        ]
        if not 1 <= number <= len(starts):
            raise _Nowhere(f"message-{number} of {len(starts)}")
        end = starts[number] if number < len(starts) else len(self.document.text)
        return Span(starts[number - 1], end)

    def _blocks_in(self, span: Span) -> list[Block]:
        return [block for block in self.document.blocks if span.contains(block.span)]

    def _sheet_or_cell(self, location: Section) -> Iterable[Span]:
        """`[[budget:Q3]]` is a sheet; `[[prices:B2]]` is a cell where there is one sheet."""
        for sheet in self.document.sheets:
            if slug(sheet.name) == location.slug:
                spans = [block.span for block in self.document.blocks if block.table == sheet.table]
                if spans:
                    return [Span(spans[0].start, spans[-1].end)]
        if len(self.document.sheets) == 1:
            match = _BARE_CELLS.fullmatch(location.name)
            if match:
                first = Cell(column_number(match[1]), int(match[2]))
                last = Cell(column_number(match[3]), int(match[4])) if match[3] else first
                return self._cells(CellRange(self.document.sheets[0].name, first, last))
        message = _message_number(location.name)
        if message is not None:
            return [self._message(message)]
        raise _Nowhere(self._no_section(location))

    def _find_section(self, name: str) -> DocumentSection | None:
        """By name, nested name, name without its number, number, and unambiguous beginning."""
        wanted = slug(name)
        if not wanted:
            return None
        tests: list[Callable[[DocumentSection], bool]] = [
            lambda section: section.name == wanted,
            lambda section: slug(section.title) == wanted,
            lambda section: _ends_with(section.path, wanted),
            lambda section: _unnumbered(slug(section.title)) == wanted,
            lambda section: _ends_with(tuple(map(_unnumbered, section.path)), _unnumbered(wanted)),
        ]
        for test in tests:
            if found := next(filter(test, self.sections), None):
                return found
        if number := _SECTION_NUMBER.fullmatch(wanted):
            wanted_number = number[1].replace("-", ".")
            for section in self.sections:
                title = _TITLE_NUMBER.match(section.title)
                if title and title[1].rstrip(".") == wanted_number:
                    return section
        begun = [s for s in self.sections if slug(s.title).startswith(wanted + "-")]
        return begun[0] if len(begun) == 1 else None

    def _no_section(self, location: Section) -> str:
        titles = [section.title for section in self.sections]
        if names := self.definitions.names:
            shown = ", ".join(names[:6]) + (" …" if len(names) > 6 else "")
            return f"there is no definition '{location.name}' among: {shown}"
        if not titles:
            return f"there is no section '{location.name}'; the item has no headings"
        shown = ", ".join(titles[:6]) + (" …" if len(titles) > 6 else "")
        return f"there is no section '{location.name}' among: {shown}"


def _unnumbered(name: str) -> str:
    return _LEADING_NUMBER.sub("", name)


def _ends_with(path: tuple[str, ...], wanted: str) -> bool:
    """Whether a nested name ("payment:terms") is the end of a section's path."""
    return len(path) > 1 and any("-".join(path[first:]) == wanted for first in range(len(path) - 1))


def _nth_table(blocks: Iterable[Block], number: int) -> list[Span] | None:
    tables: dict[int, list[Span]] = {}
    for block in blocks:
        if block.table is not None:
            tables.setdefault(block.table, []).append(block.span)
    if not 1 <= number <= len(tables):
        return None
    rows = list(tables.values())[number - 1]
    return [Span(rows[0].start, rows[-1].end)]


def _message_number(name: str) -> int | None:
    match = re.fullmatch(r"(?:message|mail|email)[ -]?(\d{1,6})", name.strip(), re.IGNORECASE)
    return int(match[1]) if match else None
