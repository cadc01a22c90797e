"""Gap analysis (TIP §9.4): what the documents raise and leave open, in their own words."""

from __future__ import annotations

from tipstaff.answer.attribution import answer_attribution
from tipstaff.answer.claims import claim_from
from tipstaff.answer.context import AnswerContext
from tipstaff.answer.evidence_unit import EvidenceUnit
from tipstaff.answer.gathering import gather
from tipstaff.answer.part_answer import PartAnswer
from tipstaff.answer.question import Part
from tipstaff.domain.classification import Confidence
from tipstaff.domain.document import UnitKind
from tipstaff.domain.draft import Paragraph
from tipstaff.domain.response import Gap
from tipstaff.facts.polarity import OPEN
from tipstaff.lexical.analysis import terms

_MOST = 8
_PER_ITEM = 3
# Words of such a question that say nothing about its subject.
_FRAME = frozenset(
    terms(
        "topics questions information data missing gaps covered not addressed documents context raise "
        "leave unanswered open unresolved need validate analysis bundle papers risks which what "
        "looked assessed included discussed mentioned still any are there"
    )
)


def answer_gap_analysis(part: Part, context: AnswerContext) -> PartAnswer:
    if part.attributed_to:
        said = answer_attribution(part, gather(part, context), context)
        if said.says_something:
            return said
    subject = [term for term in part.terms if term not in _FRAME]
    found = [unit for item in context.items for unit in context.units_of(item.id) if _is_open(unit)]
    ranked = sorted(found, key=lambda unit: (-_weight(unit, subject, context), unit.key))
    if subject:
        ranked = [unit for unit in ranked if _weight(unit, subject, context) > 0] or ranked
    chosen = _spread(ranked)
    lead = "The context itself leaves these points open:"
    gap = Gap(
        "what the context leaves open",
        "These points are raised in the documents and not settled in them.",
    )
    if not chosen:
        return PartAnswer(
            gaps=(Gap("open points", "No document says that it leaves something open."),)
        )
    claims = tuple(claim_from(unit, context, confidence=Confidence.MEDIUM) for unit in chosen)
    return PartAnswer(paragraphs=(Paragraph(lead=lead, claims=claims, as_list=True),), gaps=(gap,))


def _is_open(unit: EvidenceUnit) -> bool:
    if unit.unit.kind in (UnitKind.HEADING, UnitKind.CODE, UnitKind.NODE) or len(unit.text) > 400:
        return False
    return bool(OPEN.search(unit.text))


def _weight(unit: EvidenceUnit, subject: list[str], context: AnswerContext) -> float:
    """How much of the subject it has; sections that are about open points come first."""
    held = sum(context.rarity(term) for term in subject if term in unit.all_terms)
    about = any(OPEN.search(heading) for heading in unit.block.headings)
    return held + (0.5 if about else 0.0)


def _spread(units: list[EvidenceUnit]) -> list[EvidenceUnit]:
    """The first few of each item, so that every document is heard."""
    taken: dict[str, int] = {}
    chosen = []
    for unit in units:
        if taken.get(unit.item_id, 0) < _PER_ITEM:
            taken[unit.item_id] = taken.get(unit.item_id, 0) + 1
            chosen.append(unit)
    return chosen[:_MOST]
