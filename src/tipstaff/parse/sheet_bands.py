"""Tables that stand side by side in a sheet, each with headers of its own.

Where an empty column parts two tables and one of them begins while the other goes on, no row
is a header as a whole: each side ("band") is then read as if it were alone. Tables that begin
in the same row share it as their header and need no parting.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections import deque
from collections.abc import Iterator, Mapping, Sequence

from tipstaff.parse.sheet_headers import HeaderFinder, TitledPiece
from tipstaff.parse.sheet_regions import regions
from tipstaff.parse.sheet_row import MergedCells, RowShape, SheetRow
from tipstaff.parse.sheet_run import SheetPiece, single_rows

_SURELY_OVER = 4  # blank rows behind which a header finder looks for nothing


def titled_pieces(pieces: Iterator[SheetPiece], merged: MergedCells) -> Iterator[TitledPiece]:
    """Rows in order, each with the titles of its columns."""
    whole, bands = HeaderFinder(merged), None
    for region in regions(pieces):
        parting = region.parting()
        if parting and bands is None:
            yield from whole.titled_rest()
            bands = _Bands(parting, merged, whole.titles)
        elif parting and bands is not None and parting != bands.parting:
            yield from bands.rest()
            bands = _Bands(parting, merged, bands.titles)
        for piece in region.pieces():
            if bands is not None and not bands.hold(piece):
                yield from bands.rest()
                whole, bands = HeaderFinder(merged), None
            yield from whole.titled(piece) if bands is None else bands.titled(piece)
    yield from whole.titled_rest() if bands is None else bands.rest()


class _Bands:
    """A header finder for each side of the empty columns, and the rows that wait for all of
    them to have been judged."""

    def __init__(
        self, parting: Sequence[int], merged: MergedCells, titles: Mapping[int, str]
    ) -> None:
        self.parting = parting
        self._finders = [
            HeaderFinder(
                MergedCells(cells for cells in merged if self._band(cells[0].column) == band)
            )
            for band in range(len(parting) + 1)
        ]
        for column, title in titles.items():
            self._finders[self._band(column)].titles[column] = title
        self._waiting: deque[tuple[SheetRow, list[int]]] = deque()
        self._judged: list[deque[Mapping[int, str]]] = [deque() for _ in self._finders]
        self._last_rows = [0] * len(self._finders)

    @property
    def titles(self) -> dict[int, str]:
        return {column: title for one in self._finders for column, title in one.titles.items()}

    def hold(self, piece: SheetPiece) -> bool:
        """Whether a row leaves the empty columns empty."""
        return not set(self.parting) & set(piece.shape.columns)

    def titled(self, piece: SheetPiece) -> Iterator[TitledPiece]:
        for row in single_rows(iter([piece])):
            parts = self._parts(row)
            self._waiting.append((row, list(parts)))
            for band, part in parts.items():
                self._take(band, self._finders[band].titled(part))
                self._last_rows[band] = row.number
            for band, last in enumerate(self._last_rows):
                if row.number - last >= _SURELY_OVER:
                    self._take(band, self._finders[band].titled_rest())
            yield from self._ready()

    def rest(self) -> Iterator[TitledPiece]:
        for band, finder in enumerate(self._finders):
            self._take(band, finder.titled_rest())
        yield from self._ready()

    def _take(self, band: int, pieces: Iterator[TitledPiece]) -> None:
        self._judged[band].extend(titles for _, titles in pieces)

    def _ready(self) -> Iterator[TitledPiece]:
        while self._waiting and all(self._judged[band] for band in self._waiting[0][1]):
            row, bands = self._waiting.popleft()
            titles: dict[int, str] = {}
            for band in bands:
                titles.update(self._judged[band].popleft())
            yield row, titles

    def _band(self, column: int) -> int:
        return bisect_left(self.parting, column)

    def _parts(self, row: SheetRow) -> dict[int, SheetRow]:
        """The row as each band sees it."""
        found: dict[int, list[int]] = {}
        for index, column in enumerate(row.shape.columns):
            found.setdefault(self._band(column), []).append(index)
        return {
            band: SheetRow(
                row.number,
                RowShape(
                    array("i", [row.shape.columns[index] for index in indices]),
                    "".join(row.shape.kinds[index] for index in indices),
                    row.shape.bold,
                ),
                [row.texts[index] for index in indices],
            )
            for band, indices in found.items()
        }
