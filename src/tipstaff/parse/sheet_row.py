"""The rows of a sheet as every spreadsheet format gives them, before they become blocks."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from tipstaff.domain.location import Cell


@dataclass(frozen=True, slots=True, eq=False)
class RowShape:
    """What rows of one table have in common: `kinds` has a letter for each cell: t(ext),
    n(umber), d(ate), b(oolean), e(rror)."""

    columns: array[int]
    kinds: str
    bold: bool = False


class SheetRow:
    """One row that says something. `values`, `formulas` and `concealed` (a reason) go by the
    position of the cell among `texts`; no text is empty."""

    __slots__ = ("concealed", "formulas", "hidden", "number", "shape", "texts", "values")

    def __init__(
        self,
        number: int,
        shape: RowShape,
        texts: Sequence[str],
        *,
        values: Mapping[int, str] | None = None,
        formulas: Mapping[int, str] | None = None,
        concealed: Mapping[int, str] | None = None,
        hidden: bool = False,
    ) -> None:
        self.number = number
        self.shape = shape
        self.texts = texts
        self.values = values
        self.formulas = formulas
        self.concealed = concealed
        self.hidden = hidden


class MergedCells:
    """Merged ranges by the row that they begin in."""

    def __init__(self, ranges: Iterable[tuple[Cell, Cell]] = ()) -> None:
        self._by_row: dict[int, list[tuple[Cell, Cell]]] = {}
        for first, last in ranges:
            self._by_row.setdefault(first.row, []).append((first, last))

    def __iter__(self) -> Iterator[tuple[Cell, Cell]]:
        return (merged for row in self._by_row.values() for merged in row)

    def beginning_in(self, row: int) -> Sequence[tuple[Cell, Cell]]:
        return self._by_row.get(row, ())


@dataclass(frozen=True, slots=True)
class Remark:
    """A comment on a cell, or a text box that is anchored at it."""

    cell: Cell
    text: str
    author: str | None = None


def one_line(text: str) -> str:
    """A row of a sheet is one line of text, whatever breaks its cells have."""
    return " ".join(text.split()) if "\n" in text or "\r" in text else text.strip()
