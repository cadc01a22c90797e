"""Sums, differences and shares over cited figures, as inferences with their working (TIP §6.2)."""

from __future__ import annotations

from decimal import Decimal

from tipstaff.answer.claims import claim_of
from tipstaff.answer.context import AnswerContext
from tipstaff.answer.contradictions import answer_figure
from tipstaff.answer.gathering import Candidate
from tipstaff.answer.question import Part
from tipstaff.domain.classification import Confidence
from tipstaff.domain.draft import ClaimKind, DraftClaim
from tipstaff.facts.quantities import Measure, Quantity

Side = tuple[str, Part, Candidate | None]


def difference(one: Side, two: Side, context: AnswerContext) -> DraftClaim | None:
    """How far two figures of one measure are apart, and by which share of the second."""
    if one[2] is None or two[2] is None:
        return None
    first, second = answer_figure(one[2]), answer_figure(two[2])
    if first is None or second is None or not _comparable(first, second):
        return None
    apart = first.value - second.value
    if apart == 0:
        text = "Both figures are the same."
    else:
        text = f"The first is {shown(abs(apart), first)} {'above' if apart > 0 else 'below'} the second."
        if second.value and first.measure is not Measure.PERCENT:
            share = abs(apart) / abs(second.value) * 100
            text = text[:-1] + f" ({share:.1f} percent)."
    citations = tuple(
        citation
        for side in (one, two)
        if side[2] is not None
        for citation in claim_of(side[2], context, part=side[1]).citations
    )
    return DraftClaim(
        text=f"From these figures it can be inferred: {text}",
        kind=ClaimKind.INFERENCE,
        confidence=Confidence.MEDIUM,
        citations=citations,
        reasoning=f"{first.text} − {second.text} = {shown(apart, first)}",
    )


def shown(value: Decimal, like: Quantity) -> str:
    """A computed value in the manner of the figure that it came from."""
    amount = value.normalize()
    words = f"{amount:,f}"
    if like.measure is Measure.MONEY:
        sign = {"USD": "$", "EUR": "€", "GBP": "£"}.get(like.unit, f"{like.unit} ")
        return f"-{sign}{words[1:]}" if words.startswith("-") else f"{sign}{words}"
    if like.measure is Measure.PERCENT:
        return f"{words} percentage points"
    if like.measure is Measure.DURATION:
        return f"{words} {like.unit}{'' if abs(value) == 1 else 's'}"
    return words


def _comparable(one: Quantity, other: Quantity) -> bool:
    return one.measure is other.measure and one.unit == other.unit
