"""What a withheld sentence works out rightly: the bare sum, of figures and days that stand at the
places that it cites.

Of what these are and whether they may be taken together nobody has verified; but that £3,480 less
£2,500 are £980 is so whatever they are, and from one day to another it is so many days. So a sum is
told without the sentence, beside the lines that its figures stand in.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from decimal import Decimal
from itertools import combinations, permutations

from tipstaff.facts.moments import Moment, between, moments
from tipstaff.facts.periods import outside_dates
from tipstaff.facts.quantities import Measure, Quantity, quantities
from tipstaff.verify.durations import SECONDS, in_base, joined
from tipstaff.verify.worked_out import rounds_to

# More figures than these are a table, and some of them make any other.
_MOST, _MOST_SUMMED = 8, 14
_HOURS, _MANY_HOURS = 24, 96
_INEXACT = re.compile(
    r"\b(?:about|around|nearly|almost|roughly|approximately|some|at least|at most|up to|over|under|"
    r"(?:more|less|fewer|later|earlier) than|within) $",
    re.IGNORECASE,
)
_RATE = re.compile(r"\s*(?:per\b|an?\b|each\b|every\b|for each\b)", re.IGNORECASE)
# That one time is held against another.
_COMPARES = re.compile(
    r"\b(?:after|before|within|later|earlier|late|in time|too (?:late|soon|early)|apart|expired|"
    r"lapsed|overdue|out of time)\b",
    re.IGNORECASE,
)
_ADDS = re.compile(
    r"\b(?:together|altogether|in all|in total|total(?:s|led|ling)?|sums?|(?:comes?|came|adds? up|"
    r"added up|amounts?|amounted) to|makes?|made)\b",
    re.IGNORECASE,
)
_MORE = re.compile(
    r" (?:more|less|fewer|higher|lower|longer|shorter|later|earlier)\b", re.IGNORECASE
)
_EACH = re.compile(r"\b(?:each|apiece|per|at)\b", re.IGNORECASE)
_WORKING_DAYS = re.compile(r"\b(?:working|business|clear)[ -]days?\b", re.IGNORECASE)
_UNIT = re.compile(r" (?:[kcm]?m|[kmg]?g|[mc]?l|t|°C|[kMG]?Wh?|pp|ha|km²|m²|m³|mm|bar|Pa|V|A)\b")
_CALENDAR = {"day": 1, "week": 7, "fortnight": 14}


@dataclass(frozen=True, slots=True)
class Working:
    """A sum in words, and what of it stands in the context."""

    text: str
    of: tuple[Quantity | Moment, ...]


def workings(statement: str, told: Sequence[str]) -> list[Working]:
    """The sums of a statement that come out, of figures and times that stand in what is told."""
    found = [*_sums(statement, told), *_spans(statement, told)]
    return list({one.text: one for one in found}.values())


def _sums(statement: str, told: Sequence[str]) -> Iterator[Working]:
    every = joined(outside_dates(quantities(statement), statement), statement)
    stand = [one for text in told for one in outside_dates(quantities(text), text)]
    known = {(one.value, one.measure is Measure.PERCENT) for one in stand}
    new, others = [], []
    for one in every:
        if (one.value, one.measure is Measure.PERCENT) in known:
            others.append(one)
        elif not one.text.isalpha() and not _INEXACT.search(statement[: one.start]):
            new.append(one)
    others = [one for one in others if one.value]
    for figure in new:
        if how := _comes_out(figure, others, statement):
            # A figure that has been worked out may be worked with.
            others.append(figure)
            yield how
    for figure in others if _ADDS.search(statement) else ():
        # What a sum comes to may stand there itself.
        left = [one for one in others if one is not figure and _is_alike(one, figure)]
        if len(left) == len(others) - 1 and (how := _total_of(left, figure, statement)):
            yield how
            break


def _comes_out(figure: Quantity, others: Sequence[Quantity], statement: str) -> Working | None:
    for one in _as_one_of(figure, others, statement):
        alike = [other for other in others if _is_alike(other, one)]
        if how := _total_of(alike, one, statement):
            return how
        if len(alike) <= _MOST and (how := _apart(alike, one, statement)):
            return how
    return _product(figure, others, statement) if len(others) <= _MOST else None


def _as_one_of(figure: Quantity, others: Sequence[Quantity], statement: str) -> Iterator[Quantity]:
    """A figure, and "4 more" as 4 days where the others are days."""
    yield figure
    if figure.measure is Measure.NUMBER and _MORE.match(statement, figure.end):
        for unit in dict.fromkeys(o.unit for o in others if o.measure is Measure.DURATION):
            yield replace(figure, measure=Measure.DURATION, unit=unit)


def _total_of(figures: Sequence[Quantity], result: Quantity, statement: str) -> Working | None:
    summed = [one for one in figures if not one.text.isalpha()]
    if 1 < len(summed) <= _MOST_SUMMED and _total(summed) == in_base(result):
        return _told(" + ", summed, result, statement)
    return None


def _apart(alike: Sequence[Quantity], figure: Quantity, statement: str) -> Working | None:
    """What is left of the first, or a sum of some."""
    summed = [one for one in alike if not one.text.isalpha()]
    if len(summed) > 2:
        first = max(summed, key=in_base)
        rest = [one for one in summed if one is not first]
        if in_base(first) - _total(rest) == in_base(figure):
            return _told(" − ", [first, *rest], figure, statement)
    for one, other in combinations(alike, 2):
        less, more = sorted((one, other), key=in_base)
        if in_base(more) - in_base(less) == in_base(figure):
            return _told(" − ", (more, less), figure, statement)
    for count in range(2, len(summed)):
        for some in combinations(summed, count):
            if _total(some) == in_base(figure):
                return _told(" + ", some, figure, statement)
    return None


def _product(figure: Quantity, others: Sequence[Quantity], statement: str) -> Working | None:
    if figure.measure is Measure.PERCENT:
        shares = (
            (part, whole)
            for part, whole in permutations(others, 2)
            if _is_alike(part, whole) and part.measure is not Measure.PERCENT
        )
        for part, whole in shares:
            if rounds_to(in_base(part) / in_base(whole) * 100, figure):
                return _told(" ÷ ", (part, whole), figure, statement)
        return None
    for one, other in permutations(others, 2):
        if one.measure is Measure.PERCENT and _is_alike(other, figure):
            if rounds_to(one.value * other.value / 100, figure):
                return _told(" of ", (one, other), figure, statement)
        elif (
            (one.measure is figure.measure is Measure.MONEY or _is_so_often(one, figure, statement))
            and other.measure in (Measure.NUMBER, Measure.DURATION)
            and not (one.unit and figure.unit and one.unit != figure.unit)
            and one.value * other.value == figure.value
            and not _RATE.match(statement, figure.end)
        ):
            counted = (other, one) if one.measure is Measure.MONEY else (one, other)
            return _told(" × ", counted, figure, statement)
    return _parts_of(figure, others, statement)


def _is_so_often(one: Quantity, figure: Quantity, statement: str) -> bool:
    """Whether a bare number is so many times another: "two at 155 each come to 310"."""
    return one.measure is figure.measure is Measure.NUMBER and bool(_EACH.search(statement))


def _parts_of(figure: Quantity, others: Sequence[Quantity], statement: str) -> Working | None:
    """ "25% of £4,275 and 40% of £6,720 come to £3,756.75"."""
    shares, wholes = others[::2], others[1::2]
    if len(shares) < 2 or len(shares) != len(wholes):
        return None
    if not all(
        share.measure is Measure.PERCENT and _is_alike(whole, figure)
        for share, whole in zip(shares, wholes, strict=True)
    ):
        return None
    pairs = list(zip(shares, wholes, strict=True))
    if not rounds_to(sum((s.value * w.value / 100 for s, w in pairs), Decimal(0)), figure):
        return None
    words = " + ".join(f"{_written(share)} of {_written(whole)}" for share, whole in pairs)
    return Working(f"{words} = {_with_unit(figure, statement)}", tuple(others))


def _is_alike(one: Quantity, other: Quantity) -> bool:
    """Of one measure and unit; a figure may have left its own out."""
    if one.measure is not other.measure:
        return Measure.NUMBER in (one.measure, other.measure) and Measure.MONEY in (
            one.measure,
            other.measure,
        )
    if one.measure is Measure.DURATION:
        return (
            (one.unit in _CALENDAR) == (other.unit in _CALENDAR)
            and not {
                one.unit,
                other.unit,
            }
            & {"month", "quarter", "year"}
        ) or one.unit == other.unit
    return one.measure is not Measure.MONEY or one.unit == other.unit


def _total(figures: Sequence[Quantity]) -> Decimal:
    return sum((in_base(one) for one in figures), Decimal(0))


def _told(sign: str, figures: Sequence[Quantity], result: Quantity, statement: str = "") -> Working:
    words = [_with_unit(one, statement) for one in (*figures, result)]
    return Working(f"{sign.join(words[:-1])} = {words[-1]}", tuple(figures))


def _with_unit(figure: Quantity, statement: str) -> str:
    """ "11 km": a count with the short unit behind it."""
    unit = _UNIT.match(statement, figure.end) if figure.measure is Measure.NUMBER else None
    return _written(figure) + (unit.group() if unit else "")


def _written(figure: Quantity) -> str:
    return f"{figure.value:f}" if figure.text.strip().isalpha() else figure.text.strip()


def _spans(statement: str, told: Sequence[str]) -> Iterator[Working]:
    """The time between two days, or two times of day, that a statement compares."""
    compares = bool(_COMPARES.search(statement))
    if not compares and not _lengths(statement):
        return
    named = [one for text in told for one in moments(text)]
    own = [one.with_year_of(named) for one in moments(statement)]
    pairs = [pair for pair in combinations(own, 2) if pair[0].is_day == pair[1].is_day]
    known = [pair for pair in pairs if _stands(*pair, statement=statement, told=told, named=named)]
    for first, second in known:
        span = between(first, second)
        if not span or not (first.is_day or _are_of_one_day(first, second, told)):
            continue
        if first.is_day and any(map(_WORKING_DAYS.search, (statement, *told))):
            # Of those nothing is known, and others beside them would mislead.
            continue
        if _may_be_told(span, statement, is_only=compares and len(known) == 1):
            yield _from_to(*((first, second) if span > timedelta(0) else (second, first)), span)


def _are_of_one_day(first: Moment, second: Moment, told: Sequence[str]) -> bool:
    """Whether no two days are named where these times of day stand."""
    found = [moments(text) for text in told]
    having = [some for some in found if any(one.is_in(some) for one in (first, second))]
    return len({one.day for some in having for one in some if one.is_day}) <= 1


def _stands(
    first: Moment,
    second: Moment,
    *,
    statement: str,
    told: Sequence[str],
    named: Sequence[Moment],
) -> bool:
    """Whether both moments stand in what is told; or one, and the time from it to the other."""
    stand = [one.is_in(named) for one in (first, second)]
    if not any(stand) or all(stand):
        return all(stand)
    span = between(first, second)
    lengths = {in_base(one) for text in told for one in _lengths(text)}
    own = {in_base(one) for one in _lengths(statement)}
    return span is not None and Decimal(int(abs(span).total_seconds())) in lengths & own


def _may_be_told(span: timedelta, statement: str, *, is_only: bool) -> bool:
    """A statement that gives a length must give this one."""
    lengths = _lengths(statement)
    stated = [one for one in lengths if not _is_limit(one, statement)]
    if not stated:
        return is_only
    seconds = Decimal(int(abs(span).total_seconds()))
    return any(in_base(one) == seconds for one in stated)


def _lengths(statement: str) -> list[Quantity]:
    every = joined(outside_dates(quantities(statement), statement), statement)
    return [
        one
        for one in every
        if one.measure is Measure.DURATION and one.unit not in ("month", "quarter", "year")
    ]


def _is_limit(figure: Quantity, statement: str) -> bool:
    """ "Within 30 days", "the 12 hours allowed": what it is held against, not how long it was."""
    before = statement[: figure.start]
    return bool(_INEXACT.search(before) or re.search(r"\bthe (?:\w+ ){0,2}$", before))


def _from_to(first: Moment, second: Moment, span: timedelta) -> Working:
    return Working(f"From {first.text} to {second.text}: {_length(abs(span))}", (first, second))


def _length(span: timedelta) -> str:
    hours, seconds = divmod(int(span.total_seconds()), int(SECONDS["hour"]))
    minutes = seconds // int(SECONDS["minute"])
    days = 0
    if hours >= _MANY_HOURS or not (hours % _HOURS or minutes):
        days, hours = divmod(hours, _HOURS)
    parts = ((days, "day"), (hours, "hour"), (minutes, "minute"))
    return " ".join(f"{count} {name}{'s' * (count != 1)}" for count, name in parts if count)
