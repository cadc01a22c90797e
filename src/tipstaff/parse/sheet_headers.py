"""Which rows of a sheet are headers: the nearest row above that names what stands below it.

Rows come in as they are read and go out in the same order, each told whether it is a label
(a header or a title) itself. `titles` holds the header of each column for all other rows. A
table may begin anywhere, several may stand below each other, and a header may take two rows.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator

from tipstaff.parse.sheet_row import MergedCells, SheetRow

_AHEAD = 6
_LONGEST_TITLE = 120
_NO_TITLE = frozenset(
    {"", "-", "–", "—", "n/a", "na", "n.a.", "tbd", "none", "x", "yes", "no", "?"}
)
_PERIOD = re.compile(r"(?:19|20)\d\d")


class HeaderFinder:
    """With `first_row_is_header`, doubt about the first row is decided for it, as in CSV."""

    def __init__(self, merged: MergedCells, *, first_row_is_header: bool = False) -> None:
        self.titles: dict[int, str] = {}
        self.changed = False
        self._merged = merged
        self._eager = first_row_is_header
        self._ahead: deque[SheetRow] = deque()
        self._before: SheetRow | None = None
        self._typical: SheetRow | None = None  # the fullest row of data since the header
        self._fresh = True
        self._belongs = True
        self._labels_to_come = 0

    def follow(self, rows: Iterator[SheetRow]) -> Iterator[tuple[SheetRow, bool]]:
        ahead = self._ahead
        for row in rows:
            ahead.append(row)
            if len(ahead) > _AHEAD:
                first = ahead.popleft()
                yield first, self._is_label(first)
        while ahead:
            first = ahead.popleft()
            yield first, self._is_label(first)

    def _is_label(self, row: SheetRow) -> bool:
        before, self._before = self._before, row
        if self._labels_to_come:
            self._labels_to_come -= 1
            return True
        gap = before is None or row.number > before.number + 1
        self._fresh = self._fresh or gap
        if self._fresh or "n" not in row.shape.kinds:
            rows = self._header_rows(row, before)
            if rows:
                self._take(row, rows)
                self._belongs, self._fresh, self._typical = True, False, None
                return True
            self._fresh = self._fresh and len(row.texts) == 1
        if gap or (not self._belongs and len(row.texts) > 1):
            self._belongs = self._goes_on(row)
        if self._belongs and (self._typical is None or len(row.texts) >= len(self._typical.texts)):
            self._typical = row
        return not self._belongs

    def _goes_on(self, row: SheetRow) -> bool:
        """Whether a row behind a blank one still belongs to the table above: its cells are of
        the same kinds as theirs. A single text is a remark."""
        if row.shape.kinds == "t":
            return False
        if self._eager or self._typical is None:
            return True
        return all(
            _kind(self._typical, column) in ("", "e", kind)
            for column, kind in zip(row.shape.columns, row.shape.kinds, strict=True)
        )

    def _header_rows(self, row: SheetRow, before: SheetRow | None) -> int:
        """How many rows the header that begins here takes; 0 where none does."""
        below = self._below(row)
        if below is None or not _could_be_titles(row):
            return 0
        if len(row.texts) == 1:
            return int(self._fresh and self._is_column_title(row))
        if not self._fresh:
            return int(before is not None and _interrupts(before, row, below))
        if self._groups(row, below):
            return 2
        data = [other for other in self._rows_below(row) if len(other.texts) > 1]
        return int(_stands_over(row, data, eager=self._eager and not self.titles))

    def _below(self, row: SheetRow) -> SheetRow | None:
        """The next row, where at most one blank row is between."""
        if self._ahead and self._ahead[0].number <= row.number + 2:
            return self._ahead[0]
        return None

    def _rows_below(self, row: SheetRow) -> Iterator[SheetRow]:
        """As many rows as are at hand, up to the next blank one."""
        last = row.number + 1
        for other in self._ahead:
            if other.number > last + 1:
                return
            yield other
            last = other.number

    def _is_column_title(self, row: SheetRow) -> bool:
        """One text over one number in the same column."""
        below = self._below(row)
        return (
            below is not None
            and below.shape.columns == row.shape.columns
            and below.shape.kinds in ("n", "d")
            and row.shape.kinds == "t"
        )

    def _groups(self, row: SheetRow, below: SheetRow) -> bool:
        """Whether two rows are one header: names of groups over names of columns."""
        if below.number != row.number + 1 or not _could_be_titles(below) or len(self._ahead) < 2:
            return False
        data = self._ahead[1]
        if set(data.shape.kinds) <= {"t"} and not (row.shape.bold and below.shape.bold):
            return False
        wide = any(
            last.column > first.column and last.row == first.row
            for first, last in self._merged.beginning_in(row.number)
        )
        inside = below.shape.columns[0] <= row.shape.columns[-1] <= below.shape.columns[-1]
        return inside and (wide or len(row.texts) < len(below.texts)) and len(below.texts) > 1

    def _take(self, row: SheetRow, rows: int) -> None:
        titles = self._spread(row, fill=rows == 2)
        if rows == 2:
            below = self._ahead[0]
            lower = self._spread(below, fill=False)
            columns = sorted(titles.keys() | lower.keys())
            titles = {
                column: " ".join(
                    dict.fromkeys(filter(None, (titles.get(column), lower.get(column))))
                )
                for column in columns
            }
            self._labels_to_come = 1
        self.titles = titles
        self.changed = True

    def _spread(self, row: SheetRow, *, fill: bool) -> dict[int, str]:
        """Titles by column; a merged title stands over all of its columns. With `fill`, so
        does a group's name up to the next one, where nothing in the row is merged."""
        titles = dict(zip(row.shape.columns, row.texts, strict=True))
        merged = self._merged.beginning_in(row.number)
        for first, last in merged:
            if first.column in titles:
                for column in range(first.column + 1, last.column + 1):
                    titles.setdefault(column, titles[first.column])
        if fill and not merged and self._ahead:
            for column in self._ahead[0].shape.columns:
                left = [known for known in row.shape.columns if known <= column]
                if left and column not in titles:
                    titles[column] = titles[left[-1]]
        return titles


