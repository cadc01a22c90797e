"""Tables without ruling lines, found only where figures stand in columns.

In: the lines of one column of a page. Out: the same, with runs of lines that are surely rows
of a table replaced by it. In doubt lines stay lines: a wrong table is worse than none.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from statistics import median

from tipstaff.parse.page_lines import Line, Run
from tipstaff.parse.page_tables import GridCell, Table, is_figure

_FEWEST_ROWS = 3
_MOST_ROWS = 200
_MOST_HEADER_LINES = 2
_AMOUNT = re.compile(r"\d[.,]\d|[$€£¥%(]")
_SIGNS = frozenset("$€£¥(")

_Row = list[Run]


def with_aligned_tables(parts: Sequence[Line | Table]) -> list[Line | Table]:
    found: list[Line | Table] = []
    index = 0
    while index < len(parts):
        end = _last_row(parts, index)
        table = _table(parts[index:end]) if end - index >= _FEWEST_ROWS else None
        if table:
            header = _header_lines(found, table)
            del found[len(found) - len(header) :]
            found.append(_headed(table, header))
            index = end
        else:
            found.append(parts[index])
            index += 1
    return found


def _last_row(parts: Sequence[Line | Table], start: int) -> int:
    """One behind the last of the lines from `start` on that have figures in later cells; a
    label alone ("Current assets") may stand between two of them."""
    end = start
    for index in range(start, min(len(parts), start + _MOST_ROWS)):
        part = parts[index]
        if isinstance(part, Table):
            break
        if _figures(part):
            if index > start and not _follows(parts[index - 1], part):
                break
            end = index + 1
        elif index == start or index >= end + 1 or len(part.cells()) > 1:
            break
    return end


def _follows(above: Line | Table, line: Line) -> bool:
    return line.top - above.bottom < 1.5 * line.size


def _figures(line: Line) -> int:
    return sum(is_figure(cell.text) for cell in _cells(line)[1:])


def _cells(line: Line) -> _Row:
    """The cells of a line; a currency sign set apart belongs to the figure behind it."""
    joined: _Row = []
    for cell in line.cells():
        if joined and (joined[-1].text in _SIGNS or cell.text in ("%", ")")):
            joined[-1] = Run([*joined[-1].words, *cell.words])
        else:
            joined.append(cell)
    return joined


def _table(lines: Sequence[Line | Table]) -> Table | None:
    rows = [_cells(line) for line in lines if isinstance(line, Line)]
    columns = _columns(rows)
    if len(columns) < 2:
        return None
    placed = [_placed(row, columns) for row in rows]
    if any(row is None for row in placed):
        return None
    for column in range(1, len(columns)):
        cells = [cell.text for row in placed for cell in row or () if cell.first == column]
        if len(cells) < _FEWEST_ROWS or sum(map(is_figure, cells)) < 0.7 * len(cells):
            return None
        # One column of bare numbers is more likely a table of contents.
        if len(columns) == 2 and not any(map(_AMOUNT.search, cells)):
            return None
    return Table(
        min(line.left for line in lines),
        lines[0].top,
        max(line.right for line in lines),
        lines[-1].bottom,
        [row for row in placed if row],
        0,
        tuple(left for left, _ in columns),
    )


def _columns(rows: Sequence[_Row]) -> list[tuple[float, float]]:
    """Stretches of the line that cells share; labels make the first, figures the others."""
    figures = sorted((cell.left, cell.right) for row in rows for cell in row[1:])
    columns: list[tuple[float, float]] = []
    for left, right in figures:
        if columns and left <= columns[-1][1]:
            columns[-1] = (columns[-1][0], max(columns[-1][1], right))
        else:
            columns.append((left, right))
    first = [row[0] for row in rows if len(row) > 1]
    if not first or not columns:
        return []
    return [(min(cell.left for cell in first), max(cell.right for cell in first)), *columns]


def _placed(row: _Row, columns: Sequence[tuple[float, float]]) -> list[GridCell] | None:
    """The row's cells in their columns, or None where two claim one or one claims two."""
    cells: list[GridCell] = []
    for number, cell in enumerate(row):
        if number == 0:
            if len(row) > 1 and cell.right > columns[1][0]:
                return None
            cells.append(GridCell(0, 0, [cell.words]))
            continue
        own = [
            index
            for index, (left, right) in enumerate(columns)
            if index and cell.left < right and cell.right > left
        ]
        if len(own) != 1 or own[0] <= cells[-1].first:
            return None
        cells.append(GridCell(own[0], own[0], [cell.words]))
    return cells


def _header_lines(above: Sequence[Line | Table], table: Table) -> list[Line]:
    """Lines right above that stand over the columns of figures."""
    header: list[Line] = []
    below = table.top
    for part in reversed(above):
        if (
            not isinstance(part, Line)
            or len(header) == _MOST_HEADER_LINES
            or below - part.bottom >= 1.5 * part.size
            or _headed_cells(part, table) is None
        ):
            break
        header.insert(0, part)
        below = part.top
    return header


def _headed_cells(line: Line, table: Table) -> list[GridCell] | None:
    """The line's cells over the table's columns, if at least two stand over figures."""
    figures = [
        (cell.first, cell.words[0].left, cell.words[-1].right)
        for row in table.rows
        for cell in row
        if cell.first > 0
    ]
    spans = {
        column: (
            min(left for number, left, _ in figures if number == column),
            max(right for number, _, right in figures if number == column),
        )
        for column, _, _ in figures
    }
    cells: list[GridCell] = []
    for cell in _cells(line):
        over = [
            column
            for column, (left, right) in spans.items()
            if cell.left <= right and cell.right >= left
        ]
        if not over and not cells and cell.right < median(left for left, _ in spans.values()):
            over = [0]
        is_beside_labels = over == [0] or cell.left > table.left + 0.2 * (table.right - table.left)
        if not over or not is_beside_labels or (cells and min(over) <= cells[-1].last):
            return None
        cells.append(GridCell(min(over), max(over), [cell.words]))
    wide = [cell for cell in cells if cell.first > 0]
    return cells if len(wide) >= min(2, len(spans)) else None


def _headed(table: Table, header: Sequence[Line]) -> Table:
    rows = [cells for line in header if (cells := _headed_cells(line, table))]
    return Table(
        table.left,
        min([table.top, *(line.top for line in header)]),
        table.right,
        table.bottom,
        [*rows, *table.rows],
        len(rows),
        table.edges,
    )
