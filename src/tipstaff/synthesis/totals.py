"""Sums and changes that the synthesis states itself, done again: what does not add up is wrong
whatever it cites."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import groupby

from tipstaff.facts.quantities import Measure, Quantity, only_figure, quantities
from tipstaff.synthesis.claims import SynthesisClaim

_TOTAL = re.compile(r"\W*(?:grand )?(?:total|sum|in all|altogether)\b", re.IGNORECASE)
_CELL = re.compile(r"(?:^|; )(?:(?P<head>[^:;]+): )?(?P<words>[^;]+)")
_CHANGE = re.compile(r"\bfrom\b.{1,60}?\bto\b", re.IGNORECASE)
_COMPOUND = re.compile(
    r"\b(?:cagr|compound|annuali[sz]ed|a year|per year|points?)\b", re.IGNORECASE
)
_GREW = re.compile(
    r"\b(?:grew|grown|growth|rose|rise|increased?|fell|fall|decreased?|decline[ds]?|up|down)\b",
    re.IGNORECASE,
)
_LEAST_PARTS = 2
_ADDS_UP = "The rows above add up to {}, not to {}."
_CHANGES = "From {} to {} is {:.1f} percent, not {}."


def wrong_totals(claims: Sequence[SynthesisClaim]) -> dict[int, str]:
    """By the number of the claim, why a sum or a change in it is wrong."""
    found = dict(_columns(claims))
    for number, claim in enumerate(claims):
        if not claim.is_row and (why := _wrong_change(claim.text)):
            found[number] = why
    return found


def _columns(claims: Sequence[SynthesisClaim]) -> Iterator[tuple[int, str]]:
    """Each total of a table against the rows above it."""
    numbered = list(enumerate(claims))
    for is_row, group in groupby(numbered, key=lambda pair: pair[1].is_row):
        rows = list(group)
        if not is_row:
            continue
        above: list[dict[str, Quantity]] = []
        for number, claim in rows:
            cells = _figures(claim.text)
            if not _TOTAL.match(claim.text):
                above.append(cells)
                continue
            for head, total in cells.items():
                parts = [one[head] for one in above if head in one]
                if why := _wrong_sum(total, parts, rows=len(above)):
                    yield number, why


def _figures(row: str) -> dict[str, Quantity]:
    found = {}
    for match in _CELL.finditer(row):
        figure = only_figure(match["words"].strip("* "))
        if match["head"] and figure is not None:
            found[match["head"]] = figure
    return found


def _wrong_sum(total: Quantity, parts: Sequence[Quantity], *, rows: int) -> str:
    """A table may list subtotals or leave parts out; only one whose every row counts is summed."""
    same = all(one.measure is total.measure and one.unit == total.unit for one in parts)
    if len(parts) < _LEAST_PARTS or len(parts) != rows or not same:
        return ""
    added = sum((one.value for one in parts), Decimal(0))
    rounding = sum((_step(one) for one in (*parts, total)), Decimal(0)) / 2
    subtotal = any(one.value * 2 == added for one in parts) or _holds_subtotal(total, parts)
    if abs(added - total.value) <= rounding or subtotal:
        return ""
    return _ADDS_UP.format(f"{added.normalize():,f}", total.text)


def _holds_subtotal(total: Quantity, parts: Sequence[Quantity]) -> bool:
    """Whether the total is that of the rows behind a subtotal: base cost, contingency, total."""
    running = Decimal(0)
    for number, one in enumerate(parts):
        if number > 1 and one.value == running:
            rest = sum((other.value for other in parts[number:]), Decimal(0))
            return rest == total.value
        running += one.value
    return False


def _wrong_change(text: str) -> str:
    """ "From 7.4 to 16.4 million, 121.6 percent": two figures and one change, and nothing else."""
    change = _CHANGE.search(text)
    if change is None or _COMPOUND.search(text) or not _GREW.search(text):
        return ""
    figures = quantities(text)
    plain = [one for one in figures if one.measure is Measure.MONEY]
    shares = [one for one in figures if one.measure is Measure.PERCENT]
    if len(plain) != 2 or len(shares) != 1 or not plain[0].value:
        return ""
    if not change.start() <= plain[0].start < change.end() <= plain[1].start + 1:
        return ""
    first, second = (one.value for one in plain)
    real = abs(second - first) / abs(first) * 100
    slack = _step(shares[0]) / 2 + 100 * (
        (_step(plain[0]) * abs(second) / abs(first) + _step(plain[1])) / abs(first) / 2
    )
    if abs(real - abs(shares[0].value)) <= slack:
        return ""
    return _CHANGES.format(plain[0].text, plain[1].text, real, shares[0].text)


def _step(figure: Quantity) -> Decimal:
    if not figure.value or not figure.digits:
        return Decimal(1)
    return Decimal(10) ** (figure.value.copy_abs().adjusted() - figure.digits + 1)
