"""How to show the cells of a row, worked out once for all rows that look the same."""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from tipstaff.domain.location import column_number
from tipstaff.parse.number_columns import show_column
from tipstaff.parse.number_format import NumberFormat
from tipstaff.parse.sheet_row import RowShape, one_line
from tipstaff.parse.workbook_styles import WorkbookStyles
from tipstaff.parse.xlsx_package import unescaped

LAST_COLUMN = 16_384

_ATTRIBUTE = re.compile(r"""([\w:]+)\s*=\s*(?:"([^"]*)"|'([^']*)')""")

ShowColumn = Callable[[Sequence[str]], Sequence[str]]

_KINDS = {"s": "t", "str": "t", "inlineStr": "t", "b": "b", "e": "e", "d": "d"}


class Strings(dict[str, str]):
    """Texts by what cells write for them; what is not known shows nothing."""

    def __missing__(self, key: str) -> str:
        return ""


_BOOLEANS = Strings({"0": "FALSE", "1": "TRUE", "false": "FALSE", "true": "TRUE"})


@dataclass(frozen=True, slots=True)
class Plan:
    """How to show the cells of rows that have the same columns and styles."""

    shape: RowShape
    shows: Sequence[Callable[[str], str]]
    columns: Sequence[ShowColumn]  # the same for all cells of a column at once
    numbers: Sequence[int]  # positions of cells whose stored value may differ from the text
    dates: Sequence[tuple[int, Callable[[str], str]]]  # the same, and how to write the value
    concealed: Mapping[int, str] | None
    orderly: bool  # columns rise, within the sheet


class Planner:
    """Plans by columns and attributes of the cells, as the file writes them."""

    def __init__(self, strings: Strings, styles: WorkbookStyles) -> None:
        self._strings = strings
        self._styles = styles
        self._plans: dict[tuple[tuple[str, ...], tuple[str, ...]], Plan] = {}

    def plan(self, columns: tuple[str, ...], attributes: tuple[str, ...]) -> Plan:
        plan = self._plans.get((columns, attributes))
        if plan is None:
            plan = self._plans[columns, attributes] = self._make_plan(columns, attributes)
        return plan

    def _make_plan(self, columns: tuple[str, ...], attributes: tuple[str, ...]) -> Plan:
        shows: list[Callable[[str], str]] = []
        shows_columns: list[ShowColumn] = []
        numbers_at: list[int] = []
        dates: list[tuple[int, Callable[[str], str]]] = []
        concealed = {}
        kinds, bold = "", True
        for index, text in enumerate(attributes):
            found = attributes_of(text)
            kind = found.get("t", "n")
            number = found.get("s", "0")
            style = self._styles[int(number) if number.isdigit() else 0]
            if kind == "n" and style.number_format.is_date:
                dates.append((index, lru_cache(4096)(style.number_format.stored)))
            elif kind == "n":
                numbers_at.append(index)
            shows.append(self._show(kind, style.number_format.show, style.number_format.show_text))
            is_number = kind not in _KINDS
            shows_columns.append(_column(shows[-1], style.number_format if is_number else None))
            if style.concealed:
                concealed[index] = style.concealed
            kinds += _KINDS.get(kind, "d" if style.number_format.is_date else "n")
            bold = bold and style.bold
        numbers = column_numbers(columns, attributes)
        orderly = numbers == sorted(set(numbers)) and numbers[-1] <= LAST_COLUMN
        shape = RowShape(array("i", numbers), kinds, bold)
        return Plan(shape, shows, shows_columns, numbers_at, dates, concealed or None, orderly)

    def _show(
        self, kind: str, number: Callable[[str], str], text: Callable[[str], str]
    ) -> Callable[[str], str]:
        if kind == "s":
            # Almost no style changes text; those that do keep what they would swallow.
            if text("x") == "x":
                return self._strings.__getitem__
            return lambda raw: one_line(text(self._strings[raw]))
        if kind in ("str", "inlineStr"):
            return lambda raw: one_line(text(unescaped(raw)))
        if kind == "b":
            return _BOOLEANS.__getitem__
        return unescaped if kind in ("e", "d") else number


def _column(show: Callable[[str], str], number_format: NumberFormat | None) -> ShowColumn:
    if number_format is not None:
        return lambda raws: show_column(number_format, raws)
    return lambda raws: list(map(show, raws))


class RepeatedRow:
    """The pattern of a whole row, once enough rows in a run have looked the same."""

    _ENOUGH = 8
    _MOST_CELLS = 200
    _MOST_PATTERNS = 100  # compiling one takes a millisecond

    def __init__(self) -> None:
        self.pattern: re.Pattern[str] | None = None
        self.plan: Plan | None = None
        self.formulas: list[tuple[int, int]] = []  # position of the cell, group of the match
        self.values: list[int] = []  # groups
        self._last: tuple[Plan, tuple[bool, ...]] | None = None
        self._alike = 0
        self._patterns = 0
        self._run: tuple[str, ...] = ()
        self._run_pattern: re.Pattern[str] | None = None

    def learn(
        self,
        plan: Plan,
        columns: Sequence[str],
        attributes: Sequence[str],
        has_formula: tuple[bool, ...],
    ) -> None:
        if self._last is None or self._last[0] is not plan or self._last[1] != has_formula:
            self._last, self._alike = (plan, has_formula), 0
        self._alike += 1
        if (
            self._alike != self._ENOUGH
            or not all(columns)
            or len(columns) > self._MOST_CELLS
            or self._patterns >= self._MOST_PATTERNS
        ):
            return
        self._patterns += 1
        self.plan, self.formulas, self.values = plan, [], []
        cells, group = [], 0
        for index, (letters, text) in enumerate(zip(columns, attributes, strict=True)):
            formula = ""
            if has_formula[index]:
                formula = "<f>([^<]++)</f>"
                self.formulas.append((index, group))
                group += 1
            cells.append((f'<c r="{letters}', f'"{re.escape(text)}>{formula}<v>([^<]++)</v></c>'))
            self.values.append(group)
            group += 1
        self.pattern = re.compile("".join(f"{head}[0-9]++{tail}" for head, tail in cells))
        # Its first group is the row's number, which every cell must repeat.
        self._run = '<row r="([0-9]{1,7}+)"[^>]*+>', *(rf"{head}\1{tail}" for head, tail in cells)
        self._run_pattern = None

    @property
    def run_pattern(self) -> re.Pattern[str] | None:
        """The same row with its own tags; compiled when it is first of use."""
        if self._run_pattern is None and self.pattern is not None:
            self._run_pattern = re.compile("".join((*self._run, "</row>")))
        return self._run_pattern


def attributes_of(text: str) -> dict[str, str]:
    return {name: double or single for name, double, single in _ATTRIBUTE.findall(text)}


def column_numbers(
    columns: tuple[str, ...] | list[str], attributes: tuple[str, ...] | list[str]
) -> list[int]:
    """A cell that does not name its column follows the one before it."""
    numbers: list[int] = []
    for letters, text in zip(columns, attributes, strict=True):
        if not letters and " r=" in text:
            named = re.match(r"[A-Za-z]{1,3}", attributes_of(text).get("r", ""))
            letters = named[0] if named else ""
        previous = numbers[-1] if numbers else 0
        numbers.append(column_number(letters) if letters else previous + 1)
    return numbers
