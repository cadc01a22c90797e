"""Days and times of day that a text names beyond doubt, as points in time to reckon with.

What can be read in two ways is no moment here: a time with am, pm or a zone in letters behind it,
"Mar 23", a year in two digits, "Section 4 May". A day without its year is kept so: who reckons must
know the rest.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta

from tipstaff.facts.months import MONTHS

# As they are written, with a capital: "may" is mostly a verb.
_MONTH = "|".join(f"{name.title()}|{name[:3].title()}" for name in MONTHS) + "|Sept"
_TIME = r"(?P<hour>[01]\d|2[0-3]):(?P<minute>[0-5]\d)(?::(?P<second>[0-5]\d))?"
_YEAR = r"(?P<year>1[89]\d{2}|20\d{2})"
_ISO = re.compile(
    rf"(?<![\w-]){_YEAR}-(?P<month>0[1-9]|1[0-2])-(?P<day>0[1-9]|[12]\d|3[01])"
    rf"(?:[T ]{_TIME}(?P<zone>Z|[+-]\d\d:?\d\d)?)?"
)
_DAY_FIRST = re.compile(
    rf"(?<![\w.,/-])(?P<day>0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th)?\s+(?:of\s+)?(?P<month>{_MONTH})\b"
    rf"\.?(?:,?\s+{_YEAR}\b)?(?:,?\s+(?:at\s+)?{_TIME})?"
)
_MONTH_FIRST = re.compile(
    rf"\b(?P<month>{_MONTH})\.?\s+(?P<day>0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th)?,?\s+{_YEAR}\b"
    rf"(?:,?\s+(?:at\s+)?{_TIME})?"
)
_CLOCK = re.compile(rf"(?<![\w:.,/+-]){_TIME}")
# Behind a time these make it another one; behind a day, figures are of its year.
_GOES_ON = re.compile(
    r"\s?(?:[ap]\.?\s?m\b|[+-]\d|\(|(?:UTC|GMT|BST|Z|[A-Z]{1,3}E?S?T|noon|midnight)\b|:?\d|[’']\d|%)|"
    r"[.,]\d|,?\s+[’']?\d",
    re.IGNORECASE | re.ASCII,
)
_NUMBERED = re.compile(
    r"\b(?:sections?|clauses?|articles?|paragraphs?|rules?|parts?|items?|pages?|no\.?|figures?|"
    r"tables?|schedules?|annex|chapters?)\s*$",
    re.IGNORECASE | re.ASCII,
)
_NO_DAY = (0, 0)
_LEAP_DAY = (2, 29)
_FORMS = (_ISO, _DAY_FIRST, _MONTH_FIRST, _CLOCK)


@dataclass(frozen=True, slots=True)
class Moment:
    """`day` is month and day, (0, 0) where only a time of day is named; `year` 0 where none is;
    `clock` hour, minute and second, `zone` as it is written."""

    text: str
    start: int
    end: int
    day: tuple[int, int] = _NO_DAY
    year: int = 0
    clock: tuple[int, int, int] | None = None
    zone: str = ""

    @property
    def is_day(self) -> bool:
        return self.day != _NO_DAY

    def is_in(self, others: Iterable[Moment]) -> bool:
        """Whether somebody names this moment, perhaps with more of it."""
        return any(self._agrees_with(one) for one in others)

    def _agrees_with(self, other: Moment) -> bool:
        if self.is_day and (self.day != other.day or (self.year and self.year != other.year)):
            return False
        return self.clock is None or (self.clock == other.clock and self.zone in ("", other.zone))

    def in_any_year(self) -> Moment:
        return replace(self, year=0)

    def with_year_of(self, others: Iterable[Moment]) -> Moment:
        """With the year that the same day has elsewhere, if it has one there."""
        if self.year or not self.is_day:
            return self
        years = {one.year for one in others if one.day == self.day} - {0}
        if len(years) != 1:
            return self
        (year,) = years
        text = self.text if self.clock else f"{self.text} {year}"
        return replace(self, text=text, year=year)


def moments(text: str) -> list[Moment]:
    """In their order. What is no day of any calendar is none here."""
    found: list[Moment] = []
    taken: list[tuple[int, int]] = []
    for pattern in _FORMS:
        for match in pattern.finditer(text):
            if any(start < match.end() and match.start() < end for start, end in taken):
                continue
            taken.append(match.span())
            read = _moment(match)
            # Of "4 Jul 2024 16:58 +0200" the day is known.
            one = _day_alone(read, match) if _GOES_ON.match(text, match.end()) else read
            if one is not None and not _is_numbered(one, text) and _exists(one):
                found.append(one)
    return sorted(found, key=lambda one: one.start)


def _moment(match: re.Match[str]) -> Moment:
    parts = match.groupdict(default="")
    clock = None
    if parts["hour"]:
        clock = (int(parts["hour"]), int(parts["minute"]), int(parts["second"] or 0))
    text, start, end = match.group().rstrip(" .,"), match.start(), match.end()
    if "month" not in parts:
        return Moment(text, start, end, clock=clock)
    day = (_number_of(parts["month"]), int(parts["day"]))
    zone = parts.get("zone", "")
    return Moment(text, start, end, day, int(parts["year"] or 0), clock, zone)


def _number_of(month: str) -> int:
    if month.isdigit():
        return int(month)
    return [name[:3] for name in MONTHS].index(month[:3].lower()) + 1


def _day_alone(one: Moment, match: re.Match[str]) -> Moment | None:
    if not one.is_day or one.clock is None:
        return None
    end = match.start("hour")
    text = match.string[one.start : end].removesuffix("T").rstrip(" .,").removesuffix(" at")
    return replace(one, text=text.rstrip(" .,"), end=end, clock=None, zone="")


def _is_numbered(one: Moment, text: str) -> bool:
    return bool(_NUMBERED.search(text[max(0, one.start - 20) : one.start]))


def _exists(one: Moment) -> bool:
    try:
        return not one.is_day or bool(date(one.year or 2024, *one.day))
    except ValueError:
        return False


def between(first: Moment, second: Moment) -> timedelta | None:
    """From the first to the second; None where it is not known: of two forms or zones, or without a
    year."""
    if first.is_day != second.is_day or (first.clock is None) != (second.clock is None):
        return None
    if first.zone != second.zone or (first.is_day and not (first.year and second.year)):
        return None
    return _point(second) - _point(first)


def nearest(first: Moment, second: Moment) -> timedelta | None:
    """The same where a year is not said, if the two are as near as they can be; None where it would
    matter whether a year has 366 days."""
    if first.clock or second.clock or not (first.is_day and second.is_day):
        return None
    if first.year and second.year:
        return between(first, second)
    base = first.year or second.year or 2023
    spans = []
    for one, other in ((0, 0), (0, 1), (1, 0), (0, -1), (-1, 0)):
        years = (first.year or base + one, second.year or base + other)
        days = [replace(day, year=year) for day, year in zip((first, second), years, strict=True)]
        if all(map(_exists, days)) and (span := between(*days)) is not None:
            spans.append((span, days))
    if not spans or _LEAP_DAY in (first.day, second.day):
        return None
    span, (one_day, other_day) = min(spans, key=lambda found: abs(found[0]))
    early, late = sorted((_point(one_day), _point(other_day)))
    in_february = any(
        early <= datetime(year, 2, 28, tzinfo=UTC) < late
        for year in range(early.year, late.year + 1)
    )
    return None if in_february else span


def _point(one: Moment) -> datetime:
    month, day = one.day if one.is_day else (1, 1)
    return datetime(one.year or 1, month, day, *(one.clock or (0, 0, 0)), tzinfo=UTC)
