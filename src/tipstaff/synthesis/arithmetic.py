"""Arithmetic done again: a figure of the synthesis that stands nowhere, from figures that do.

The fewer digits a figure has and the more figures there are to combine, the likelier is a match by
chance; so the room is narrow, and narrower for short figures.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator, Sequence
from datetime import date
from decimal import Decimal
from itertools import combinations, permutations

from tipstaff.facts.months import MONTHS
from tipstaff.facts.periods import outside_dates, periods
from tipstaff.facts.quantities import Measure, Quantity, quantities

# Figures that are combined at most, for a figure of so many digits at least.
_ROOM = ((4, 16), (3, 10), (2, 5), (1, 3))
_SUMMED = (2, 3, 4)
_LEAST_DIGITS = 3
_ABOUT = re.compile(
    r"\b(?:about|around|roughly|nearly|almost|approximately|some|close to|over|less than|"
    r"more than|at least)\s*$|~\s*$",
    re.IGNORECASE,
)
_ISO_DAY = re.compile(r"\b((?:19|20)\d{2})-(\d{2})-(\d{2})\b")
_NAMED_DAY = re.compile(
    rf"\b(\d{{1,2}}) ({'|'.join(MONTHS)})(?: ((?:19|20)\d{{2}}))?\b", re.IGNORECASE
)
_YEAR = re.compile(r"\b(?:19|20)\d{2}\b")
_MINUTES = {"minute": 1, "hour": 60, "day": 1440, "week": 10080}
_HUNDRED = Decimal(100)
# Shares are added up, or set off, only where that is said.
_OF_SHARES = re.compile(
    r"\b(?:points?|together|combined|total|in all|sum|rest|remain\w*|difference)\b", re.IGNORECASE
)


def recomputed(figure: Quantity, said: str, basis: Sequence[str], *, is_table: bool = False) -> str:
    """How a figure follows from those of the basis, or nothing: "18,200 plus 5.5% = 19,201". In a
    table money is often a plain number."""
    if figure.measure is Measure.DURATION and (told := _span(figure, said, basis)):
        return told
    known = _known(figure, basis, repeats=is_table)
    if not known:
        return ""
    for value, told in _results(figure, said, known, is_table=is_table):
        if agrees(value, figure, said):
            return f"{told} = {figure.text}"
    return ""


def counted(figure: Quantity, rows: int) -> str:
    """A count of what is cited: five milestones are five rows."""
    if figure.measure is Measure.NUMBER and figure.value == rows and rows > 1:
        return f"{rows} are listed there"
    return ""


def _known(figure: Quantity, basis: Sequence[str], *, repeats: bool) -> list[Quantity]:
    """The figures to combine, and not so many that anything would match. Two rows may have the
    same amount; two sentences with one figure mean one thing."""
    found = [
        one
        for text in dict.fromkeys(basis)
        for one in outside_dates(quantities(text), text)
        if one.value != figure.value and one.value and not _is_year(one) and not _is_code(one)
    ]
    if not repeats:
        found = list({(abs(one.value), one.measure): one for one in reversed(found)}.values())[::-1]
    room = next((most for digits, most in _ROOM if figure.digits >= digits), 0)
    return found if len(found) <= room else []


def _results(
    figure: Quantity, said: str, known: Sequence[Quantity], *, is_table: bool
) -> Iterator[tuple[Decimal, str]]:
    shares = [one for one in known if one.measure is Measure.PERCENT]
    plain = [one for one in known if one.measure is not Measure.PERCENT]
    if figure.measure is Measure.PERCENT:
        if _OF_SHARES.search(said):
            yield from _sums(shares)
        for one, other in permutations(plain, 2):
            yield (
                abs(one.value - other.value) / abs(other.value) * _HUNDRED,
                f"{other.text} to {one.text}",
            )
            yield abs(one.value) / abs(other.value) * _HUNDRED, f"{one.text} of {other.text}"
        return
    yield from _sums([one for one in plain if _alike(one, figure, is_table=is_table)])
    for one in plain:
        for share in shares:
            part = one.value * share.value / _HUNDRED
            yield part, f"{share.text} of {one.text}"
            yield one.value + part, f"{one.text} plus {share.text}"
            yield one.value - part, f"{one.text} less {share.text}"
            if share.value:
                yield one.value / share.value * _HUNDRED, f"{one.text} by {share.text}"
    if figure.measure is Measure.NUMBER and figure.digits < _LEAST_DIGITS:
        # Any two counts make some other.
        return
    for one, other in permutations(plain, 2):
        yield one.value * other.value, f"{one.text} times {other.text}"
        yield one.value / other.value, f"{one.text} by {other.text}"


def _sums(known: Sequence[Quantity]) -> Iterator[tuple[Decimal, str]]:
    for one, other in permutations(known, 2):
        yield one.value - other.value, f"{one.text} less {other.text}"
    for count in dict.fromkeys((*_SUMMED, len(known))):
        if count > 1:
            for some in combinations(known, count):
                told = " + ".join(one.text for one in some)
                yield sum((one.value for one in some), Decimal(0)), told


def _alike(one: Quantity, other: Quantity, *, is_table: bool) -> bool:
    """What can be added up: attempts and accounts are no euros."""
    if one.measure is other.measure:
        return one.measure is not Measure.MONEY or one.unit == other.unit
    return is_table and Measure.NUMBER in (one.measure, other.measure)


def agrees(value: Decimal, figure: Quantity, said: str) -> bool:
    """Equal, as exactly as it is written; "about" is no more exact than two digits."""
    if value == figure.value:
        return True
    if not figure.digits or not figure.value:
        return False
    digits = figure.digits
    if _ABOUT.search(said[: figure.start]):
        digits = min(digits, 2)
    step = Decimal(10) ** (figure.value.copy_abs().adjusted() - digits + 1)
    return abs(value - figure.value) <= step / 2


def _span(figure: Quantity, said: str, basis: Sequence[str]) -> str:
    """A duration between two times of day, or between two dates."""
    minutes = figure.value * _MINUTES.get(figure.unit, 0)
    if not minutes:
        return ""
    clock = sorted(
        {
            (int(mark[1:3]) * 60 + int(mark[4:6]), mark[1:])
            for text in basis
            for mark in periods(text)
            if mark[0] == "t"
        }
    )
    for (one, from_), (other, to) in combinations(clock[:12], 2):
        if other - one == minutes:
            return f"{from_} to {to} = {figure.text}"
    days = sorted({day for text in basis for day in _days(text)})
    slack = 1440 if _ABOUT.search(said[: figure.start]) else 0
    for first, second in combinations(days[:12], 2):
        if abs((second - first).days * 1440 - minutes) <= slack:
            return f"{first} to {second} = {figure.text}"
    return ""


def _days(text: str) -> Iterator[date]:
    """Dates with their year; one without has that of the text, where it names only one."""
    years = set(_YEAR.findall(text))
    found = [(year, int(month), int(day)) for year, month, day in _ISO_DAY.findall(text)]
    for day, month, year in _NAMED_DAY.findall(text):
        known = year or (next(iter(years)) if len(years) == 1 else "")
        if known:
            found.append((known, MONTHS.index(month.lower()) + 1, int(day)))
    for known, number, day in found:
        with contextlib.suppress(ValueError):
            yield date(int(known), number, day)


def _is_code(figure: Quantity) -> bool:
    return bool(re.match(r"0\d", figure.text))


def _is_year(figure: Quantity) -> bool:
    return figure.measure is Measure.NUMBER and 1900 <= figure.value <= 2100 and figure.digits <= 4
