"""How likely a unit answers a part, from what can be measured of both.

The weights were fitted on tuning data (docs/decisions/0010); rules that prove a gap are not
here: they outrank every probability (`gate.py`).
"""

from __future__ import annotations

import math
import re
from dataclasses import astuple, dataclass
from typing import TYPE_CHECKING

from tipstaff.answer.evidence_unit import EvidenceUnit
from tipstaff.answer.question import AnswerKind, Part
from tipstaff.domain.retrieval import Found
from tipstaff.facts.names import names
from tipstaff.facts.periods import conflict, covered, periods
from tipstaff.facts.quantities import Measure, quantities
from tipstaff.facts.synonyms import said_in
from tipstaff.lexical.analysis import terms

if TYPE_CHECKING:
    from tipstaff.answer.context import AnswerContext


@dataclass(frozen=True, slots=True)
class Features:
    """Each from 0 to 1, except `voice`, the reader's probability as a logit."""

    voice: float
    coverage: float  # telling terms of the part that the unit itself has, weighted by rarity
    together: float  # the same with its headings, headers, author and title
    names: float  # names of the part that stand in the unit or its surroundings
    times: float  # periods likewise
    wrong_time: float  # 1 if it speaks of another period
    kind: float  # it holds something of the kind that is asked for
    similarity: float  # of the passage, by vectors
    unknown: float  # telling terms of the part that occur nowhere in the context
    rank: float  # 1 / place of the passage


def features_of(
    part: Part, unit: EvidenceUnit, found: Found, voice: float | None, context: AnswerContext
) -> Features:
    # Names have a feature of their own: a question is not half answered because it is named.
    named = {term for name in part.names for term in terms(name)}
    weights = {term: context.rarity(term) for term in part.terms if term not in named}
    weights = weights or {term: context.rarity(term) for term in part.terms}
    total = sum(weights.values()) or 1.0
    held = said_in if context.reader is not None else _has
    own = sum(weight * held(term, unit.own_terms) for term, weight in weights.items())
    around = unit.all_terms | frozenset(terms(unit.previous))
    together = sum(weight * held(term, around) for term, weight in weights.items())
    return Features(
        voice=logit(voice if voice is not None else _UNREAD),
        coverage=own / total,
        together=together / total,
        names=_named(part, unit, context),
        times=covered(part.periods, unit.all_periods),
        wrong_time=float(_is_of_another_time(part, unit)),
        kind=float(has_kind(part.kind, unit)),
        similarity=found.vector_score or 0.0,
        unknown=sum(w for term, w in weights.items() if not context.occurs(term)) / total,
        rank=1 / max(found.rank, 1),
    )


def _has(term: str, text: frozenset[str]) -> float:
    """Without a reader, nothing tells whether another word means the same at its place."""
    return float(term in text)


# Order as in `Features`, then the constant. Fitted on SQuAD 2, CLAPNQ and TAT-QA tuning rows.
_WITH_READER = (0.8, 0.5, 0.8, 0.9, 0.3, -1.5, 0.5, 1.8, -0.5, 1.2, -4.2)
_WITHOUT_READER = (0.0, 2.0, 1.5, 0.8, 0.5, -1.5, 0.6, 2.5, -0.5, 1.0, -5.6)


def probability(features: Features, *, with_reader: bool) -> float:
    weights = _WITH_READER if with_reader else _WITHOUT_READER
    values = (*astuple(features), 1.0)
    score = sum(weight * value for weight, value in zip(weights, values, strict=True))
    return 1 / (1 + math.exp(-score))


def logit(value: float) -> float:
    bounded = min(max(value, 0.005), 0.995)
    return math.log(bounded / (1 - bounded))


def has_kind(kind: AnswerKind, unit: EvidenceUnit) -> bool:
    """Whether a unit holds something of the kind that a question expects."""
    measures = {figure.measure for figure in unit.figures}
    if kind is AnswerKind.MONEY:
        return Measure.MONEY in measures or (unit.is_row and bool(unit.figures))
    if kind is AnswerKind.PERCENT:
        return Measure.PERCENT in measures
    if kind is AnswerKind.COUNT:
        return bool(unit.figures)
    if kind is AnswerKind.DURATION:
        return Measure.DURATION in measures or len(unit.own_periods) >= 2
    if kind is AnswerKind.DATE:
        return bool(unit.own_periods)
    if kind is AnswerKind.WORD:
        return any(word.isupper() and len(word) > 3 for word in re.findall(r"[\w-]+", unit.text))
    if kind in (AnswerKind.PERSON, AnswerKind.PLACE):
        return bool(names(unit.text)) or bool(unit.author)
    return True


_WRONG_MEASURES = {
    AnswerKind.MONEY: {Measure.PERCENT, Measure.DURATION},
    AnswerKind.COUNT: {Measure.PERCENT, Measure.MONEY},
    AnswerKind.PERCENT: {Measure.MONEY, Measure.DURATION},
    AnswerKind.DURATION: {Measure.MONEY, Measure.PERCENT},
}


def is_of_another_kind(kind: AnswerKind, answer: str) -> bool:
    """Whether an answer gives only figures of another measure than was asked for."""
    said = {figure.measure for figure in quantities(answer)}
    return bool(said) and said <= _WRONG_MEASURES.get(kind, set())


def _named(part: Part, unit: EvidenceUnit, context: AnswerContext) -> float:
    """Names that are everywhere in the bundle (its subject) need not stand in the unit."""
    telling = [
        name
        for name in part.names
        if any(context.rarity(term) > SUBJECT_RARITY for term in terms(name))
    ]
    if not telling:
        return 1.0
    around = unit.all_terms | frozenset(terms(unit.previous))
    held = [name for name in telling if all(term in around for term in terms(name))]
    return len(held) / len(telling)


# A name that tells less is the subject of the whole bundle.
SUBJECT_RARITY = 1.0
# What the reader did not read was not found worth reading.
_UNREAD = 0.1


def _is_of_another_time(part: Part, unit: EvidenceUnit) -> bool:
    """A row's own header cells may name several periods: then its cell decides. A sentence without
    a time has that of the sentence before it, whatever the title's date."""
    before = frozenset() if unit.own_periods else periods(unit.previous)
    if before & part.periods and not conflict(part.periods, before):
        return False
    return bool(part.periods) and conflict(part.periods, unit.all_periods)
