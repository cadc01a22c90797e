"""The rows of a sheet written into a document, whatever format they come from.

Rows come in with their cells as shown; blocks, cells with their headers, and marks on what
is hidden go out. A cell keeps the row and column that it has in the sheet.
"""

from __future__ import annotations

from array import array
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import replace

from tipstaff.domain.document import BlockKind, Sheet, Span
from tipstaff.domain.location import Cell, CellRange, column_letters
from tipstaff.parse.building import CELL_SEPARATOR, DocumentBuilder
from tipstaff.parse.sheet_headers import HeaderFinder
from tipstaff.parse.sheet_row import RowShape, SheetContent, SheetRow


class SheetNames:
    """Sheets are cited by name without regard to case: a second 'data' gets a number."""

    def __init__(self) -> None:
        self._seen: set[str] = set()

    def unique(self, name: str) -> str:
        unique, number = name, 2
        while unique.casefold() in self._seen:
            unique, number = f"{name} ({number})", number + 1
        self._seen.add(unique.casefold())
        return unique


def write_sheet(builder: DocumentBuilder, content: SheetContent, *, name: str) -> None:
    """One sheet at the end of the document, under a name that no other sheet has."""
    content = replace(content, name=name)
    table = builder.table()
    builder.sheets.append(Sheet(content.name, table, content.hidden))
    start = builder.position
    _SheetWriter(builder, content, table).write()
    if content.hidden:
        reason = f"hidden sheet '{content.name}'"
        builder.hide(Span(start, max(start, builder.position - 1)), reason)


class _SheetWriter:
    def __init__(self, builder: DocumentBuilder, content: SheetContent, table: int) -> None:
        self.builder = builder
        self.content = content
        self.table = table
        self.headings = (content.name,)
        self.finder = HeaderFinder(content.merged)
        self.header_ids: dict[RowShape, array[int]] = {}
        self.hidden_rows: list[tuple[int, Span]] = []
        self.remarks = deque(
            sorted(content.remarks, key=lambda remark: (remark.cell.row, remark.cell.column))
        )

    def write(self) -> None:
        for row, is_label in self.finder.follow(iter(self.content.rows)):
            if self.remarks and self.remarks[0].cell.row < row.number:
                self._write_remarks(row.number)
            self._write_row(row, None if is_label else self._header(row.shape))
        self._write_remarks(None)
        self._mark_hidden_rows()

    def _write_row(self, row: SheetRow, header: array[int] | None) -> None:
        columns = row.shape.columns
        name = self.content.name
        span = self.builder.row(
            row.texts,
            table=self.table,
            row=row.number,
            columns=columns,
            header=header,
            values=row.values,
            formulas=row.formulas,
            location=CellRange(name, Cell(columns[0], row.number), Cell(columns[-1], row.number)),
            kind=BlockKind.CELL_RANGE,
            headings=self.headings,
        )
        if row.hidden:
            self.hidden_rows.append((row.number, span))
        elif row.concealed or self.content.hidden_columns:
            self._mark_cells(row, span)

    def _header(self, shape: RowShape) -> array[int]:
        """For each cell of a row its header's number; rows of one shape share the answer."""
        if self.finder.changed:
            self.finder.changed = False
            ids = self.builder.header_ids(list(self.finder.titles.values()))
            self._id_of_column = dict(zip(self.finder.titles, ids, strict=True))
            self.header_ids.clear()
        known = self.header_ids.get(shape)
        if known is None:
            known = array("i", [self._id_of_column.get(column, -1) for column in shape.columns])
            self.header_ids[shape] = known
        return known

    _id_of_column: Mapping[int, int] = {}

    def _mark_cells(self, row: SheetRow, span: Span) -> None:
        """Cells in hidden columns and in invisible styles, each with the separator behind it."""
        position = span.start
        for index, (column, text) in enumerate(zip(row.shape.columns, row.texts, strict=True)):
            reason = (row.concealed or {}).get(index)
            if reason is not None:
                reason = f"{reason} in cell {Cell(column, row.number)} of '{self.content.name}'"
            if column in self.content.hidden_columns:
                reason = f"hidden column {column_letters(column)} of '{self.content.name}'"
            end = position + len(text)
            following = min(end + len(CELL_SEPARATOR), span.end)
            if reason is not None:
                self.builder.hide(Span(position, following), reason)
            position = following

    def _mark_hidden_rows(self) -> None:
        """One mark for each run of hidden rows, however many rows a filter leaves out."""
        for run in _runs(self.hidden_rows):
            first, last = run[0][0], run[-1][0]
            which = f"row {first}" if first == last else f"rows {first} to {last}"
            reason = f"hidden {which} of '{self.content.name}'"
            self.builder.hide(Span(run[0][1].start, run[-1][1].end), reason)

    def _write_remarks(self, before_row: int | None) -> None:
        """Comments stand behind the row of their cell."""
        while self.remarks and (before_row is None or self.remarks[0].cell.row < before_row):
            remark = self.remarks.popleft()
            self.builder.block(
                BlockKind.PARAGRAPH,
                remark.text,
                CellRange(self.content.name, remark.cell, remark.cell),
                author=remark.author,
                headings=self.headings,
            )


def _runs(rows: list[tuple[int, Span]]) -> Iterator[list[tuple[int, Span]]]:
    """Rows without any text between them."""
    run: list[tuple[int, Span]] = []
    for number, span in rows:
        if run and span.start > run[-1][1].end + 1:
            yield run
            run = []
        run.append((number, span))
    if run:
        yield run
