"""Rows of a sheet that look the same and follow each other, held column by column.

What is true of all of them is worked out once; `rows` gives them one by one where something
has to look at each.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from tipstaff.parse.sheet_row import RowShape, SheetRow


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class RowRun:
    """`texts` has a sequence for each column, none of them with an empty text; `stored` and
    `formulas` go by the position of the column, and a stored value may equal the text."""

    first: int
    shape: RowShape
    texts: Sequence[Sequence[str]]
    stored: Mapping[int, Sequence[str]]
    formulas: Mapping[int, Sequence[str]]
    concealed: Mapping[int, str] | None = None

    def __len__(self) -> int:
        return len(self.texts[0])

    @property
    def last(self) -> int:
        return self.first + len(self) - 1

    def row(self, index: int) -> SheetRow:
        return SheetRow(
            self.first + index,
            self.shape,
            [column[index] for column in self.texts],
            values={
                position: column[index]
                for position, column in self.stored.items()
                if column[index] != self.texts[position][index]
            },
            formulas={position: column[index] for position, column in self.formulas.items()},
            concealed=self.concealed,
        )

    def rows(self) -> Iterator[SheetRow]:
        return map(self.row, range(len(self)))

    def part(self, start: int, stop: int | None = None) -> RowRun:
        part = slice(start, stop)
        return replace(
            self,
            first=self.first + start,
            texts=[column[part] for column in self.texts],
            stored={position: column[part] for position, column in self.stored.items()},
            formulas={position: column[part] for position, column in self.formulas.items()},
        )


SheetPiece = SheetRow | RowRun


def single_rows(pieces: Iterator[SheetPiece]) -> Iterator[SheetRow]:
    for piece in pieces:
        if isinstance(piece, RowRun):
            yield from piece.rows()
        else:
            yield piece
