"""Which rows of a sheet are headers: the nearest row above that names what stands below it.

Rows come in as they are read and go out in the same order, each told whether it is a label
(a header or a title) itself. `titles` holds the header of each column for all other rows. A
table may begin anywhere, several may stand below each other, and a header may take two rows.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping

from tipstaff.parse.sheet_row import MergedCells, SheetRow
from tipstaff.parse.sheet_run import RowRun, SheetPiece
from tipstaff.parse.sheet_titles import could_be_titles, interrupts, kind_at, stands_over

_AHEAD = 6
_NONE: Mapping[int, str] = {}

# A row, or rows of one table that belong together, and the title of each column.
TitledPiece = tuple[SheetPiece, Mapping[int, str]]


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
        """Each row, and whether it is a label."""
        for row in rows:
            for ready in self._judged_after(row):
                yield ready, self._is_label(ready)
        for ready in self._rest():
            yield ready, self._is_label(ready)

    def titled(self, piece: SheetPiece) -> Iterator[TitledPiece]:
        """What can be judged once this piece is known; labels have no titles. Rows that say
        the same of the table as the rows before them stay together."""
        if isinstance(piece, SheetRow):
            yield from self._with_titles(self._judged_after(piece))
            return
        if not self._goes_without_saying(piece):
            for row in piece.part(0, _AHEAD + 1).rows():
                yield from self._with_titles(self._judged_after(row))
            piece = piece.part(_AHEAD + 1)
            if len(piece) and not self._goes_without_saying(piece):
                for row in piece.rows():
                    yield from self._with_titles(self._judged_after(row))
                return
        if len(piece):
            yield from self._with_titles(self._rest())
            self._before = piece.row(len(piece) - 1)
            self._remember(self._before)
            yield piece, self.titles

    def titled_rest(self) -> Iterator[TitledPiece]:
        return self._with_titles(self._rest())

    def _with_titles(self, rows: Iterator[SheetRow]) -> Iterator[TitledPiece]:
        for row in rows:
            yield row, _NONE if self._is_label(row) else self.titles

    def _judged_after(self, row: SheetRow) -> Iterator[SheetRow]:
        """Rows that can be judged now that this one is known: enough of them are ahead."""
        self._ahead.append(row)
        if len(self._ahead) > _AHEAD:
            yield self._ahead.popleft()

    def _rest(self) -> Iterator[SheetRow]:
        while self._ahead:
            yield self._ahead.popleft()

    def _goes_without_saying(self, run: RowRun) -> bool:
        """Whether no row of a run, nor any that waits before it, can be a label: a table with
        numbers goes on without a blank row."""
        return (
            self._before is not None
            and self._before.number + len(self._ahead) + 1 == run.first
            and self._belongs
            and not (self._fresh or self._labels_to_come)
            and "n" in run.shape.kinds
            and all(row.shape is run.shape for row in self._ahead)
        )

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
        if self._belongs:
            self._remember(row)
        return not self._belongs

    def _remember(self, row: SheetRow) -> None:
        if self._typical is None or len(row.texts) >= len(self._typical.texts):
            self._typical = row

    def _goes_on(self, row: SheetRow) -> bool:
        """Whether a row behind a blank one still belongs to the table above: its cells are of
        the same kinds as theirs. A single text is a remark."""
        if row.shape.kinds == "t":
            return False
        if self._eager or self._typical is None:
            return True
        return all(
            kind_at(self._typical, column) in ("", "e", kind)
            for column, kind in zip(row.shape.columns, row.shape.kinds, strict=True)
        )

    def _header_rows(self, row: SheetRow, before: SheetRow | None) -> int:
        """How many rows the header that begins here takes; 0 where none does."""
        below = self._below(row)
        if below is None or not could_be_titles(row):
            return 0
        if len(row.texts) == 1:
            return int(self._fresh and self._is_column_title(row))
        if not self._fresh:
            return int(before is not None and interrupts(before, row, below))
        if self._groups(row, below):
            return 2
        data = [other for other in self._rows_below(row) if len(other.texts) > 1]
        return int(stands_over(row, data, eager=self._eager and not self.titles))

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
        if below.number != row.number + 1 or not could_be_titles(below) or len(self._ahead) < 2:
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
