"""Times that something lasts, in one unit: 90 minutes, an hour and a half, 1 h 30 min."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

from tipstaff.facts.quantities import Measure, Quantity

SECONDS = {
    "second": Decimal(1), "minute": Decimal(60), "hour": Decimal(3600), "day": Decimal(86400),
    "week": Decimal(604800), "fortnight": Decimal(1209600), "month": Decimal(2629800),
    "quarter": Decimal(7889400), "year": Decimal(31557600),
}  # fmt: skip
_BETWEEN = ("", "and")
# "An hour and twenty minutes": the hour is no figure by itself.
_ONE_AND = re.compile(
    r"\ban? (?P<unit>minute|hour|day|week|month|year),? (?:and )?$", re.IGNORECASE
)
_NEAR = 20
_SIXTY = 60


def in_base(figure: Quantity) -> Decimal:
    """A duration in seconds; anything else as it is."""
    if figure.measure is Measure.DURATION:
        return figure.value * SECONDS.get(figure.unit, Decimal(60))
    return figure.value


def joined(figures: Sequence[Quantity], text: str) -> list[Quantity]:
    """The figures of a text, where "one hour and ten minutes" is one of 70 minutes."""
    made: list[Quantity] = []
    for one in figures:
        last = made[-1] if made else None
        if last is not None and _go_together(last, one, text):
            made[-1] = _as_one(in_base(last), last.start, one, text)
        elif longer := _one_and(one, text):
            made.append(_as_one(SECONDS[longer["unit"].lower()], longer.start(), one, text))
        else:
            made.append(one)
    return made


def _go_together(one: Quantity, other: Quantity, text: str) -> bool:
    if one.unit == "hour" and other.measure is Measure.NUMBER:
        # "Two hours forty".
        ends = text[other.end : other.end + 1] in ("", ".", ",", ";", ")", "!", "?")
        return ends and other.value < _SIXTY and not text[one.end : other.start].strip()
    return (
        one.measure is other.measure is Measure.DURATION
        and in_base(one) > in_base(other)
        and text[one.end : other.start].strip(" ,") in _BETWEEN
        and one.unit != other.unit
    )


def _one_and(figure: Quantity, text: str) -> re.Match[str] | None:
    if figure.measure is not Measure.DURATION:
        return None
    begin = max(figure.start - _NEAR, 0)
    found = _ONE_AND.search(text[: figure.start], begin)
    return found if found and SECONDS[found["unit"].lower()] > in_base(figure) else None


def _as_one(seconds: Decimal, start: int, last: Quantity, text: str) -> Quantity:
    unit = last.unit if last.measure is Measure.DURATION else "minute"
    last = replace(last, measure=Measure.DURATION, unit=unit, text=text[start : last.end])
    return replace(last, value=(seconds + in_base(last)) / SECONDS[unit], start=start)
