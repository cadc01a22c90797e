"""Whether the figures of a claim stand in what it cites."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal

from tipstaff.facts.quantities import Measure, Quantity, quantities
from tipstaff.verify.measures import measured_in, named_units, rate_behind


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
# A column of rates has its sign at its head.
_RATE = re.compile(r"%|\bpercent|pct\b|_pct|per cent")
_MINUTES = {
    "second": Decimal(1) / 60, "minute": Decimal(1), "hour": Decimal(60), "day": Decimal(1440),
    "week": Decimal(10080), "fortnight": Decimal(20160), "month": Decimal(43830),
    "quarter": Decimal(131490), "year": Decimal(525960),
}  # fmt: skip


def stated_in(
    figure: Quantity, said: str, known: Sequence[Quantity], words: str, around: str = ""
) -> bool:
    """Whether a figure of `said` is among those of the evidence's `words`, in whatever form: $3.4M
    is $3,400,000, 60 minutes are one hour, 48,620 under "$ thousands" is $48.62 million. A
    percentage is never a plain number, a currency never another, a millimetre no centimetre.
    `around` are the words beside them."""
    told = f"{words}\n{around}".lower()
    unit = measured_in(said, figure.end)
    for other in known:
        if not _comparable(figure, other, told):
            continue
        rate = rate_behind(said, figure.end)
        rates = {rate, rate_behind(words, other.end)} - {""}
        if len(rates) > 1 or (rate and not rate_behind(words, other.end) and rate not in told):
            # What is paid once is not paid every year.
            continue
        theirs = measured_in(words, other.end)
        if unit and theirs:
            if unit[0] == theirs[0] and figure.value * unit[1] == other.value * theirs[1]:
                return True
            continue
        if unit and unit[1] not in named_units(told).get(unit[0], {unit[1]}):
            # "length_km: 14.2" is not in miles.
            continue
        if figure.measure is not other.measure and figure.value == other.value:
            return True
        if _in_base(figure) == _in_base(other):
            return True
        for scale, word in _SCALES:
            if word in told and figure.value in (other.value * scale, other.value / scale):
                return True
    return False


def same_measure(one: Quantity, other: Quantity) -> bool:
    """Whether two figures could be taken for one another."""
    kinds = {one.measure, other.measure}
    return len(kinds) == 1 or kinds == {Measure.MONEY, Measure.NUMBER}


def _comparable(one: Quantity, other: Quantity, told: str) -> bool:
    if Measure.PERCENT in (one.measure, other.measure):
        bare = Measure.NUMBER in (one.measure, other.measure)
        return one.measure is other.measure or (bare and bool(_RATE.search(told)))
    if Measure.DURATION in (one.measure, other.measure):
        unit = one.unit or other.unit
        return one.measure is other.measure or (
            # "Announced for nine months and took fourteen."
            Measure.NUMBER in (one.measure, other.measure) and unit in told
        )
    money = one.measure is other.measure is Measure.MONEY
    return not money or one.unit == other.unit


def _in_base(figure: Quantity) -> Decimal:
    if figure.measure is Measure.DURATION:
        return figure.value * _MINUTES.get(figure.unit, Decimal(1))
    return figure.value
