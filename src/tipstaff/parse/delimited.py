"""CSV and TSV: the text is the file's own; each record is a block of cells.

Records resolve by cell (`Sheet1:B2`) and by line. Quotation marks and empty fields at the
ends of a record are marked as syntax. Where a quotation mark is never closed, it is text.
"""

from __future__ import annotations

import re
from array import array
from collections import Counter
from collections.abc import Iterator
from itertools import islice

from tipstaff.decoding import decode_text
from tipstaff.domain.document import (
    Block,
    BlockKind,
    CellTable,
    Document,
    Mark,
    MarkKind,
    Sheet,
    Span,
)
from tipstaff.domain.location import Cell, CellRange, Lines
from tipstaff.domain.text_lines import TextLines
from tipstaff.parse.parser import Parser, Source
from tipstaff.parse.sheet_headers import HeaderFinder
from tipstaff.parse.sheet_row import MergedCells, RowShape, SheetRow, one_line

SHEET = "Sheet1"

_DELIMITERS = ",;\t|"
_SNIFFED_RECORDS = 60
_SEPARATOR_LINE = re.compile(r"\ufeff?sep=([,;\t|])\r?\n", re.IGNORECASE)
_NUMBER = re.compile(
    r"[-+(]?\s*(?:[$€£¥]|[A-Z]{3} )?\s*[-+]?(?:\d[\d,.' \u00a0\u202f]*|\.\d+)(?:[eE][-+]?\d+)?"
    r"\s*(?:%|[$€£¥]|[A-Z]{3})?\s*\)?"
)
_DATE = re.compile(
    r"\d{4}-\d\d?-\d\d?(?:[T ]\d\d?:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[-+]\d\d:?\d\d)?)?"
    r"|\d\d?[./-]\d\d?[./-]\d{2,4}|\d\d?:\d\d(?::\d\d)?"
)
# What a cell reference can name (`Location` reads three letters and seven digits back).
_LAST_COLUMN, _LAST_ROW = 18_278, 9_999_999
_QUOTE = "quotation mark of a delimited file"
_EMPTY = "empty fields of a delimited file"

# The bounds of a field's text, and of the whole field with its quotation marks.
Field = tuple[int, int, int, int]


def parse(source: Source) -> Document:
    text = decode_text(source.content)
    start, delimiter = _delimiter(text, prefers_tab="tab" in source.media_type)
    return _Reader(text, start, delimiter).read()


def _delimiter(text: str, *, prefers_tab: bool) -> tuple[int, str]:
    """Where the records begin, and what parts their fields."""
    if match := _SEPARATOR_LINE.match(text):
        return match.end(), match[1]
    start = 1 if text.startswith("\ufeff") else 0
    best, best_score = "\t" if prefers_tab else ",", 0.0
    for delimiter in _DELIMITERS:
        records = list(islice(_records(text, start, delimiter), _SNIFFED_RECORDS))
        score = _likelihood(text, records)
        score += 0.3 if prefers_tab and delimiter == "\t" and score else 0
        if score > best_score:
            best, best_score = delimiter, score
    return start, best


def _likelihood(text: str, records: list[list[Field]]) -> float:
    """How well a delimiter parts the first records: most of them, into the same number of
    fields, with every quotation mark at the edge of a field closed."""
    said = [record for record in records if any(field[1] > field[0] for field in record)]
    widths = Counter(len(record) for record in said if len(record) > 1)
    if not widths:
        return 0
    width, count = max(widths.items(), key=lambda item: (item[1], item[0]))
    stray = sum(
        any(first == outer and text[first : first + 1] == '"' for first, _, outer, _ in record)
        for record in said
    )
    score = (count + widths.total() / 2 - 2 * stray) / len(said) + min(width, 20) / 1000
    return max(score, 0.001)


def _records(text: str, start: int, delimiter: str) -> Iterator[list[Field]]:
    """Records in order, blank lines as records of one empty field."""
    mark = re.escape(delimiter)
    blank = "[ ]*" if delimiter == "\t" else "[ \t]*"
    field = re.compile(
        rf'{blank}(?:"((?:[^"]++|"")*+)"{blank}(?={mark}|[\r\n]|\Z)|([^\r\n{mark}]*))'
        rf"({mark}|\r\n|\r|\n|\Z)"
    )
    record: list[Field] = []
    position = start
    while position < len(text) or record:
        match = field.match(text, position)
        if match is None:  # cannot be: the second form takes anything
            break
        quoted = match[1] is not None
        first, last = match.span(1 if quoted else 2)
        if not quoted:
            last -= len(match[2]) - len(match[2].rstrip())
        record.append((first, last, first - quoted, last + quoted))
        position = match.end()
        if match[3] != delimiter:
            yield record
            record = []


