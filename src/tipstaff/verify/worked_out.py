"""Whether a figure is worked out of the figures that a deduction names.

Of enough figures some two make any third. What is added up is therefore all of something: the rows,
columns or clauses that the sentence names or, where it tells none from the others, all that is
cited; and two that are compared stand in one row, in one column or in prose.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import combinations, permutations, product

from tipstaff.facts.periods import outside_dates
from tipstaff.facts.quantities import Measure, Quantity, only_figure, quantities
from tipstaff.lexical.analysis import STOP_WORDS, terms
from tipstaff.verify.evidence_text import EvidenceText

_RATIO = re.compile(
    r"%|\b(?:per|percent\w*|share|ratio|times|twice|double\w*|half|halved|thirds?|quarters?|rates?|"
    r"average|mean|multiple)\b",
    re.IGNORECASE,
)
_PRODUCT = re.compile(
    r"\b(?:per|each|every|an?|at|for|times|multipl\w+|annual\w*|months?|weeks?|days?|years?)\b",
    re.IGNORECASE,
)
_AVERAGE = re.compile(r"\b(?:average|mean)\b", re.IGNORECASE)
_MOST_UNITS, _MOST_FIGURES, _MOST_OF_ONE, _MOST_CITED = 60, 24, 4, 4


@dataclass(frozen=True, slots=True)
class _Item:
    """A figure with the words that tell it from the others of its group."""

    figure: Quantity
    words: frozenset[str]


def is_worked_out(
    figure: Quantity, sentence: str, evidence: Sequence[Sequence[EvidenceText]]
) -> bool:
    """Whether a figure is the sum of what a sentence names, or a difference, a product or a ratio
    of two that belong together, rounded as it is written."""
    bare = sentence[: figure.start] + " " + sentence[figure.end :]
    said = frozenset(terms(bare)) - STOP_WORDS
    groups = [_alike(group, figure) for group in _groups(evidence)]
    if any(rounds_to(value, figure) for value in _one_of_each(evidence, figure)):
        return True
    return any(
        rounds_to(value, figure)
        for group in groups
        if 1 < len(group) <= _MOST_FIGURES
        for value in (*_sums(group, said, bare), *_of_two(group, said, sentence))
    )


def rounds_to(value: Decimal, figure: Quantity) -> bool:
    if value == figure.value:
        return True
    if figure.value == 0 or figure.digits == 0:
        return False
    step = Decimal(10) ** (figure.value.copy_abs().adjusted() - figure.digits + 1)
    return abs(value - figure.value) <= step / 2


def _groups(evidence: Sequence[Sequence[EvidenceText]]) -> Iterator[list[_Item]]:
    """The cells of each row, the rows of each column, and the clauses of all prose."""
    units = [unit for cited in evidence for unit in cited][:_MOST_UNITS]
    columns: dict[tuple[tuple[str, ...], int], list[_Item]] = {}
    for row in (unit for unit in units if unit.is_row):
        heads = tuple(head for head, _ in row.cells)
        figures = [only_figure(words) for _, words in row.cells]
        yield [
            _Item(figure, frozenset(terms(head)))
            for head, figure in zip(heads, figures, strict=True)
            if figure
        ]
        for at, figure in enumerate(figures):
            if figure:
                columns.setdefault((heads, at), []).append(_Item(figure, row.cell_terms))
    yield from columns.values()
    yield [
        _Item(figure, clause.terms)
        for unit in units
        if not unit.is_row
        for clause in unit.clauses
        for figure in outside_dates(quantities(clause.text), clause.text)
    ]


def _alike(group: Sequence[_Item], figure: Quantity) -> list[_Item]:
    """Those of a group in the same measure; a cell may leave out its currency."""
    same = [item for item in group if item.figure.measure is figure.measure]
    if len(same) > 1 or figure.measure is Measure.PERCENT:
        return same or list(group)
    return list(group)


def _named(group: Sequence[_Item], said: frozenset[str]) -> list[_Item]:
    """Those that a sentence tells from the others."""
    shared = frozenset.intersection(*(item.words for item in group))
    return [item for item in group if not said.isdisjoint(item.words - shared)]


def _sums(group: Sequence[_Item], said: frozenset[str], sentence: str) -> Iterator[Decimal]:
    named = _named(group, said)
    best = max((len(said & item.words) for item in group), default=0)
    for some in (named or group, [item for item in named if len(said & item.words) == best]):
        if len(some) > 1:
            total = sum((item.figure.value for item in some), Decimal(0))
            yield total
            if _AVERAGE.search(sentence):
                yield total / len(some)


def _of_two(group: Sequence[_Item], said: frozenset[str], sentence: str) -> Iterator[Decimal]:
    named = _named(group, said)
    values = dict.fromkeys(item.figure.value for item in (named if len(named) > 1 else group))
    for one, other in permutations(values, 2):
        yield one - other
        if _PRODUCT.search(sentence):
            yield one * other
            yield one * other / 100
        if other and _RATIO.search(sentence):
            yield one / other
            yield one / other * 100
            yield (one - other) / other * 100


def _one_of_each(evidence: Sequence[Sequence[EvidenceText]], figure: Quantity) -> Iterator[Decimal]:
    """The sums that take one figure of every place that is cited, where these are no rows of one
    table; the differences, where they are two."""
    places = [
        [item.figure for item in _alike([_Item(one, frozenset()) for one in found], figure)]
        for cited in evidence
        if (found := [one for unit in cited for one in unit.own_figures])
    ]
    heads = {tuple(head for head, _ in unit.cells) for cited in evidence for unit in cited}
    is_table = len(heads) == 1 and () not in heads
    few = 1 < len(places) <= _MOST_CITED and all(len(one) <= _MOST_OF_ONE for one in places)
    if is_table or not few or len(places) < len(evidence):
        return
    for some in product(*places):
        yield sum((one.value for one in some), Decimal(0))
        for one, other in combinations(some, 2) if len(some) == 2 else ():
            yield abs(one.value - other.value)
