"""The rows of a sheet written into a document, whatever format they come from.

Rows come in with their cells as shown; blocks, cells with their headers, and marks on what
is hidden go out. A cell keeps the row and column that it has in the sheet.
"""

from __future__ import annotations

from array import array
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import repeat

from tipstaff.domain.document import BlockKind, Sheet, Span
from tipstaff.domain.location import Cell, CellRange, column_letters
from tipstaff.domain.many import many
from tipstaff.parse.building import CELL_SEPARATOR, DocumentBuilder
from tipstaff.parse.sheet_bands import titled_pieces
from tipstaff.parse.sheet_content import SheetContent
from tipstaff.parse.sheet_row import RowShape, SheetRow
from tipstaff.parse.sheet_run import RowRun


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
    builder.sheets.append(Sheet(content.name, table, content.hidden, tuple(content.merged)))
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
        self.titles: Mapping[int, str] = {}
        self.ids: dict[str, int] = {}  # of titles among the document's headers
        self.header_ids: dict[RowShape, array[int]] = {}
        self.hidden_rows: list[tuple[int, Span]] = []
        self.remarks = deque(
            sorted(content.remarks, key=lambda remark: (remark.cell.row, remark.cell.column))
        )

    def write(self) -> None:
        for piece, titles in titled_pieces(iter(self.content.rows), self.content.merged):
            if isinstance(piece, SheetRow):
                self._write_row(piece, titles)
            elif self._is_plain(piece):
                self._write_run(piece, titles)
            else:
                for row in piece.rows():
                    self._write_row(row, titles)
        self._write_remarks(None)
        self._mark_hidden_rows()

    def _is_plain(self, run: RowRun) -> bool:
        """Whether rows have nothing to mark and nothing to stand between them."""
        return not (
            run.concealed
            or self.content.hidden_columns
            or (self.remarks and self.remarks[0].cell.row < run.last)
        )

    def _write_run(self, run: RowRun, titles: Mapping[int, str]) -> None:
        columns, count = run.shape.columns, len(run)
        rows = range(run.first, run.last + 1)
        self.builder.rows(
            run.texts,
            table=self.table,
            first_row=run.first,
            columns=columns,
            header=self._header(run.shape, titles),
            values=run.stored,
            formulas=run.formulas,
            locations=many(
                CellRange,
                count,
                sheet=repeat(self.content.name),
                first=many(Cell, count, column=repeat(columns[0]), row=rows),
                last=many(Cell, count, column=repeat(columns[-1]), row=rows),
            ),
            kind=BlockKind.CELL_RANGE,
            headings=self.headings,
        )

    def _write_row(self, row: SheetRow, titles: Mapping[int, str]) -> None:
        if self.remarks and self.remarks[0].cell.row < row.number:
            self._write_remarks(row.number)
        columns = row.shape.columns
        name = self.content.name
        span = self.builder.row(
            row.texts,
            table=self.table,
            row=row.number,
            columns=columns,
            header=self._header(row.shape, titles),
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

    def _header(self, shape: RowShape, titles: Mapping[int, str]) -> array[int]:
        """For each cell of a row its header's number; rows of one shape share the answer."""
        if titles is not self.titles:
            self.titles = titles
            self.header_ids.clear()
        known = self.header_ids.get(shape)
        if known is None:
            known = array("i", [self._header_id(titles.get(column)) for column in shape.columns])
            self.header_ids[shape] = known
        return known

    def _header_id(self, title: str | None) -> int:
        if title is None:
            return -1
        if title not in self.ids:
            (self.ids[title],) = self.builder.header_ids([title])
        return self.ids[title]

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
