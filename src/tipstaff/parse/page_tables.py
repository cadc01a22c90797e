"""Tables of a page, however they were found: rows of cells, and which rows are headings."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from tipstaff.parse.page_lines import lines_of, rows_of, runs_of
from tipstaff.parse.page_words import Word

MAX_HEADER_ROWS = 3

_FEWEST_ENTRIES = 3

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

    A table of words alone has one, its first; a table that begins with figures has none. A
    title across the whole table stands above the headings.
    """
    if len(rows) > 2 and len(rows[0]) == 1 and rows[0][0].last > rows[0][0].first:
        return 1 + count_header_rows(rows[1:])
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
    """The heading over each column, from top to bottom; a title over all is none of them."""
    titles: dict[int, list[str]] = {}
    for row in table.rows[: table.header_rows]:
        for cell in row if len(row) > 1 or table.header_rows == 1 else ():
            for column in range(cell.first, cell.last + 1):
                titles.setdefault(column, []).append(cell.text)
    return {column: " ".join(parts) for column, parts in titles.items()}


def parted(row: Sequence[GridCell]) -> list[list[GridCell]]:
    """A row between two lines as the rows that it is to a reader.

    Many tables have lines only around their body. If the first cell lists entries, one a line,
    and the others go with them on the same heights, each entry is a row.
    """
    first, others = row[0], row[1:]
    if not others or len(first.lines) < _FEWEST_ENTRIES or not _lists_entries(first.lines):
        return [list(row)]
    middles = [_middle(line) for line in first.lines]
    reach = 0.4 * min(word.height for word in first.words)
    rows = [[GridCell(first.first, first.last, [line])] for line in first.lines]
    level = set()
    for cell in others:
        for line in cell.lines:
            entry = bisect_right(middles, _middle(line) + reach) - 1
            if entry < 0:
                return [list(row)]
            if abs(_middle(line) - middles[entry]) <= reach:
                level.add(entry)
            if rows[entry][-1].first == cell.first:
                rows[entry][-1].lines.append(line)
            else:
                rows[entry].append(GridCell(cell.first, cell.last, [line]))
    return rows if len(level) >= 0.6 * len(rows) else [list(row)]


def _lists_entries(lines: Sequence[Sequence[Word]]) -> bool:
    """Whether lines are not one text: a word alone, or room for the next line's first word."""
    edge = max(line[-1].right for line in lines)
    apart = [
        len(line) == 1 or edge - line[-1].right > below[0].right - below[0].left + line[0].size / 2
        for line, below in pairwise(lines)
    ]
    return sum(apart) >= 0.8 * len(apart)


def _middle(line: Sequence[Word]) -> float:
    return (min(word.top for word in line) + max(word.bottom for word in line)) / 2


def _spans(row: Sequence[GridCell]) -> bool:
    return any(cell.last > cell.first for cell in row)
