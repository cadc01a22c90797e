"""t"""

from __future__ import annotations

from collections.abc import Iterator

from tipstaff.parse.sheet_headers import HeaderFinder, TitledPiece
from tipstaff.parse.sheet_row import MergedCells
from tipstaff.parse.sheet_run import SheetPiece


def titled_pieces(pieces: Iterator[SheetPiece], merged: MergedCells) -> Iterator[TitledPiece]:
    finder = HeaderFinder(merged)
    for piece in pieces:
        yield from finder.titled(piece)
    yield from finder.titled_rest()
