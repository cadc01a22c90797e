"""Tables between ruling lines: lines that meet make a grid, missing walls make merged cells.

In: the lines and words of a page, upright. Out: tables, and the words outside them. A frame
around one text is no table: two rows and two columns must hold words.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tipstaff.parse.page_tables import GridCell, Table, cell_of, count_header_rows, parted
from tipstaff.parse.page_words import Box, Word

MAX_RULES = 2_000
MAX_CELLS = 20_000

_NEAR = 3.0  # points by which lines may miss one another


@dataclass(slots=True)
class _Rule:
    """A straight line at `at` across the other axis, from `start` to `end`."""

    at: float
    start: float
    end: float


def ruled_tables(rules: Sequence[Box], words: Sequence[Word]) -> tuple[list[Table], list[Word]]:
    """Tables top to bottom, and the words that are in none."""
    across, down = _joined(rules, flat=True), _joined(rules, flat=False)
    if len(across) < 2 or len(down) < 1 or len(across) + len(down) > MAX_RULES:
        return [], list(words)
    tables: list[Table] = []
    left_over = list(words)
    for flat, upright in _meeting(across, down):
        grid = _Grid(flat, upright)
        if grid.is_possible:
            inside = [word for word in left_over if grid.holds(word)]
            table = grid.table(inside)
            if table:
                tables.append(table)
                left_over = [word for word in left_over if not grid.holds(word)]
    return sorted(tables, key=lambda table: table.top), left_over


def _joined(rules: Iterable[Box], *, flat: bool) -> list[_Rule]:
    """Lines of one direction; pieces of one line become one."""
    pieces = []
    for left, top, right, bottom in rules:
        if flat and right - left >= bottom - top:
            pieces.append(_Rule((top + bottom) / 2, left, right))
        elif not flat and bottom - top > right - left:
            pieces.append(_Rule((left + right) / 2, top, bottom))
    pieces.sort(key=lambda rule: (round(rule.at), rule.start))
    joined: list[_Rule] = []
    for rule in pieces:
        last = joined[-1] if joined else None
        if last and abs(last.at - rule.at) <= 1 and rule.start <= last.end + _NEAR:
            last.end = max(last.end, rule.end)
        else:
            joined.append(rule)
    return [rule for rule in joined if rule.end - rule.start >= _NEAR]


def _meeting(across: list[_Rule], down: list[_Rule]) -> list[tuple[list[_Rule], list[_Rule]]]:
    """Lines that meet, directly or through others, together."""
    parent = list(range(len(across) + len(down)))

    def root(index: int) -> int:
        while parent[index] != index:
            parent[index] = parent[parent[index]]
            index = parent[index]
        return index

    for number, flat in enumerate(across):
        for other, upright in enumerate(down, start=len(across)):
            if (
                flat.start - _NEAR <= upright.at <= flat.end + _NEAR
                and upright.start - _NEAR <= flat.at <= upright.end + _NEAR
            ):
                parent[root(number)] = root(other)
    groups: dict[int, tuple[list[_Rule], list[_Rule]]] = {}
    for number, rule in enumerate([*across, *down]):
        group = groups.setdefault(root(number), ([], []))
        group[number >= len(across)].append(rule)
    return [group for group in groups.values() if group[0] and group[1]]


class _Grid:
    """The slots between all lines of a group; slots without a wall between them are one cell."""

    def __init__(self, across: list[_Rule], down: list[_Rule]) -> None:
        # Tables are often open at the sides: where lines end, there is an edge.
        ends = [edge for rule in across for edge in (rule.start, rule.end)]
        sides = [edge for rule in down for edge in (rule.start, rule.end)]
        self.xs = _edges([*(rule.at for rule in down), min(ends), max(ends)])
        self.ys = _edges([*(rule.at for rule in across), min(sides), max(sides)])
        self._upright = [[rule for rule in down if abs(rule.at - x) <= _NEAR] for x in self.xs]
        self._flat = [[rule for rule in across if abs(rule.at - y) <= _NEAR] for y in self.ys]

    @property
    def is_possible(self) -> bool:
        columns, rows = len(self.xs) - 1, len(self.ys) - 1
        return columns >= 2 and rows >= 2 and columns * rows <= MAX_CELLS

    def holds(self, word: Word) -> bool:
        across, down = (word.left + word.right) / 2, (word.top + word.bottom) / 2
        return self.xs[0] <= across <= self.xs[-1] and self.ys[0] <= down <= self.ys[-1]

    def table(self, words: Sequence[Word]) -> Table | None:
        cells = self._cells(words)
        if cells is None:
            return None
        rows: dict[int, list[GridCell]] = {}
        for row, first, last, inside in cells:
            rows.setdefault(row, []).append(cell_of(first, last, inside))
        ordered = [
            row
            for number in sorted(rows)
            for row in parted(sorted(rows[number], key=lambda cell: cell.first))
        ]
        filled = {cell.first for row in ordered for cell in row}
        if len(ordered) < 2 or len(filled) < 2 or not any(len(row) > 1 for row in ordered):
            return None
        box = (self.xs[0], self.ys[0], self.xs[-1], self.ys[-1])
        return Table(*box, ordered, count_header_rows(ordered), tuple(self.xs[:-1]))

    def _cells(self, words: Sequence[Word]) -> list[tuple[int, int, int, list[Word]]] | None:
        """Cells that hold words: first row, first and last column, words. None if the lines
        are a drawing, whose parts are not all rectangles."""
        columns, rows = len(self.xs) - 1, len(self.ys) - 1
        owner = list(range(columns * rows))

        def root(slot: int) -> int:
            while owner[slot] != slot:
                owner[slot] = owner[owner[slot]]
                slot = owner[slot]
            return slot

        for row in range(rows):
            for column in range(columns):
                slot = row * columns + column
                if column + 1 < columns and not self._wall_right(row, column):
                    owner[root(slot + 1)] = root(slot)
                if row + 1 < rows and not self._wall_below(row, column):
                    owner[root(slot + columns)] = root(slot)
        slots: dict[int, list[int]] = {}
        for slot in range(columns * rows):
            slots.setdefault(root(slot), []).append(slot)
        odd = [cell for cell, held in slots.items() if not _is_rectangle(held, columns)]
        inside: dict[int, list[Word]] = {}
        for word in words:
            column = _place(self.xs, (word.left + word.right) / 2)
            row = _place(self.ys, (word.top + word.bottom) / 2)
            inside.setdefault(root(row * columns + column), []).append(word)
        if inside.keys() & set(odd) or 5 * sum(len(slots[cell]) for cell in odd) > columns * rows:
            return None
        return [
            (
                min(slots[cell]) // columns,
                min(slot % columns for slot in slots[cell]),
                max(slot % columns for slot in slots[cell]),
                held,
            )
            for cell, held in inside.items()
        ]

    def _wall_right(self, row: int, column: int) -> bool:
        middle = (self.ys[row] + self.ys[row + 1]) / 2
        return _stands(self._upright[column + 1], middle)

    def _wall_below(self, row: int, column: int) -> bool:
        middle = (self.xs[column] + self.xs[column + 1]) / 2
        return _stands(self._flat[row + 1], middle)


def _is_rectangle(slots: list[int], columns: int) -> bool:
    across = [slot % columns for slot in slots]
    down = [slot // columns for slot in slots]
    return len(slots) == (max(across) - min(across) + 1) * (max(down) - min(down) + 1)


def _stands(rules: list[_Rule], middle: float) -> bool:
    return any(rule.start - _NEAR <= middle <= rule.end + _NEAR for rule in rules)


def _edges(positions: Iterable[float]) -> list[float]:
    """Positions with those that nearly agree taken together."""
    edges: list[float] = []
    for position in sorted(positions):
        if not edges or position - edges[-1] > _NEAR:
            edges.append(position)
    return edges


def _place(edges: list[float], position: float) -> int:
    return min(max(0, bisect_right(edges, position) - 1), len(edges) - 2)
