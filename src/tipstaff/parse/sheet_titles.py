"""Whether one row of a sheet can name, and does name, the columns of the rows below it."""

from __future__ import annotations

import re

from tipstaff.parse.sheet_row import SheetRow

_LONGEST_TITLE = 120
_NO_TITLE = frozenset(
    {"", "-", "–", "—", "n/a", "na", "n.a.", "tbd", "none", "x", "yes", "no", "?"}
)
_PERIOD = re.compile(r"(?:19|20)\d\d")


def could_be_titles(row: SheetRow) -> bool:
    """Short texts, or periods (2024, a date) beside texts."""
    kinds = row.shape.kinds
    if any(len(text) > _LONGEST_TITLE for text in row.texts):
        return False
    if set(kinds) == {"t"}:
        return True
    return set(kinds) <= {"t", "n", "d"} and all(
        kind != "n" or _PERIOD.fullmatch(text) for kind, text in zip(kinds, row.texts, strict=True)
    )


def stands_over(row: SheetRow, data: list[SheetRow], *, eager: bool) -> bool:
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
    if _answers(row, below):
        return False
    if eager or (row.shape.bold and not below.shape.bold):
        return True
    distinct = len(set(row.texts)) == len(row.texts)
    if len(row.texts) == 2:
        # "Name | Ada" over "Age | 36" is a form; a table has data in its second column.
        second = row.shape.columns[1]
        return all(kind_at(other, second) not in ("t", "") for other in data)
    if set(below.shape.kinds) == {"t"}:
        return distinct and (len(data) > 1 or len(row.texts) > 2)
    return True


def _unlike(row: SheetRow, below: SheetRow) -> bool:
    """Periods are titles where what stands below them is something else."""
    for column, kind, text in zip(row.shape.columns, row.shape.kinds, row.texts, strict=True):
        other = kind_at(below, column)
        if kind == "d" and other == "d":
            return False
        if kind == "n" and _PERIOD.fullmatch(_text_at(below, column)):
            return False
        if kind == "t" and _is_answer(text, other):
            return False
    return True


def _answers(row: SheetRow, below: SheetRow) -> bool:
    return any(
        _is_answer(text, kind_at(below, column))
        for column, text in zip(row.shape.columns, row.texts, strict=True)
    )


def _is_answer(text: str, kind_below: str) -> bool:
    """ "No" is no title, unless it stands over numbers: then it is short for one."""
    return text.lower() in _NO_TITLE and not (text.lower() == "no" and kind_below == "n")


def interrupts(before: SheetRow, row: SheetRow, below: SheetRow) -> bool:
    """A header inside a run of rows: only texts, all different, between rows with numbers."""
    if len(row.texts) < 3 and not row.shape.bold:
        return False
    if set(row.shape.kinds) != {"t"} or len(set(row.texts)) < len(row.texts):
        return False
    if _answers(row, below):
        return False
    numbers_above = any(kind_at(before, column) in ("n", "d") for column in row.shape.columns)
    numbers_below = any(kind_at(below, column) in ("n", "d") for column in row.shape.columns)
    return numbers_below and (numbers_above or row.shape.bold)


def kind_at(row: SheetRow, column: int) -> str:
    for known, kind in zip(row.shape.columns, row.shape.kinds, strict=True):
        if known == column:
            return kind
    return ""


def _text_at(row: SheetRow, column: int) -> str:
    for known, text in zip(row.shape.columns, row.texts, strict=True):
        if known == column:
            return text
    return ""
