"""Differences and shares over cited figures, as inferences with their working (TIP §6.2)."""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass
from decimal import Decimal

from tipstaff.answer.claims import claim_of
from tipstaff.answer.context import AnswerContext
from tipstaff.answer.contradictions import Value, answer_value
from tipstaff.answer.gathering import Candidate
from tipstaff.answer.question import Part
from tipstaff.domain.classification import Confidence
from tipstaff.domain.draft import ClaimKind, DraftCitation, DraftClaim
from tipstaff.facts.quantities import Measure, Quantity
from tipstaff.verify.measures import rate_behind

_CLOCK = re.compile(r"t(\d\d):(\d\d)")


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a comparison with the evidence for it."""

    name: str
    part: Part
    candidate: Candidate


def difference(one: Side, two: Side, context: AnswerContext) -> DraftClaim | None:
    """How far two values of one measure are apart, and by which share of the second."""
    first, second = answer_value(one.candidate), answer_value(two.candidate)
    if first is None or second is None:
        return None
    if first.figure is not None and second.figure is not None:
        if _rate(one.candidate, first.figure) != _rate(two.candidate, second.figure):
            return None  # so much a month is neither above nor below so much in all
        worked = _figures_apart(first.figure, second.figure)
    else:
        worked = _times_apart(first, second)
    if worked is None:
        return None
    citations = tuple(
        citation
        for side in (one, two)
        for citation in claim_of(side.candidate, context, part=side.part).citations
    )
    return inference(*worked, citations)


def _rate(candidate: Candidate, figure: Quantity) -> str:
    text = candidate.unit.text
    at = text.find(figure.text)
    return rate_behind(text, at + len(figure.text)) if at >= 0 else ""


def inference(text: str, working: str, citations: tuple[DraftCitation, ...]) -> DraftClaim:
    return DraftClaim(
        text=f"From these figures it can be inferred: {text}",
        kind=ClaimKind.INFERENCE,
        confidence=Confidence.MEDIUM,
        citations=citations,
        reasoning=working,
    )


def share_of(part: Quantity, whole: Quantity) -> tuple[str, str] | None:
    """One figure as a share of another, in words and worked; None where it would be none."""
    if part.measure is not whole.measure or not 0 <= part.value <= whole.value or not whole.value:
        return None
    percent = part.value / whole.value * 100
    shown_percent = f"{percent:.1f}".removesuffix(".0")
    return f"{shown_percent} percent.", f"{part.text} / {whole.text} = {percent:.1f}%"


def change(earlier: Quantity, later: Quantity, *, note: str = "") -> tuple[str, str] | None:
    """From one figure to the next, in words and worked; None where they do not compare."""
    if earlier.measure is not later.measure or earlier.unit != later.unit:
        return None
    apart = later.value - earlier.value
    working = f"{later.text} − {earlier.text} = {shown(apart, later)}{note}"
    if apart == 0:
        return "it did not change.", working
    text = f"it {'rose' if apart > 0 else 'fell'} by {shown(abs(apart), later)}{note}"
    if earlier.value and earlier.measure is not Measure.PERCENT:
        percent = f"{abs(apart) / abs(earlier.value) * 100:.1f}"
        text += f", which is {percent} percent"
        working += f"; {shown(abs(apart), later)} / {earlier.text} = {percent}%"
    return f"{text}.", working


def ratio(figure: Quantity, divisor: Quantity, *, noun: str, note: str = "") -> tuple[str, str]:
    """So much of the one per one of the other, to the hundredth."""
    each = (figure.value / divisor.value).quantize(Decimal("0.01"))
    words = f"{shown(each, figure)}{note}"
    return f"about {words} per {noun}.", f"{figure.text} / {divisor.text} = {words}"


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


def _figures_apart(first: Quantity, second: Quantity) -> tuple[str, str] | None:
    if first.measure is not second.measure or first.unit != second.unit:
        return None
    apart = first.value - second.value
    working = f"{first.text} − {second.text} = {shown(apart, first)}"
    if apart == 0:
        return "both figures are the same.", working
    side = "above" if apart > 0 else "below"
    text = f"the first is {shown(abs(apart), first)} {side} the second"
    if second.value and first.measure is not Measure.PERCENT:
        text += f" ({abs(apart) / abs(second.value) * 100:.1f} percent)"
    return f"{text}.", working


def _times_apart(first: Value, second: Value) -> tuple[str, str] | None:
    """Minutes between two times of one day, days between two dates; else nothing is certain."""
    one, two = _minute(first.times), _minute(second.times)
    if one is not None and two is not None and date_of(first.times) == date_of(second.times):
        apart, unit = one - two, "minute"
    else:
        day, other = date_of(first.times), date_of(second.times)
        if day is None or other is None:
            return None
        apart, unit = (day - other).days, "day"
    length = f"{abs(apart)} {unit}{'' if abs(apart) == 1 else 's'}"
    if apart == 0:
        return "both are at the same time.", f"{first.text}; {second.text}"
    text = f"the first is {length} {'later' if apart > 0 else 'earlier'} than the second."
    return text, f"from {first.text} to {second.text}: {length}"


def _minute(times: frozenset[str]) -> int | None:
    found = [match for mark in times if (match := _CLOCK.fullmatch(mark))]
    return int(found[0][1]) * 60 + int(found[0][2]) if len(found) == 1 else None


def date_of(times: frozenset[str]) -> dt.date | None:
    """The one day that marks of a time name."""
    marks = {sort: [mark[1:] for mark in times if mark[0] == sort] for sort in "ymd"}
    if any(len(found) != 1 or not found[0].isdigit() for found in marks.values()):
        return None
    try:
        return dt.date(*(int(marks[sort][0]) for sort in "ymd"))
    except ValueError:
        return None
