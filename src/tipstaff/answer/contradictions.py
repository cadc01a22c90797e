"""The same quantity of the same thing and period with different values in different items.

Other units, rounding, other periods and other scopes are no contradictions (TIP §11.8).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from tipstaff.answer.gathering import Candidate
from tipstaff.facts.periods import conflict
from tipstaff.facts.quantities import Measure, Quantity, quantities

# A rival must be a likely answer itself, and about as much of the question.
_RIVAL = 0.35
_AS_TELLING = 0.9
_COVERAGE_SHARE = 0.75
_SCALES = (Decimal(1000), Decimal(1_000_000))


@dataclass(frozen=True, slots=True)
class Disagreement:
    """The best candidate's value as written, another's, and that other."""

    own: str
    other: str
    candidate: Candidate


def disagreements(best: Candidate, candidates: Sequence[Candidate]) -> list[Disagreement]:
    """Candidates of other items that give another value for what was asked."""
    own = answer_figure(best)
    if own is None:
        return []
    found: list[Disagreement] = []
    seen_items = {best.unit.item_id}
    for one in candidates:
        other = answer_figure(one)
        if (
            other is None
            or one.unit.item_id in seen_items
            or not _is_rival(one, best)
            or one.features.together < _COVERAGE_SHARE * best.features.together
            or one.features.names < best.features.names
            or other.measure is not own.measure
            or same(own, other)
            or any(same(own, figure) for figure in one.unit.figures)
            or conflict(best.unit.all_periods, one.unit.own_periods or one.unit.all_periods)
        ):
            continue
        seen_items.add(one.unit.item_id)
        found.append(Disagreement(own.text, other.text, one))
    return found


def _is_rival(one: Candidate, best: Candidate) -> bool:
    """A likely answer itself, or one that the reader points at and that has all of the words."""
    as_telling = one.features.coverage >= _AS_TELLING * best.features.coverage
    return one.probability >= _RIVAL or (bool(one.answer) and as_telling)


def answer_figure(candidate: Candidate) -> Quantity | None:
    """The one figure that a candidate answers with."""
    figures = quantities(candidate.answer)
    if not figures and candidate.cell is not None:
        figures = quantities(candidate.unit.cells[candidate.cell][1])
    return figures[0] if len(figures) == 1 else None


def same(one: Quantity, other: Quantity) -> bool:
    """Equal, rounded, or in thousands or millions."""
    if one.agrees_with(other):
        return True
    for scale in _SCALES:
        for small, large in ((one, other), (other, one)):
            scaled = Quantity(
                small.value * scale, small.measure, small.text, 0, 0, small.unit, small.digits
            )
            if scaled.agrees_with(large):
                return True
    return one.measure is Measure.PERCENT and abs(one.value - other.value) < Decimal("0.05")
