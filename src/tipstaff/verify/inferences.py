"""Labelled deductions (TIP §6.2): their basis must hold, and their figures must follow from it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal, DivisionByZero, InvalidOperation
from itertools import combinations

from tipstaff.facts.quantities import Quantity, quantities

_LABEL = re.compile(
    r"\b(?:it (?:can|may) be inferred|it follows|(?:can|may) be (?:inferred|deduced|"
    r"calculated|derived)|"
    r"this (?:implies|suggests|means)|implies that|context suggests|suggesting that|by inference|"
    r"calculated from|inferred from|it appears that|based on these figures)\b",
    re.IGNORECASE,
)
_MOST_FIGURES = 24
_SUMMED = (2, 3, 4)


def is_labelled(sentence: str) -> bool:
    return bool(_LABEL.search(sentence))


def follows(figure: Quantity, basis: str) -> bool:
    """Whether a figure is a sum, difference, product, ratio or change of figures of the basis,
    rounded as it is written."""
    known = list(dict.fromkeys(one.value for one in quantities(basis)))[:_MOST_FIGURES]
    return any(_rounds_to(value, figure) for value in _results(known))


def _results(values: Sequence[Decimal]) -> Iterator[Decimal]:
    for count in _SUMMED:
        if len(values) <= 12 or count == 2:
            yield from (sum(some, Decimal(0)) for some in combinations(values, count))
    for one, other in combinations(values, 2):
        for first, second in ((one, other), (other, one)):
            yield first - second
            yield first * second
            yield first * second / 100
            try:
                yield first / second
                yield first / second * 100
                yield (first - second) / second * 100
            except (DivisionByZero, InvalidOperation, ZeroDivisionError):
                continue


def _rounds_to(value: Decimal, figure: Quantity) -> bool:
    if value == figure.value:
        return True
    if figure.value == 0 or figure.digits == 0:
        return False
    step = Decimal(10) ** (figure.value.copy_abs().adjusted() - figure.digits + 1)
    return abs(value - figure.value) <= step / 2
