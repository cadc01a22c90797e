"""Rows of a sheet without a blank row among them, and the empty columns that part them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import chain, pairwise

from tipstaff.parse.sheet_row import SheetRow
from tipstaff.parse.sheet_run import RowRun, SheetPiece

_MOST_ROWS = 200  # of a region that are looked at before the first of them is judged


class Region:
    """The first rows of a region, and a way to all of them."""

    def __init__(self, known: Sequence[SheetPiece], others: Iterator[SheetPiece]) -> None:
        self._known = known
        self._others = others

    def pieces(self) -> Iterator[SheetPiece]:
        return chain(self._known, self._others)

    def parting(self) -> list[int]:
        """Empty columns, each with a table beside it that begins while another goes on. One
        column stands for all that are empty side by side."""
        shapes = {piece.shape for piece in self._known}
        used = sorted({column for shape in shapes for column in shape.columns})
        empty = [before + 1 for before, behind in pairwise(used) if behind > before + 1]
        if not empty:
            return []
        edges = [0, *empty, 0]
        beginning = _beginning_beside_others(list(self._rows()), empty)
        return sorted({edge for part in beginning for edge in edges[part : part + 2]} - {0})

    def _rows(self) -> Iterator[SheetRow]:
        for piece in self._known:
            if isinstance(piece, RowRun):
                # Its rows are alike: none of them begins anything but the first.
                yield from piece.part(0, 2).rows()
            else:
                yield piece


def regions(pieces: Iterator[SheetPiece]) -> Iterator[Region]:
    """Each region is to be used up before the next."""
    ahead = _Ahead(pieces)
    while ahead.more():
        yield ahead.region()


class _Ahead:
    def __init__(self, pieces: Iterator[SheetPiece]) -> None:
        self._pieces = pieces
        self._next: SheetPiece | None = next(pieces, None)
        self._last = 0

    def more(self) -> bool:
        return self._next is not None

    def region(self) -> Region:
        known: list[SheetPiece] = []
        count = 0
        rest = self._region_pieces()
        for piece in rest:
            known.append(piece)
            count += len(piece) if isinstance(piece, RowRun) else 1
            if count >= _MOST_ROWS:
                break
        return Region(known, rest)

    def _region_pieces(self) -> Iterator[SheetPiece]:
        first = True
        while self._next is not None and (first or _first(self._next) == self._last + 1):
            piece, first = self._next, False
            self._last = piece.last if isinstance(piece, RowRun) else piece.number
            self._next = next(self._pieces, None)
            yield piece


def _first(piece: SheetPiece) -> int:
    return piece.first if isinstance(piece, RowRun) else piece.number


def _beginning_beside_others(rows: Sequence[SheetRow], empty: Sequence[int]) -> set[int]:
    """Parts between empty columns in which titles stand over numbers where the row above has
    nothing, in a row that goes on with what is above it elsewhere."""
    found: set[int] = set()
    parts = [_parts(row, empty) for row in rows]
    for index in range(1, len(rows) - 1):
        above, row = rows[index - 1], rows[index]
        if len(set(above.shape.columns) & set(row.shape.columns)) < 2:
            continue
        for part, cells in parts[index].items():
            if (
                part not in parts[index - 1]
                and len(cells) > 1
                and set(cells.values()) == {"t"}
                and any(kind in "nd" for kind in parts[index + 1].get(part, {}).values())
            ):
                found.add(part)
    return found


def _parts(row: SheetRow, empty: Sequence[int]) -> dict[int, dict[int, str]]:
    """The kinds of cells by column, for each part of a row that has any."""
    parts: dict[int, dict[int, str]] = {}
    for column, kind in zip(row.shape.columns, row.shape.kinds, strict=True):
        parts.setdefault(bisect_left(empty, column), {})[column] = kind
    return parts
