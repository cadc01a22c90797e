"""Cells of a sheet (TIP §5.1.6) to spans: a rectangle of cells, comments on them, and the cells
that reach into it because they are merged."""

from __future__ import annotations

from collections.abc import Iterator

from tipstaff.domain.document import Document, Sheet, Span
from tipstaff.domain.location import Cell, CellRange


class NoSuchCells(Exception):
    """Carries the reason, as half a sentence."""


def cell_spans(document: Document, location: CellRange) -> tuple[list[Span], str | None]:
    """Where the cells stand in the text, and a sentence where some of that text is shown at
    the place but belongs to a cell outside of it."""
    sheet = _sheet(document, location)
    first = Cell(
        min(location.first.column, location.last.column),
        min(location.first.row, location.last.row),
    )
    last = Cell(
        max(location.first.column, location.last.column),
        max(location.first.row, location.last.row),
    )
    rows: dict[int, Span] = {}
    for cell in document.cells.in_range(sheet.table, first, last):
        known = rows.get(cell.cell.row)
        rows[cell.cell.row] = Span(known.start, cell.span.end) if known else cell.span
    reaching = dict(_reaching_in(document, sheet, first, last))
    spans = sorted(span for span in (*rows.values(), *reaching.values()) if len(span))
    spans += _comments(document, sheet, first, last)
    if not spans:
        raise NoSuchCells(f"the cells {location} are empty")
    return spans, _note(reaching, is_one=first == last)


def _sheet(document: Document, location: CellRange) -> Sheet:
    sheets = document.sheets
    if not sheets:
        raise NoSuchCells(f"{location} of an item that has no cells")
    named = [sheet for sheet in sheets if sheet.name.casefold() == location.sheet.casefold()]
    if not named and (len(sheets) > 1 or not document.lines_are_the_files):
        names = ", ".join(sheet.name for sheet in sheets if not sheet.hidden)
        raise NoSuchCells(f"there is no sheet '{location.sheet}' among {names}")
    # A delimited file, whose one sheet has no name, answers to any.
    return (named or sheets)[0]


def _reaching_in(
    document: Document, sheet: Sheet, first: Cell, last: Cell
) -> Iterator[tuple[str, Span]]:
    """Merged cells that cover part of a rectangle and have their text outside of it."""
    for corner, end in sheet.merged:
        touches = (
            corner.column <= last.column
            and first.column <= end.column
            and corner.row <= last.row
            and first.row <= end.row
        )
        if touches and not (corner.column >= first.column and corner.row >= first.row):
            for cell in document.cells.in_range(sheet.table, corner, corner):
                yield f"{corner}-{end}", cell.span


def _comments(document: Document, sheet: Sheet, first: Cell, last: Cell) -> list[Span]:
    """Comments stand outside the rows, each as a block of its own."""
    return [
        block.span
        for block in document.blocks
        if block.table is None
        and isinstance(block.location, CellRange)
        and block.location.sheet == sheet.name
        and first.row <= block.location.first.row <= last.row
        and first.column <= block.location.first.column <= last.column
    ]


def _note(reaching: dict[str, Span], *, is_one: bool) -> str | None:
    if not reaching:
        return None
    which = ", ".join(list(reaching)[:6]) + (" …" if len(reaching) > 6 else "")
    if is_one:
        return f"this cell is part of the merged cells {which}, whose text this is"
    return f"some of these cells are part of the merged cells {which}, whose text is included"
