"""Whether the figures of a claim stand in what it cites."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from tipstaff.facts.quantities import Measure, Quantity, quantities


def figures_missing_from(claim: str, passages: Sequence[str]) -> list[str]:
    """The figures that a claim states and none of the cited passages does, as written."""
    known = [figure for passage in passages for figure in quantities(passage)]
    return [figure.text for figure in quantities(claim) if not _is_among(figure, known)]


def _is_among(figure: Quantity, known: Sequence[Quantity]) -> bool:
    return any(figure.value == other.value for other in known)


_SCALES = (
    (Decimal(1000), "thousand"),
    (Decimal(1_000_000), "million"),
    (Decimal(10**9), "billion"),
)
_MINUTES = {
    "second": Decimal(1) / 60, "minute": Decimal(1), "hour": Decimal(60), "day": Decimal(1440),
    "week": Decimal(10080), "fortnight": Decimal(20160), "month": Decimal(43830),
    "quarter": Decimal(131490), "year": Decimal(525960),
}  # fmt: skip


def stated_in(figure: Quantity, known: Sequence[Quantity], words: str) -> bool:
    """Whether a figure is among those of the evidence, in whatever form: $3.4M is $3,400,000,
    60 minutes are one hour, 48,620 under "$ thousands" is $48.62 million. A percentage is never
    a plain number, and a currency never another."""
    told = words.lower()
    for other in known:
        if not _comparable(figure, other):
            continue
        if _in_base(figure) == _in_base(other):
            return True
        for scale, word in _SCALES:
            if word in told and figure.value in (other.value * scale, other.value / scale):
                return True
    return False


def _comparable(one: Quantity, other: Quantity) -> bool:
    percent = Measure.PERCENT in (one.measure, other.measure)
    if percent:
        return one.measure is other.measure
    if Measure.DURATION in (one.measure, other.measure):
        return one.measure is other.measure or one.unit == other.unit
    money = one.measure is other.measure is Measure.MONEY
    return not money or one.unit == other.unit


def _in_base(figure: Quantity) -> Decimal:
    if figure.measure is Measure.DURATION:
        return figure.value * _MINUTES.get(figure.unit, Decimal(1))
    return figure.value
