"""The time between two days, or two times of day, that a sentence compares, where both are beyond
doubt: no times of two days or zones, no range, no days of work, no year that nobody has said."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import timedelta
from decimal import Decimal
from itertools import combinations

from tipstaff.facts.moments import Moment, between, moments, nearest
from tipstaff.facts.periods import outside_dates
from tipstaff.facts.quantities import Measure, Quantity, quantities
from tipstaff.verify.durations import in_base, joined

_MOST_MOMENTS = 6
_HOURS, _MANY_HOURS = 24, 96
# Before a figure: it is not exact, or a bound.
ROUGH = re.compile(
    r"(?:\b(?:about|around|nearly|almost|roughly|approximately|approx\.?|some|circa|ca?\.|close to|"
    r"just (?:under|over)|at least|at most|up to|over|under|(?:more|less|fewer|later|earlier) than|"
    r"within)|[~≈<>≥≤±])\s*$",
    re.IGNORECASE | re.ASCII,
)
# That one time is held against another.
_COMPARES = re.compile(
    r"\b(?:after|before|within|later|earlier|late|in time|too (?:late|soon|early)|expired|lapsed|"
    r"overdue|out of time)\b",
    re.IGNORECASE | re.ASCII,
)
_RANGE = re.compile(r"\s*(?:to|until|till|and|through|[-–])\s*", re.IGNORECASE | re.ASCII)
_INCLUSIVE = re.compile(r"\b(?:inclusive|included|including|both days)\b", re.IGNORECASE | re.ASCII)
_OTHER_DAY = re.compile(
    r"\b(?:mon|tues?|wed|thu(?:rs)?|fri|sat|sun)(?:day|nesday|urday)?\b|\bovernight\b|\bmidnight\b|"
    r"\b(?:next|following|previous|same|day|morning|evening) (?:day|morning|before|after)\b|"
    r"\b(?:yesterday|tomorrow)\b|\d{1,2}[./]\d{1,2}[./]\d",
    re.IGNORECASE | re.ASCII,
)
OTHER_DAYS = re.compile(
    r"\b(?:work(?:ing|s)?|business|bank(?:ing)?|clear|week|court|trading)[\s-]*days?\b|"
    r"\bwork-?days?\b|\bdays on which\b",
    re.IGNORECASE | re.ASCII,
)


def spans(statement: str, told: Sequence[str]) -> Iterator[tuple[str, tuple[Moment, Moment]]]:
    """The time between two days, or two times of day, that a statement compares."""
    stated = _stated(statement)
    compares = bool(_COMPARES.search(statement)) and not stated
    if not compares and not stated:
        return
    by_text = [moments(text) for text in told]
    named = [one for some in by_text for one in some]
    lengths = {one for text in told for one in _lengths(text)}
    own = [one.with_year_of(named) for one in moments(statement)]
    if len(own) > _MOST_MOMENTS:
        return
    pairs = [pair for pair in combinations(own, 2) if pair[0].is_day == pair[1].is_day]
    found = []
    for first, second in pairs:
        stand = [_is_named(one, named) for one in (first, second)]
        if (all(stand) or (any(stand) and stated & lengths)) and _are_of_one_zone(
            first, second, named
        ):
            found.append((first, second))
    for first, second in found:
        if first.is_day and any(map(OTHER_DAYS.search, (statement, *told))):
            # Of those nothing is known, and others beside them would mislead.
            continue
        if not first.is_day and not _are_of_one_day(first, second, statement, told, by_text):
            continue
        span = between(first, second)
        by_length = span is None or not first.is_day or _is_range(first, second, statement)
        span = span if span is not None else nearest(first, second)
        if not span:
            continue
        is_stated = Decimal(int(abs(span).total_seconds())) in stated
        if is_stated or (compares and not by_length and len(found) == 1):
            yield _from_to(*((first, second) if span > timedelta(0) else (second, first)), span)


def _is_named(one: Moment, named: Sequence[Moment]) -> bool:
    """Whether a moment stands there; its year may stand with another day."""
    if one.is_in(named):
        return True
    bare = [other for other in named if not other.year]
    return any(other.year == one.year for other in named) and one.in_any_year().is_in(bare)


def _are_of_one_zone(first: Moment, second: Moment, named: Sequence[Moment]) -> bool:
    zones = {other.zone for one in (first, second) for other in named if one.is_in([other])}
    return first.clock is None or len(zones) <= 1


def _is_range(first: Moment, second: Moment, statement: str) -> bool:
    """ "Closed from 18 to 20 May" and "18 to 20 May inclusive" are more than lies between."""
    apart = statement[first.end : second.start]
    return bool(_RANGE.fullmatch(apart) or _INCLUSIVE.search(statement))


def _are_of_one_day(
    first: Moment,
    second: Moment,
    statement: str,
    told: Sequence[str],
    by_text: Sequence[Sequence[Moment]],
) -> bool:
    """Whether no two days are named where these times of day stand."""
    having = [
        (text, some)
        for text, some in zip(told, by_text, strict=True)
        if any(one.is_in(some) for one in (first, second))
    ]
    days = {one.day for _, some in having for one in some if one.is_day}
    texts = (statement, *(text for text, _ in having))
    return len(days) <= 1 and not any(map(_OTHER_DAY.search, texts))


def _stated(statement: str) -> set[Decimal]:
    """How long it is said to have been, in seconds; a limit is none."""
    every = joined(outside_dates(quantities(statement), statement), statement)
    return {in_base(one) for one in every if _is_length(one) and not _is_limit(one, statement)}


def _lengths(text: str) -> set[Decimal]:
    every = joined(outside_dates(quantities(text), text), text)
    return {in_base(one) for one in every if _is_length(one)}


def _is_length(figure: Quantity) -> bool:
    return figure.measure is Measure.DURATION and figure.unit not in ("month", "quarter", "year")


def _is_limit(figure: Quantity, statement: str) -> bool:
    """ "Within 30 days", "the 12 hours allowed": what it is held against, not how long it was."""
    before = statement[: figure.start]
    return bool(ROUGH.search(before) or re.search(r"\bthe (?:\w+ ){0,2}$", before))


def _from_to(first: Moment, second: Moment, span: timedelta) -> tuple[str, tuple[Moment, Moment]]:
    return f"From {first.text} to {second.text}: {_length(abs(span))}", (first, second)


def _length(span: timedelta) -> str:
    hours, seconds = divmod(int(span.total_seconds()), 3600)
    minutes, seconds = divmod(seconds, 60)
    days = 0
    if hours >= _MANY_HOURS or not (hours % _HOURS or minutes or seconds):
        days, hours = divmod(hours, _HOURS)
    parts = ((days, "day"), (hours, "hour"), (minutes, "minute"), (seconds, "second"))
    return " ".join(f"{count} {name}{'s' * (count != 1)}" for count, name in parts if count)
