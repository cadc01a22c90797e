"""Rows of a worksheet that repeat, read many at once: one search finds every value of a
stretch of markup, and each column is shown as a whole.

What is found is a run of rows or nothing: then the stretch is for reading row by row.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tipstaff.parse.number_columns import once_each
from tipstaff.parse.sheet_run import RowRun
from tipstaff.parse.xlsx_formula import readable
from tipstaff.parse.xlsx_row_plan import Plan, RepeatedRow

_END_OF_ROW = "</row>"
_SHORTEST, _LONGEST = 1 << 14, 1 << 18


class Stretches:
    """Markup cut behind the ends of rows. Stretches grow while they are read as runs, and are
    short again where one was not, so that little is read in vain."""

    def __init__(self, markup: str, data: slice) -> None:
        self._markup, self._start, self._end = markup, data.start, data.stop
        self._length = _SHORTEST

    def __iter__(self) -> Iterator[str]:
        while self._start < self._end:
            stop = self._next()
            stretch = self._markup[self._start : stop]
            self._start = stop
            yield stretch

    def was_run(self, is_run: bool) -> None:
        self._length = min(self._length * 2, _LONGEST) if is_run else _SHORTEST

    def _next(self) -> int:
        aim = self._start + self._length
        found = self._markup.rfind(_END_OF_ROW, self._start, min(aim, self._end))
        if found < 0:
            found = self._markup.find(_END_OF_ROW, self._start, self._end)
        return self._end if found < 0 else found + len(_END_OF_ROW)


def read_run(like: RepeatedRow, stretch: str, *, after: int) -> RowRun | None:
    """The rows of a stretch, where all of them look like `like` and the first follows the row
    numbered `after`."""
    plan, pattern = like.plan, like.run_pattern
    if plan is None or pattern is None or not plan.orderly or "hidden" in stretch:
        return None
    found = pattern.findall(stretch)
    # A search passes over what is not like it; then there are more rows than it has found.
    if not found or len(found) != stretch.count("<row"):
        return None
    numbers, *groups = zip(*found, strict=True)
    if list(map(int, numbers)) != list(range(after + 1, after + 1 + len(found))):
        return None
    raws = [groups[group] for group in like.values]
    texts = [show(column) for show, column in zip(plan.columns, raws, strict=True)]
    # What is shown as it is stored is not empty: the pattern asks for something in each cell.
    if any("" in column for column, raw in zip(texts, raws, strict=True) if column is not raw):
        return None
    return RowRun(
        first=after + 1,
        shape=plan.shape,
        texts=texts,
        stored=_stored(plan, texts, raws),
        formulas={index: _readable(groups[group]) for index, group in like.formulas},
        concealed=plan.concealed,
    )


def _stored(
    plan: Plan, texts: Sequence[Sequence[str]], raws: Sequence[Sequence[str]]
) -> dict[int, Sequence[str]]:
    stored = {index: raws[index] for index in plan.numbers if raws[index] is not texts[index]}
    for index, value_of in plan.dates:
        stored[index] = [value_of(raw) for raw in raws[index]]
    return stored


def _readable(formulas: Sequence[str]) -> Sequence[str]:
    together = "\n".join(formulas)
    if "&" in together or "_x" in together:
        return once_each(lambda some: list(map(readable, some)), formulas)
    return list(map("=".__add__, map(str.strip, formulas)))
