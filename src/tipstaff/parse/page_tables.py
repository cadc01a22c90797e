"""Tables of a page, however they were found: rows of cells, and which rows are headings."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from tipstaff.parse.page_lines import lines_of, rows_of, runs_of
from tipstaff.parse.page_words import Word

MAX_HEADER_ROWS = 3

_FIGURE = re.compile(
    r"[(\[]?[-+−–~<>≤≥±]?\s*(?:[A-Z]{3}\s?|[$€£¥]\s?)?[-+−]?\d[\d.,'\u00a0 ]*"
    r"\s?(?:%|[kKmMbB]n?|x|pp|bps|[$€£¥])?[)\]]?[*†‡]?|[-–—]|n/?a|N/?A|nil"
)
_YEAR = re.compile(r"(?:19|20)\d\d[*†‡]?")


@dataclass(slots=True)
class GridCell:
    """A cell that spans the columns `first` to `last` (from 0), with the words of each line."""

    first: int
    last: int
    lines: list[list[Word]]

    @property
    def words(self) -> list[Word]:
        return [word for line in self.lines for word in line]

    @property
    def text(self) -> str:
        return " ".join(word.text for word in self.words)


@dataclass(slots=True)
class Table:
    """Rows top to bottom, cells left to right, empty cells left out. `edges` are the left
    edges of its columns: a table that goes on overleaf has the same ones."""

    left: float
    top: float
    right: float
    bottom: float
    rows: list[list[GridCell]]
    header_rows: int
    edges: tuple[float, ...]


def cell_of(first: int, last: int, words: Sequence[Word]) -> GridCell:
    """A cell with its words in reading order."""
    runs = [run for row in rows_of(words) for run in runs_of(row)]
    return GridCell(first, last, [line.words for line in lines_of(runs)])


def is_figure(text: str) -> bool:
    """Whether a cell holds an amount, a percentage or a dash for none."""
    return _FIGURE.fullmatch(text.strip()) is not None


def count_header_rows(rows: Sequence[Sequence[GridCell]]) -> int:
    """How many rows at the top are headings: rows of words above the first row of figures.

    A table of words alone has one, its first; a table that begins with figures has none.
    """
    count = 0
    for row in rows[: MAX_HEADER_ROWS + 1]:
        if any(is_figure(cell.text) and not _YEAR.fullmatch(cell.text) for cell in row[1:]):
            break
        count += 1
    if count > MAX_HEADER_ROWS or count >= len(rows):
        count = 1 if len(rows) > 1 else 0
    # Below the first row, only what continues a heading that spans columns is one, too.
    while count > 1 and not _spans(rows[count - 2]):
        count -= 1
    return count


def header_titles(table: Table) -> dict[int, str]:
    """The heading over each column, from top to bottom."""
    titles: dict[int, list[str]] = {}
    for row in table.rows[: table.header_rows]:
        for cell in row:
            for column in range(cell.first, cell.last + 1):
                titles.setdefault(column, []).append(cell.text)
    return {column: " ".join(parts) for column, parts in titles.items()}


def _spans(row: Sequence[GridCell]) -> bool:
    return any(cell.last > cell.first for cell in row)
