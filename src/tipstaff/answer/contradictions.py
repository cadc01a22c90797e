"""The same quantity of the same thing and period with different values in different items.

Other units, rounding, other periods and other scopes are no contradictions (TIP §11.8).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from tipstaff.answer.gathering import Candidate
from tipstaff.facts.periods import conflict, outside_dates, periods, sort_of
from tipstaff.facts.quantities import Measure, Quantity, only_figure, quantities
from tipstaff.lexical.analysis import STOP_WORDS, terms

# A rival must be a likely answer itself, and about as much of the question.
_RIVAL = 0.35
_AS_TELLING = 0.9
_COVERAGE_SHARE = 0.75
_SCALES = (Decimal(1000), Decimal(1_000_000))
# Marks of a day or a time of day; a year alone is mostly the scope of something else.
_POINTS = frozenset("dt")
_NOUNS = re.compile(r"(?: [a-z][a-z-]+){1,2}")


@dataclass(frozen=True, slots=True)
class Value:
    """What a candidate answers with: one figure, or one point in time."""

    text: str
    figure: Quantity | None = None
    times: frozenset[str] = frozenset()
    noun: tuple[str, ...] = ()  # what is counted or measured, as terms
    # The words behind a bare number in its sentence: beds are no overnight stays.
    counted: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Disagreement:
    """The best candidate's value as written, another's, and that other."""

    own: str
    other: str
    candidate: Candidate


def disagreements(
    best: Candidate,
    candidates: Sequence[Candidate],
    *,
    about: Collection[str] = (),
    asked_for: bool = False,
) -> list[Disagreement]:
    """Candidates of other items that give another value for what was asked. `about` are the
    question's telling terms, names aside: what shares none of those that the best one has is about
    another thing."""
    own = answer_value(best)
    if own is None:
        return []
    subject = frozenset(about) & best.unit.all_terms
    found: list[Disagreement] = []
    seen_items = {best.unit.item_id}
    for one in candidates:
        other = answer_value(one)
        if other is None or one.unit.item_id in seen_items or not _differ(own, other):
            continue
        if one.features.names < best.features.names or _holds(own, one):
            continue
        if subject and not subject & one.unit.all_terms:
            continue
        if not asked_for and _has_several(one, other):
            continue
        if _is_rival(own, one, best) or (asked_for and _counts_alike(own, other, one, best)):
            seen_items.add(one.unit.item_id)
            found.append(Disagreement(own.text, other.text, one))
    return found


def answer_value(candidate: Candidate) -> Value | None:
    """The one figure or point in time that a candidate answers with."""
    figure = answer_figure(candidate)
    if figure is not None:
        at = candidate.answer.find(figure.text)
        behind = candidate.answer[at + len(figure.text) :] if at >= 0 else ""
        noun = tuple(terms(behind)[:2])
        return Value(figure.text, figure, noun=noun, counted=_counted(figure, candidate))
    times = periods(candidate.answer)
    if _POINTS & {sort_of(mark) for mark in times}:
        return Value(candidate.answer, times=times)
    return None


def _counted(figure: Quantity, candidate: Candidate) -> frozenset[str]:
    if figure.measure is not Measure.NUMBER or candidate.unit.is_row:
        return frozenset()
    text = candidate.unit.text
    at = text.find(figure.text)
    behind = _NOUNS.match(text, at + len(figure.text)) if at >= 0 else None
    return frozenset(terms(behind[0])) - STOP_WORDS if behind else frozenset()


def answer_figure(candidate: Candidate) -> Quantity | None:
    """The one figure that a candidate answers with."""
    figures = outside_dates(quantities(candidate.answer), candidate.answer)
    if not figures and candidate.cell is not None and not periods(candidate.answer):
        return only_figure(candidate.unit.cells[candidate.cell][1])
    if not candidate.answer and not candidate.unit.is_row:
        # No reader pointed at words; a sentence with one figure leaves no choice.
        figures = outside_dates(candidate.unit.figures, candidate.unit.text)
    return figures[0] if len(figures) == 1 else None


def _differ(own: Value, other: Value) -> bool:
    """Another value of the same measure and noun; or another point in time."""
    if own.figure is None or other.figure is None:
        return own.figure is other.figure and _differ_in_time(own.times, other.times)
    return (
        other.figure.measure is own.figure.measure
        and not (own.noun and other.noun and own.noun != other.noun)
        and not (own.counted and other.counted and own.counted.isdisjoint(other.counted))
        and not same(own.figure, other.figure)
    )


def _holds(own: Value, one: Candidate) -> bool:
    """Whether a unit gives the other's value as well, beside its own."""
    if own.figure is None:
        return own.times <= one.unit.own_periods
    return any(same(own.figure, figure) for figure in one.unit.figures)


def _differ_in_time(own: frozenset[str], other: frozenset[str]) -> bool:
    """Two points as exact as each other; "18 June" and "18 June 2025" are one."""
    sorts = {sort_of(mark) for mark in own} & {sort_of(mark) for mark in other} & _POINTS
    return bool(sorts) and conflict(own, other)


def _has_several(one: Candidate, value: Value) -> bool:
    """A sentence with several figures of one measure: which of them is meant is a guess."""
    if value.figure is None or one.unit.is_row:
        return False
    return sum(figure.measure is value.figure.measure for figure in one.unit.figures) > 1


def _is_rival(own: Value, one: Candidate, best: Candidate) -> bool:
    """A likely answer itself, or one that the reader points at and that has all of the words;
    of the same time."""
    if one.features.together < _COVERAGE_SHARE * best.features.together:
        return False
    said = one.unit.own_periods or one.unit.all_periods
    if own.figure is not None and conflict(best.unit.all_periods, said):
        return False
    as_telling = one.features.coverage >= _AS_TELLING * best.features.coverage
    return one.probability >= _RIVAL or (bool(one.answer) and as_telling)


def _counts_alike(own: Value, other: Value, one: Candidate, best: Candidate) -> bool:
    """Enough where somebody asks whether the items agree: pointed at by the reader, on the subject,
    and of the same noun, square metres beside square metres. The dates of two documents do not
    part what they say of one thing."""
    return (
        bool(own.noun)
        and own.noun == other.noun
        and one.features.coverage > 0
        and not conflict(best.unit.own_periods, one.unit.own_periods)
    )


def same(one: Quantity, other: Quantity) -> bool:
    """Equal, rounded, or in thousands or millions."""
    if one.agrees_with(other):
        return True
    for scale in _SCALES:
        for small, large in ((one, other), (other, one)):
            if replace(small, value=small.value * scale).agrees_with(large):
                return True
    return one.measure is Measure.PERCENT and abs(one.value - other.value) < Decimal("0.05")