def _could_be_titles(row: SheetRow) -> bool:
    """Short texts, or periods (2024, a date) beside texts."""
    kinds = row.shape.kinds
    if any(len(text) > _LONGEST_TITLE for text in row.texts):
        return False
    if set(kinds) == {"t"}:
        return True
    return set(kinds) <= {"t", "n", "d"} and all(
        kind != "n" or _PERIOD.fullmatch(text) for kind, text in zip(kinds, row.texts, strict=True)
    )


def _stands_over(row: SheetRow, data: list[SheetRow], *, eager: bool) -> bool:
    """Whether the first full row of a table names the columns of the rows below it."""
    if not data:
        return False
    below = data[0]
    shared = set(row.shape.columns) & set(below.shape.columns)
    if len(shared) * 2 < len(below.texts) or len(shared) < 2:
        return False
    only_text = set(row.shape.kinds) == {"t"}
    if not only_text:
        return _unlike(row, below)
    if any(text.lower() in _NO_TITLE for text in row.texts):
        return False
    if eager or (row.shape.bold and not below.shape.bold):
        return True
    distinct = len(set(row.texts)) == len(row.texts)
    if len(row.texts) == 2:
        # "Name | Ada" over "Age | 36" is a form; a table has data in its second column.
        second = row.shape.columns[1]
        return all(_kind(other, second) not in ("t", "") for other in data)
    if set(below.shape.kinds) == {"t"}:
        return distinct and (len(data) > 1 or len(row.texts) > 2)
    return True


def _unlike(row: SheetRow, below: SheetRow) -> bool:
    """Periods are titles where what stands below them is something else."""
    for column, kind, text in zip(row.shape.columns, row.shape.kinds, row.texts, strict=True):
        other = _kind(below, column)
        if kind == "d" and other == "d":
            return False
        if kind == "n" and _PERIOD.fullmatch(_text(below, column)):
            return False
        if kind == "t" and text.lower() in _NO_TITLE:
            return False
    return True


def _interrupts(before: SheetRow, row: SheetRow, below: SheetRow) -> bool:
    """A header inside a run of rows: only texts, all different, between rows with numbers."""
    if len(row.texts) < 3 and not row.shape.bold:
        return False
    if set(row.shape.kinds) != {"t"} or len(set(row.texts)) < len(row.texts):
        return False
    if any(text.lower() in _NO_TITLE for text in row.texts):
        return False
    numbers_above = any(_kind(before, column) in ("n", "d") for column in row.shape.columns)
    numbers_below = any(_kind(below, column) in ("n", "d") for column in row.shape.columns)
    return numbers_below and (numbers_above or row.shape.bold)


def _kind(row: SheetRow, column: int) -> str:
    for known, kind in zip(row.shape.columns, row.shape.kinds, strict=True):
        if known == column:
            return kind
    return ""


def _text(row: SheetRow, column: int) -> str:
    for known, text in zip(row.shape.columns, row.texts, strict=True):
        if known == column:
            return text
    return ""