class _Reader:
    def __init__(self, text: str, start: int, delimiter: str) -> None:
        self.text = text
        self.start = start
        self.delimiter = delimiter
        self.lines = TextLines.of(text)
        self.blocks: list[Block] = []
        self.marks: list[Mark] = []
        self.cells = CellTable()
        self.shapes: dict[tuple[tuple[int, ...], str], RowShape] = {}
        self.fields: dict[int, list[Field]] = {}  # of the records that are still to be written
        self.ids: dict[int, int] = {}

    def read(self) -> Document:
        if self.start:
            self._mark(0, self.start, "byte-order mark or separator line")
        finder = HeaderFinder(MergedCells(), first_row_is_header=True)
        for row, is_label in finder.follow(self._rows()):
            if finder.changed:
                finder.changed = False
                first = len(self.cells.headers)
                self.cells.headers.extend(finder.titles.values())
                self.ids = {column: first + at for at, column in enumerate(finder.titles)}
            self._write(row, {} if is_label else self.ids)
        return Document(
            text=self.text,
            blocks=tuple(self.blocks),
            marks=tuple(sorted(self.marks, key=lambda mark: mark.span)),
            sheets=(Sheet(SHEET, 1),),
            cells=self.cells,
            lines_are_the_files=True,
        )

    def _rows(self) -> Iterator[SheetRow]:
        for number, record in enumerate(_records(self.text, self.start, self.delimiter), start=1):
            said = [
                (column, field)
                for column, field in enumerate(record, start=1)
                if self.text[field[0] : field[1]].strip()
            ]
            if not said:
                self._mark(record[0][2], record[-1][3], _EMPTY)
                continue
            texts = [one_line(self._words(field)) for _, field in said]
            self.fields[number] = record
            yield SheetRow(number, self._shape(tuple(c for c, _ in said), texts), texts)

    def _words(self, field: Field) -> str:
        words = self.text[field[0] : field[1]]
        return words.replace('""', '"') if field[0] > field[2] else words

    def _shape(self, columns: tuple[int, ...], texts: list[str]) -> RowShape:
        kinds = "".join(map(_kind, texts))
        shape = self.shapes.get((columns, kinds))
        if shape is None:
            shape = self.shapes[columns, kinds] = RowShape(array("i", columns), kinds)
        return shape

    def _write(self, row: SheetRow, header_ids: dict[int, int]) -> None:
        record = self.fields.pop(row.number)
        columns = row.shape.columns
        span = Span(record[columns[0] - 1][0], record[columns[-1] - 1][1])
        self._mark_quotes(record)
        self._mark(record[0][2], span.start, _EMPTY)
        self._mark(span.end, record[-1][3], _EMPTY)
        for column in columns:
            start, end = record[column - 1][:2]
            self.cells.add(
                table=1,
                row=row.number,
                column=column,
                start=start,
                end=end,
                header_id=header_ids.get(column, -1),
            )
        location = self._location(row.number, columns, span)
        self.blocks.append(Block(kind=BlockKind.CELL_RANGE, span=span, location=location, table=1))

    def _location(self, row: int, columns: array[int], span: Span) -> CellRange | Lines:
        if row > _LAST_ROW or columns[-1] > _LAST_COLUMN:
            return self.lines.lines(span)
        return CellRange(SHEET, Cell(columns[0], row), Cell(columns[-1], row))

    def _mark_quotes(self, record: list[Field]) -> None:
        for first, last, outer_first, outer_last in record:
            if first > outer_first:
                self._mark(outer_first, first, _QUOTE)
                doubled = self.text.find('""', first, last)
                while doubled >= 0:
                    self._mark(doubled, doubled + 1, _QUOTE)
                    doubled = self.text.find('""', doubled + 2, last)
                self._mark(last, outer_last, _QUOTE)

    def _mark(self, start: int, end: int, reason: str) -> None:
        if end > start:
            self.marks.append(Mark(Span(start, end), MarkKind.MARKUP, reason))


def _kind(text: str) -> str:
    if _DATE.fullmatch(text):
        return "d"
    return "n" if _NUMBER.fullmatch(text) else "t"


PARSER = Parser(
    name="delimited",
    version=2,
    media_types=("text/csv", "text/tab-separated-values"),
    parse=parse,
)
