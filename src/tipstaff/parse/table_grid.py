"""Tables of flowing documents: cells with spans come in, rows of the document go out.

Every cell is put into its column, whatever is merged, and is paired with the heading of that
column. A cell that spans rows is repeated in each of them when it is short: a row is read on
its own, and its label belongs to it. Tables and pictures inside a cell follow their row.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from tipstaff.domain.document import Span
from tipstaff.domain.location import Location
from tipstaff.parse.building import CELL_SEPARATOR, DocumentBuilder, PictureText
from tipstaff.parse.runs import Runs

# A longer merged cell is prose, and prose is not repeated.
_LONGEST_LABEL = 200
_MAX_LABELS = 20
# No honest table is wider; what claims to be must not cost memory.
_MAX_COLUMNS = 1_000
_LONGEST_HEADING = 120


@dataclass(slots=True)
class GridCell:
    runs: Runs
    columns: int = 1
    rows: int = 1
    is_heading: bool = False
    tables: list[Grid] = field(default_factory=list)
    pictures: list[tuple[PictureText, str | None]] = field(default_factory=list)


@dataclass(slots=True)
class GridRow:
    """`is_heading` says that the row names the columns; `before` counts columns left out."""

    cells: list[GridCell]
    is_heading: bool = False
    before: int = 0


@dataclass(slots=True)
class Grid:
    rows: list[GridRow]


@dataclass(slots=True)
class _Placed:
    column: int
    width: int
    runs: Runs
    is_heading: bool = False
    is_repeated: bool = False


def write_table(builder: DocumentBuilder, grid: Grid) -> None:
    """All rows that have words, as blocks of one table, and the tables inside them."""
    rows = _placed(grid)
    heading_rows = _heading_rows(grid, rows)
    headings = _column_headings(rows[:heading_rows])
    ids = dict(zip(headings, builder.header_ids(list(headings.values())), strict=True))
    number: int | None = None
    location: Location | None = None
    for index, (row, cells) in enumerate(zip(grid.rows, rows, strict=True)):
        if any(cell.runs for cell in cells if not cell.is_repeated):
            number = number or builder.table()
            header = [-1] * len(cells) if index < heading_rows else _pairs(builder, cells, ids)
            _write_row(
                builder, cells, table=number, row=index + 1, header=header, location=location
            )
            # Tables inside this one must not move the place of its later rows.
            location = builder.blocks[-1].location
        for cell in row.cells:
            for inner in cell.tables:
                write_table(builder, inner)
            for text, hidden in cell.pictures:
                span = builder.picture_text(text)
                if hidden:
                    builder.hide(span, hidden)


def _write_row(
    builder: DocumentBuilder,
    cells: list[_Placed],
    *,
    table: int,
    row: int,
    header: list[int],
    location: Location | None,
) -> None:
    span = builder.row(
        [cell.runs.text for cell in cells],
        table=table,
        row=row,
        columns=[cell.column for cell in cells],
        header=header,
        location=location,
    )
    position = span.start
    for cell in cells:
        for mark in cell.runs.marks():
            builder.hide(
                Span(position + mark.start, position + mark.end), mark.reason, kind=mark.kind
            )
        position += len(cell.runs.text) + len(CELL_SEPARATOR)


def _placed(grid: Grid) -> list[list[_Placed]]:
    """Each row's cells with their columns; merged cells of rows above keep theirs taken."""
    taken: dict[int, tuple[int, Runs | None]] = {}  # column → rows left, label in its first column
    placed = []
    for index, row in enumerate(grid.rows):
        rest = len(grid.rows) - index
        cells: list[_Placed] = []
        column = 1 + min(max(row.before, 0), _MAX_COLUMNS)
        below: dict[int, tuple[int, Runs | None]] = {}
        for cell in row.cells:
            while column in taken:
                column += 1
            width = max(1, min(cell.columns, _MAX_COLUMNS - column))
            runs = cell.runs.on_one_line()
            cells.append(_Placed(column, width, runs, cell.is_heading))
            if (height := min(cell.rows, rest)) > 1 and column <= _MAX_COLUMNS:
                label = runs if len(runs.text) <= _LONGEST_LABEL else None
                for offset in range(width):
                    below[column + offset] = (height - 1, None if offset else label)
            column += width
        labels = [
            _Placed(column, 1, label, is_repeated=True)
            for column, (_, label) in taken.items()
            if label is not None
        ]
        cells += labels[:_MAX_LABELS]
        placed.append(sorted(cells, key=lambda cell: cell.column))
        taken = {c: (left - 1, label) for c, (left, label) in taken.items() if left > 1} | below
    return placed


def _heading_rows(grid: Grid, rows: list[list[_Placed]]) -> int:
    """How many rows at the top name the columns: those that say so, or a first row that may."""
    declared = 0
    while declared < len(rows) and grid.rows[declared].is_heading:
        declared += 1
    if declared:
        return declared if declared < len(rows) else min(1, len(rows) - 1)
    if any(cell.is_heading for row in rows for cell in row):
        return 0
    return 1 if len(rows) > 1 and _may_be_headings(rows[0]) else 0


def _may_be_headings(cells: list[_Placed]) -> bool:
    """Two or more short, different texts; "Name: | Jane" is a pair and no heading row."""
    texts = [cell.runs.shown for cell in cells]
    return (
        len(texts) > 1
        and all(texts[1:])
        and len(set(texts)) == len(texts)
        and all(len(text) <= _LONGEST_HEADING for text in texts)
        and not texts[0].endswith(":")
    )


def _column_headings(rows: list[list[_Placed]]) -> dict[int, str]:
    """Column → its heading; under a heading that spans several, "2024 / Q1"."""
    parts: dict[int, list[str]] = {}
    for row in rows:
        for cell in row:
            words = cell.runs.shown
            for column in range(cell.column, cell.column + cell.width):
                if words and words not in parts.setdefault(column, []):
                    parts[column].append(words)
    return {column: " / ".join(words) for column, words in parts.items() if words}


def _pairs(builder: DocumentBuilder, cells: list[_Placed], ids: dict[int, int]) -> list[int]:
    """The heading of each cell: its column's, or else the row's own."""
    label = next((cell.runs.shown for cell in cells if cell.is_heading), "")
    row_id = builder.header_ids([label])[0] if label and not ids else -1
    return [-1 if cell.is_heading else ids.get(cell.column, row_id) for cell in cells]
