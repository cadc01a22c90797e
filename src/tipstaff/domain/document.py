"""What parsing makes of a file: one text, blocks that know their place in it, and marks on it.

All ranges are half-open character ranges in `Document.text`. A document does not know which
item it belongs to: equal bytes give equal documents.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import accumulate, compress, repeat
from operator import ne
from types import MappingProxyType

from tipstaff.domain.lanes import Lanes
from tipstaff.domain.location import Cell, Location


class BlockKind(StrEnum):
    HEADING = "heading"
    PARAGRAPH = "paragraph"
    LIST_ITEM = "list_item"
    TABLE_ROW = "table_row"
    CODE_DEFINITION = "code_definition"
    MESSAGE = "message"
    SLIDE = "slide"
    CELL_RANGE = "cell_range"
    TRANSCRIPT_SEGMENT = "transcript_segment"
    DATA_NODE = "data_node"


class MarkKind(StrEnum):
    """Why a stretch of text is not for reading. The last two are reported as hidden text."""

    MARKUP = "markup"  # syntax: `**`, table pipes, link targets
    INVISIBLE = "invisible"  # zero-width, bidirectional and control characters
    HIDDEN = "hidden"  # white on white, zero size, hidden rows, sheets and slides


@dataclass(frozen=True, slots=True, order=True)
class Span:
    start: int
    end: int

    def __post_init__(self) -> None:
        if not 0 <= self.start <= self.end:
            raise ValueError(f"not a range of text: {self.start} to {self.end}")

    def __len__(self) -> int:
        return self.end - self.start

    def contains(self, other: Span) -> bool:
        return self.start <= other.start and other.end <= self.end

    def overlaps(self, other: Span) -> bool:
        return self.start < other.end and other.start < self.end


@dataclass(frozen=True, slots=True)
class Mark:
    """A stretch that stays in the text and its offsets but is kept from readers and models."""

    span: Span
    kind: MarkKind
    reason: str
    # What readers see in its place: `<price>` is syntax, but it says `price: `.
    instead: str = ""


@dataclass(frozen=True, slots=True)
class PageBox:
    """A rectangle on a page as it is shown: origin top left, rotation applied, in points."""

    page: int
    left: float
    top: float
    right: float
    bottom: float


@dataclass(frozen=True, slots=True)
class Page:
    """One page (or picture) and the text on it; width and height as shown, in points."""

    number: int
    span: Span
    width: float
    height: float
    ocr: bool = False


@dataclass(frozen=True, slots=True)
class Sheet:
    """One sheet of a workbook; `table` is the number of its cells in the cell table. `merged`
    are ranges of cells that show the text of their first."""

    name: str
    table: int
    hidden: bool = False
    merged: tuple[tuple[Cell, Cell], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """The smallest piece of a document with a place of its own. Blocks are in order of their
    spans and never overlap; text between two blocks is white space or markup."""

    kind: BlockKind
    span: Span
    location: Location
    # Titles of the sections it stands in, outermost first; in source code the names of the
    # definitions around it and, last, its own.
    headings: tuple[str, ...] = ()
    level: int | None = None  # of a heading: 1 is the outermost
    table: int | None = None  # number of its table in the document, from 1
    author: str | None = None  # who says it: the sender of a message, a speaker
    quoted: bool = False  # somebody else's words, repeated in a reply
    confidence: float | None = None  # of OCR and of speech recognition, 0 to 1


@dataclass(frozen=True, slots=True)
class Definition:
    """A definition of source code inside a block: a method of a class that is one block.
    `names` are those it stands under and, last, its own; `span` is whole lines."""

    names: tuple[str, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class TableCell:
    """One cell of a table or sheet. `value` and `formula` are set where they differ from what
    is shown: "25%" shows 0.25 by =B2/B9."""

    table: int
    cell: Cell
    span: Span
    header: str
    value: str | None = None
    formula: str | None = None


class CellTable:
    """All cells of a document in columns of numbers: a sheet of 50,000 rows stays small.

    In order of their spans. In a sheet, rows and columns are the sheet's own; in any other
    table they count from 1.
    """

    __slots__ = ("_by_row", "columns", "ends", "formulas", "header_ids", "headers", "rows",
                 "starts", "tables", "values")  # fmt: skip

    def __init__(self) -> None:
        self.tables = array("i")
        self.rows = array("i")
        self.columns = array("i")
        self.starts = array("i")
        self.ends = array("i")
        self.header_ids = array("i")
        self.headers: list[str] = []
        self.values: dict[int, str] = {}
        self.formulas: dict[int, str] = {}
        self._by_row: tuple[int, dict[tuple[int, int], list[int]]] | None = None

    def __len__(self) -> int:
        return len(self.starts)

    def __iter__(self) -> Iterator[TableCell]:
        return map(self._cell, range(len(self)))

    def within(self, span: Span) -> Iterator[TableCell]:
        """Cells whose text lies in a span, in order."""
        first = bisect_left(self.starts, span.start)
        last = bisect_right(self.starts, span.end)
        return (self._cell(index) for index in range(first, last) if self.ends[index] <= span.end)

    def in_range(self, table: int, first: Cell, last: Cell) -> Iterator[TableCell]:
        """Cells of one table inside a rectangle, in order of their text."""
        by_row = self._rows_of_tables()
        found: list[int] = []
        if last.row - first.row < len(by_row):
            for row in range(first.row, last.row + 1):
                found += by_row.get((table, row), ())
        else:
            for (number, row), cells in by_row.items():
                if number == table and first.row <= row <= last.row:
                    found += cells
        for index in sorted(found):
            if first.column <= self.columns[index] <= last.column:
                yield self._cell(index)

    def _rows_of_tables(self) -> dict[tuple[int, int], list[int]]:
        """The cells of each row of each table; made when first asked for."""
        if self._by_row is None or self._by_row[0] != len(self):
            by_row: dict[tuple[int, int], list[int]] = {}
            for index, key in enumerate(zip(self.tables, self.rows, strict=True)):
                by_row.setdefault(key, []).append(index)
            self._by_row = len(self), by_row
        return self._by_row[1]

    def add(
        self,
        *,
        table: int,
        row: int,
        column: int,
        start: int,
        end: int,
        header_id: int = -1,
        value: str | None = None,
        formula: str | None = None,
    ) -> None:
        """Cells are added in order of their text. `header_id` indexes `headers`."""
        if value is not None:
            self.values[len(self)] = value
        if formula is not None:
            self.formulas[len(self)] = formula
        self.tables.append(table)
        self.rows.append(row)
        self.columns.append(column)
        self.starts.append(start)
        self.ends.append(end)
        self.header_ids.append(header_id)

    def add_row(
        self,
        *,
        table: int,
        row: int,
        columns: Iterable[int],
        start: int,
        texts: Sequence[str],
        gap: int,
        header_ids: Iterable[int] | None = None,
        values: Mapping[int, str] | None = None,
        formulas: Mapping[int, str] | None = None,
    ) -> None:
        """All cells of a row at once, `gap` characters between each two; much faster than `add`
        cell by cell. `values` and `formulas` go by the position of the cell in the row."""
        first, count = len(self.starts), len(texts)
        if values:
            for index, value in values.items():
                self.values[first + index] = value
        if formulas:
            for index, formula in formulas.items():
                self.formulas[first + index] = formula
        self.tables.extend(array("i", [table]) * count)
        self.rows.extend(array("i", [row]) * count)
        self.columns.extend(columns)
        self.header_ids.extend(array("i", [-1]) * count if header_ids is None else header_ids)
        add_start, add_end = self.starts.append, self.ends.append
        for text in texts:
            add_start(start)
            start += len(text)
            add_end(start)
            start += gap

    def add_rows(
        self,
        *,
        table: int,
        first_row: int,
        columns: array[int],
        start: int,
        texts: Sequence[Sequence[str]],
        gap: int,
        header_ids: array[int],
        values: Mapping[int, Sequence[str]],
        formulas: Mapping[int, Sequence[str]],
    ) -> None:
        """Rows that follow each other and fill the same columns, `texts` column by column, each
        row a line of text. A value that equals the text is left out."""
        first, width, count = len(self.starts), len(texts), len(texts[0])
        starts, ends = _edges(texts, start, gap)
        self.starts.extend(starts)
        self.ends.extend(ends)
        self.tables.extend(array("i", [table]) * (width * count))
        rows = array("i", range(first_row, first_row + count))
        self.rows.extend(_by_row([rows] * width))
        self.columns.extend(columns * count)
        self.header_ids.extend(header_ids * count)
        for position, column in values.items():
            indices = range(first + position, first + position + width * count, width)
            differs = map(ne, column, texts[position])
            self.values.update(compress(zip(indices, column, strict=True), differs))
        for position, column in formulas.items():
            indices = range(first + position, first + position + width * count, width)
            self.formulas.update(zip(indices, column, strict=True))

    def _cell(self, index: int) -> TableCell:
        header_id = self.header_ids[index]
        return TableCell(
            self.tables[index],
            Cell(self.columns[index], self.rows[index]),
            Span(self.starts[index], self.ends[index]),
            self.headers[header_id] if header_id >= 0 else "",
            self.values.get(index),
            self.formulas.get(index),
        )


def _edges(texts: Sequence[Sequence[str]], start: int, gap: int) -> tuple[array[int], array[int]]:
    """Where the cells of rows begin and end, row by row: `gap` characters between two cells,
    one between two rows. `texts` come column by column."""
    count = len(texts[0])
    lengths = [Lanes.of(map(len, column)) for column in texts]
    between = Lanes.of(repeat(gap, count))
    rows = sum(lengths[1:], lengths[0]).array()
    steps = map((gap * (len(texts) - 1) + 1).__add__, rows[:-1])
    position = Lanes.of(accumulate(steps, initial=start))
    starts, ends = [], []
    for length in lengths:
        starts.append(position.array())
        position = position + length
        ends.append(position.array())
        position = position + between
    return _by_row(starts), _by_row(ends)


def _by_row(columns: Sequence[array[int]]) -> array[int]:
    """Columns of equal length as one array, row after row."""
    width = len(columns)
    together = array("i", [0]) * (width * len(columns[0]))
    for position, column in enumerate(columns):
        together[position::width] = column
    return together


class BoxTable:
    """Where the words of a document stand on its pages, one box a word, in columns of numbers."""

    __slots__ = ("bottoms", "ends", "lefts", "pages", "rights", "starts", "tops")

    def __init__(self) -> None:
        self.starts = array("i")
        self.ends = array("i")
        self.pages = array("i")
        self.lefts = array("f")
        self.tops = array("f")
        self.rights = array("f")
        self.bottoms = array("f")

    def __len__(self) -> int:
        return len(self.starts)

    def add(self, start: int, end: int, box: PageBox) -> None:
        """Words are added in order of their text."""
        self.starts.append(start)
        self.ends.append(end)
        self.pages.append(box.page)
        self.lefts.append(box.left)
        self.tops.append(box.top)
        self.rights.append(box.right)
        self.bottoms.append(box.bottom)

    def words(self, span: Span) -> Iterator[tuple[Span, PageBox]]:
        """Every word that touches a span, with its box."""
        index = bisect_right(self.ends, span.start)
        while index < len(self) and self.starts[index] < span.end:
            box = PageBox(
                self.pages[index],
                self.lefts[index],
                self.tops[index],
                self.rights[index],
                self.bottoms[index],
            )
            yield Span(self.starts[index], self.ends[index]), box
            index += 1

    def lines(self, span: Span) -> tuple[PageBox, ...]:
        """The boxes of a span with the words of one line joined, in reading order."""
        joined: list[PageBox] = []
        for _, box in self.words(span):
            if joined and _on_one_line(joined[-1], box):
                last = joined[-1]
                joined[-1] = PageBox(
                    box.page,
                    min(last.left, box.left),
                    min(last.top, box.top),
                    max(last.right, box.right),
                    max(last.bottom, box.bottom),
                )
            else:
                joined.append(box)
        return tuple(joined)


def _on_one_line(last: PageBox, box: PageBox) -> bool:
    """Same page, mostly the same height, and to the right: not the next column's first line."""
    overlap = min(last.bottom, box.bottom) - max(last.top, box.top)
    smaller = min(last.bottom - last.top, box.bottom - box.top)
    return (
        last.page == box.page
        and overlap > smaller / 2
        and box.left >= last.right - smaller / 2
        and box.left - last.right < 1.5 * smaller
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """The text of a file and everything that is known about its places.

    `lines_are_the_files` says that line 7 of the text is line 7 of the file. `notes` are
    things inside the file that could not be read, in words for a person.
    """

    text: str
    blocks: tuple[Block, ...]
    marks: tuple[Mark, ...] = ()
    pages: tuple[Page, ...] = ()
    sheets: tuple[Sheet, ...] = ()
    cells: CellTable = field(default_factory=CellTable)
    boxes: BoxTable = field(default_factory=BoxTable)
    definitions: tuple[Definition, ...] = ()
    lines_are_the_files: bool = False
    duration_ms: int | None = None
    notes: tuple[str, ...] = ()
    metadata: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    _unread: dict[bool, tuple[list[int], list[int], dict[int, str]]] = field(
        default_factory=dict, init=False, compare=False, repr=False
    )

    def words(self, span: Span) -> str:
        return self.text[span.start : span.end]

    def unread(self, *, hidden: bool) -> tuple[list[int], list[int], dict[int, str]]:
        """Starts and ends of what is not for reading, nested marks made one, in order, and by
        their starts what is read instead; with `hidden`, hidden text counts as readable. Made
        once for each."""
        if hidden not in self._unread:
            starts: list[int] = []
            ends: list[int] = []
            instead: dict[int, str] = {}
            for mark in sorted(self.marks, key=lambda mark: (mark.span.start, -mark.span.end)):
                if hidden and mark.kind is MarkKind.HIDDEN:
                    continue
                if ends and mark.span.start < ends[-1]:
                    ends[-1] = max(ends[-1], mark.span.end)
                    continue
                starts.append(mark.span.start)
                ends.append(mark.span.end)
                if mark.instead:
                    instead[mark.span.start] = mark.instead
            self._unread[hidden] = (starts, ends, instead)
        return self._unread[hidden]

    def text_of(self, block: Block) -> str:
        return self.text[block.span.start : block.span.end]


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunk:
    """What retrieval ranks: a run of blocks, each named by its span (TIP §10.1.7).

    `text` is clean; `context` is what a reader would see above it (headings, the header of its
    table) and belongs to no span. `split` says that a block was too long and had to be cut.
    """

    chunk_id: str
    item_id: str
    location: Location
    text: str
    spans: tuple[Span, ...]
    tokens: int
    context: str = ""
    split: bool = False


class UnitKind(StrEnum):
    SENTENCE = "sentence"
    HEADING = "heading"
    LIST_ITEM = "list_item"
    ROW = "row"
    CODE = "code"
    HEADER = "header"  # of a message: who wrote to whom, when, about what
    SEGMENT = "segment"
    NODE = "node"


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """The smallest thing that can be evidence: a sentence, a row, a segment, with its own
    exact range. `block` is the number of the block that it stands in."""

    item_id: str
    kind: UnitKind
    text: str
    span: Span
    location: Location
    block: int
