"""Spreadsheet number formats: a format code and a stored number to what a reader sees.

`0.25` under `0%` is "25%"; `-3` under `#,##0_);(#,##0)` is "(3)". A code that makes no sense
shows the number as stored. Rounding is to 15 digits and away from zero, as spreadsheets do.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache

from tipstaff.parse.date_format import Piece, date_parts, date_renderer, iso
from tipstaff.parse.number_pattern import Render, general, number_renderer, simple_pattern

_ACCOUNTING = '_({0}* #,##0{1}_);_({0}* \\(#,##0{1}\\);_({0}* "-"_);_(@_)'

# Formats that files name by number. Those that follow the reader's locale (14, 22, 27…) are
# shown in the one order that nobody misreads.
BUILT_IN: dict[int, str] = {
    0: "General", 1: "0", 2: "0.00", 3: "#,##0", 4: "#,##0.00",
    5: "$#,##0_);($#,##0)", 6: "$#,##0_);($#,##0)",
    7: "$#,##0.00_);($#,##0.00)", 8: "$#,##0.00_);($#,##0.00)",
    9: "0%", 10: "0.00%", 11: "0.00E+00", 12: "# ?/?", 13: "# ??/??",
    14: "yyyy-mm-dd", 15: "d-mmm-yy", 16: "d-mmm", 17: "mmm-yy",
    18: "h:mm AM/PM", 19: "h:mm:ss AM/PM", 20: "h:mm", 21: "h:mm:ss", 22: "yyyy-mm-dd h:mm",
    37: "#,##0_);(#,##0)", 38: "#,##0_);(#,##0)",
    39: "#,##0.00_);(#,##0.00)", 40: "#,##0.00_);(#,##0.00)",
    41: _ACCOUNTING.format("", ""), 42: _ACCOUNTING.format("$", ""),
    43: _ACCOUNTING.format("", ".00"), 44: _ACCOUNTING.format("$", ".00"),
    45: "mm:ss", 46: "[h]:mm:ss", 47: "mm:ss.0", 48: "##0.0E+0", 49: "@",
    **dict.fromkeys([*range(27, 37), *range(50, 59)], "yyyy-mm-dd"),
}  # fmt: skip

_LONGEST_CODE = 255  # what spreadsheet programs accept

_TOKEN = re.compile(
    r'"(?P<quoted>[^"]*)"?|\\(?P<escaped>.)|_(?P<space>.)|\*(?P<fill>.)|\[(?P<bracket>[^\]]*)\]'
    r"|(?P<general>General)|(?P<scientific>[eE][+-]0+)|(?P<noon>AM/PM|A/P)|(?P<end>;)|(?P<char>.)",
    re.IGNORECASE | re.DOTALL,
)
_CONDITION = re.compile(r"(<=|>=|<>|<|>|=)(-?\d+(?:\.\d+)?)")
_DATE_LETTERS = frozenset("ymdhs")
_TESTS: dict[str, Callable[[float, float], bool]] = {
    "<": float.__lt__, ">": float.__gt__, "<=": float.__le__,
    ">=": float.__ge__, "=": float.__eq__, "<>": float.__ne__,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Section:
    """One of the up to four parts of a code: pieces of text and of pattern, in order."""

    pieces: tuple[Piece, ...]
    condition: tuple[str, float] | None
    is_date: bool


class NumberFormat:
    """One format code. `show` takes a stored number as the file writes it."""

    def __init__(self, code: str, *, from_1904: bool = False) -> None:
        self.from_1904 = from_1904
        code = code if len(code) <= _LONGEST_CODE else "General"
        self._sections = _sections(code)[:4]
        self.is_date = any(section.is_date for section in self._sections[:3])
        self._is_elapsed = any(
            kind == "elapsed" for section in self._sections for kind, _ in section.pieces
        )
        self.is_general = code.strip().lower() in ("general", "", "@")

    @cached_property
    def show(self) -> Callable[[str], str]:
        """From stored text to what a reader sees; the same text where it is no number."""
        if self.is_general:
            return _show_general
        render = self._render
        simple = self._simple()
        if simple is not None:
            return simple

        def show(raw: str) -> str:
            try:
                shown = render(float(raw))
            except (ValueError, OverflowError, ArithmeticError):
                return raw
            return _show_general(raw) if shown is None else shown.strip()

        # The same few thousand days come again and again.
        return lru_cache(maxsize=4096)(show) if self.is_date else show

    def show_text(self, text: str) -> str:
        """Text under the fourth section: `;;;` shows nothing of it."""
        if len(self._sections) < 4:
            return text
        return "".join(
            text if value == "@" else value
            for kind, value in self._sections[3].pieces
            if kind == "text" or value == "@"
        )

    def stored(self, raw: str) -> str:
        """The cached value, unformatted; a date as ISO 8601, since a serial tells nobody."""
        if self.is_date and not self._is_elapsed:
            try:
                return iso(float(raw), from_1904=self.from_1904) or raw
            except ValueError:
                return raw
        return raw

    @cached_property
    def _render(self) -> Render:
        sections = self._sections[:3]
        renders = [self._section_renderer(section) for section in sections]
        if any(section.condition for section in sections):
            return _by_condition(sections, renders)
        positive = renders[0]
        if len(renders) == 1:
            if sections[0].is_date:
                return positive
            return lambda x: positive(x) if x >= 0 else _negative(positive(-x))
        negative, zero = renders[1], renders[2] if len(renders) > 2 else positive
        return lambda x: positive(x) if x > 0 else negative(-x) if x < 0 else zero(x)

    @cached_property
    def simple_form(self) -> tuple[str, str, str, float] | None:
        """How numbers above zero (below a million million) are shown under the usual kind of
        format: text, a specification for `format`, text, and a factor."""
        section = self._sections[0]
        if self.is_general or section.is_date or any(one.condition for one in self._sections):
            return None
        return simple_pattern(section.pieces)

    def _simple(self) -> Callable[[str], str] | None:
        """The usual kind of format in one step: it is what most cells of most sheets are."""
        if self.simple_form is None:
            return None
        before, spec, after, factor = self.simple_form
        render = self._render

        def show(raw: str) -> str:
            try:
                number = float(raw)
            except ValueError:
                return raw
            if 0 < number < 1e12:
                return before + format(number * factor, spec) + after
            shown = render(number) if -1e300 < number < 1e300 else None
            return _show_general(raw) if shown is None else shown.strip()

        return show

    def _section_renderer(self, section: _Section) -> Render:
        if section.is_date:
            pieces = [
                part
                for kind, text in section.pieces
                for part in (date_parts(text) if kind == "pattern" else [(kind, text)])
            ]
            return date_renderer(pieces, from_1904=self.from_1904)
        return number_renderer(section.pieces)


def _show_general(raw: str) -> str:
    if raw.isdigit() and len(raw) < 16 and raw[0] != "0":
        return raw
    try:
        return general(raw)
    except (ValueError, OverflowError):
        return raw


def _sections(code: str) -> list[_Section]:
    sections: list[_Section] = []
    pieces: list[Piece] = []
    condition: tuple[str, float] | None = None
    for match in _TOKEN.finditer(code):
        kind, text = match.lastgroup or "char", match[match.lastgroup or 0]
        if kind == "end":
            sections.append(_section(pieces, condition))
            pieces, condition = [], None
        elif kind in ("quoted", "escaped"):
            pieces.append(("text", text))
        elif kind == "space":
            pieces.append(("text", " "))
        elif kind == "bracket":
            found = _CONDITION.fullmatch(text)
            if found:
                condition = (found[1], float(found[2]))
            pieces.extend(_bracket(text))
        elif kind != "fill":
            _add_pattern(pieces, text)
    return [*sections, _section(pieces, condition)]


def _bracket(text: str) -> list[Piece]:
    """`[$€-407]` is a currency sign, `[h]` hours in all; colours and locales show nothing."""
    if text.startswith("$"):
        symbol = text[1:].rpartition("-")[0] if "-" in text else text[1:]
        return [("text", symbol)] if symbol else []
    if text and set(text.lower()) in ({"h"}, {"m"}, {"s"}):
        return [("elapsed", text.lower())]
    return []


def _add_pattern(pieces: list[Piece], text: str) -> None:
    if pieces and pieces[-1][0] == "pattern":
        pieces[-1] = ("pattern", pieces[-1][1] + text)
    else:
        pieces.append(("pattern", text))


def _section(pieces: list[Piece], condition: tuple[str, float] | None) -> _Section:
    letters = "".join(text for kind, text in pieces if kind == "pattern").lower()
    is_date = any(kind == "elapsed" for kind, _ in pieces) or bool(
        _DATE_LETTERS & set(re.sub(r"general|e[+-]0+", "", letters))
    )
    if not is_date and letters.strip() == "@":
        pieces = [(kind, "@" if kind == "pattern" else text) for kind, text in pieces]
    return _Section(tuple(pieces), condition, is_date)


def _by_condition(sections: list[_Section], renders: list[Render]) -> Render:
    def render(number: float) -> str | None:
        for section, shown in zip(sections, renders, strict=True):
            if section.condition is None or _TESTS[section.condition[0]](
                number, section.condition[1]
            ):
                return _negative(shown(-number)) if number < 0 else shown(number)
        return None

    return render


def _negative(shown: str | None) -> str | None:
    """A minus sign, unless rounding left nothing: -0.001 under `0.0` is 0.0."""
    if shown is None or not any(character in "123456789" for character in shown):
        return shown
    return "-" + shown.lstrip()
