"""Formulas as readers know them: with their `=`, and written out where cells share one."""

from __future__ import annotations

import re
from collections.abc import Mapping

from tipstaff.domain.location import Cell, column_letters, column_number
from tipstaff.parse.xlsx_package import unescaped

_REFERENCE = re.compile(
    r"""("[^"]*"|'[^']*')|(?<![\w.$])(\$?)([A-Z]{1,3})(\$?)(\d{1,7})(?![\w(.!])"""
)
_WHOLE = re.compile(r"(?<![\w.])\$?(?:[A-Z]{1,3}:\$?[A-Z]{1,3}|\d+:\$?\d+)(?![\w(.])")
_NEWER_FUNCTION = re.compile(r"_xl(?:fn|ws|pm|udf)\.")


class SharedFormulas:
    """Formulas that one cell defines and others repeat, by their number in the sheet."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[Cell, str]] = {}

    def formula(self, cell: Cell, attributes: Mapping[str, str], text: str) -> str | None:
        """The formula of a cell, or None where it cannot be told."""
        shared = attributes.get("si") if attributes.get("t") == "shared" else None
        if text:
            if shared is not None:
                self._known[shared] = (cell, text)
            return readable(text)
        if shared is None or shared not in self._known:
            return None
        origin, text = self._known[shared]
        return _moved(readable(text), cell.column - origin.column, cell.row - origin.row)


def readable(text: str) -> str:
    if "&" not in text and "_x" not in text:
        return "=" + text.strip()
    text = unescaped(text).strip()
    return "=" + (_NEWER_FUNCTION.sub("", text) if "_xl" in text else text)


def _moved(text: str, columns: int, rows: int) -> str | None:
    """A formula as it reads so many cells away; None where whole rows or columns would move."""

    def moved(match: re.Match[str]) -> str:
        if match[1]:
            return match[1]
        column = column_number(match[3]) + (0 if match[2] else columns)
        row = int(match[5]) + (0 if match[4] else rows)
        if column < 1 or row < 1:
            return "#REF!"
        return f"{match[2]}{column_letters(column)}{match[4]}{row}"

    return None if _WHOLE.search(text) else _REFERENCE.sub(moved, text)
