"""Days and times of day that a text names, as points in time that can be reckoned with.

A day without its year and a time without its day are kept so: who reckons must know the rest.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta

from tipstaff.facts.months import MONTHS

_MONTH = "|".join(f"{name}|{name[:3]}" for name in MONTHS) + "|sept"
_ISO = re.compile(
    r"\b(?P<year>(?:19|20)\d{2})-(?P<month>0[1-9]|1[0-2])-(?P<day>0[1-9]|[12]\d|3[01])"
    r"(?:[T ](?P<hour>[01]\d|2[0-3]):(?P<minute>[0-5]\d)(?::[0-5]\d)?Z?)?(?!\d)"
)
_DAY_FIRST = re.compile(
    rf"\b(?P<day>[12]?\d|3[01])(?:st|nd|rd|th)?\s+(?:of\s+)?(?P<month>{_MONTH})\b\.?"
    r"(?:,?\s+(?P<year>(?:19|20)\d{2})\b)?(?:,?\s+(?:at\s+)?(?P<hour>[01]?\d|2[0-3]):"
    r"(?P<minute>[0-5]\d)\b)?",
    re.IGNORECASE,
)
_MONTH_FIRST = re.compile(
    rf"\b(?P<month>{_MONTH})\.?\s+(?P<day>[12]?\d|3[01])(?:st|nd|rd|th)?\b(?!\s?[:.]\d)"
    r"(?:,?\s+(?P<year>(?:19|20)\d{2})\b)?(?:,?\s+(?:at\s+)?(?P<hour>[01]?\d|2[0-3]):"
    r"(?P<minute>[0-5]\d)\b)?",
    re.IGNORECASE,
)
_CLOCK = re.compile(r"(?<![\d:.T-])(?P<hour>[01]?\d|2[0-3]):(?P<minute>[0-5]\d)(?![\d:%])")
_NO_DAY = (0, 0)


@dataclass(frozen=True, slots=True)
class Moment:
    """`day` is month and day, (0, 0) where only a time of day is named; `year` 0 where none is."""

    text: str
    start: int
    end: int
    day: tuple[int, int] = _NO_DAY
    year: int = 0
    clock: tuple[int, int] | None = None

    @property
    def is_day(self) -> bool:
        return self.day != _NO_DAY

    def is_in(self, others: Iterable[Moment]) -> bool:
        """Whether somebody names this moment, perhaps with less or more of it."""
        return any(self._agrees_with(one) for one in others)

    def _agrees_with(self, other: Moment) -> bool:
        if self.is_day and (
            self.day != other.day or (self.year and other.year and self.year != other.year)
        ):
            return False
        return self.clock is None or self.clock == other.clock

    def with_year_of(self, others: Iterable[Moment]) -> Moment:
        """With the year that the same day has elsewhere, if it has one there."""
        if self.year or not self.is_day:
            return self
        years = {one.year for one in others if one.day == self.day and one.year}
        return replace(self, year=years.pop()) if len(years) == 1 else self


def moments(text: str) -> list[Moment]:
    """In their order. What is no day of any calendar is none here."""
    found: list[Moment] = []
    for pattern in (_ISO, _DAY_FIRST, _MONTH_FIRST, _CLOCK):
        for match in pattern.finditer(text):
            if any(one.start < match.end() and match.start() < one.end for one in found):
                continue
            one = _moment(match)
            if not one.is_day or _exists(one):
                found.append(one)
    return sorted(found, key=lambda one: one.start)


def _moment(match: re.Match[str]) -> Moment:
    parts = match.groupdict()
    clock = (int(parts["hour"]), int(parts["minute"])) if parts["hour"] else None
    text, start, end = match.group().rstrip(" .,"), match.start(), match.end()
    if "month" not in parts:
        return Moment(text, start, end, clock=clock)
    day = (_number_of(parts["month"]), int(parts["day"]))
    return Moment(text, start, end, day, int(parts["year"] or 0), clock)


def _number_of(month: str) -> int:
    if month.isdigit():
        return int(month)
    return next(at for at, name in enumerate(MONTHS, 1) if name.startswith(month[:3].lower()))


def _exists(one: Moment) -> bool:
    try:
        date(one.year or 2024, *one.day)
    except ValueError:
        return False
    return True


def between(first: Moment, second: Moment) -> timedelta | None:
    """From the first to the second; None where it cannot be told. Without years both are taken to
    be of one, unless it matters whether that is a leap year."""
    if first.is_day != second.is_day or (first.clock is None) != (second.clock is None):
        return None
    year, other = first.year, second.year
    if not first.is_day:
        year = other = 1
    elif not year and not other:
        if first.day <= (2, 29) <= second.day or second.day <= (2, 29) <= first.day:
            return None
        year = other = 2023
    elif not year or not other:
        year = other = year or other
    return _point(second, other) - _point(first, year)


def _point(one: Moment, year: int) -> datetime:
    month, day = one.day if one.is_day else (1, 1)
    try:
        return datetime(year, month, day, *(one.clock or (0, 0)), tzinfo=UTC)
    except ValueError:
        # 29 February of another year.
        return datetime(year, month, day - 1, *(one.clock or (0, 0)), tzinfo=UTC)
