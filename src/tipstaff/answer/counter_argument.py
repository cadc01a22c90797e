"""Counter-argument parts (TIP §9.6): passages that contradict, qualify or warn.

Only what is on the subject: of the question or, where it asks about the recommendation, of what
the synthesis recommends."""

from __future__ import annotations

import re
from dataclasses import replace

from tipstaff.answer.claims import claim_from, claim_of
from tipstaff.answer.context import AnswerContext
from tipstaff.answer.evidence_unit import EvidenceUnit
from tipstaff.answer.factual import merged
from tipstaff.answer.gate import absent_name, gap_of
from tipstaff.answer.gathering import Candidate, gather
from tipstaff.answer.part_answer import PartAnswer
from tipstaff.answer.question import Part
from tipstaff.answer.rival_figures import with_rivals
from tipstaff.domain.classification import Confidence
from tipstaff.domain.document import UnitKind
from tipstaff.domain.draft import DraftClaim, Paragraph
from tipstaff.domain.response import Gap
from tipstaff.facts.polarity import ADVERSE, NEGATION, QUALIFIES
from tipstaff.lexical.analysis import query_terms, terms

_MOST = 6
_PER_ITEM = 3
_FRAME = frozenset(
    terms(
        "evidence contradict contradicts argue argues against main recommendation findings quote "
        "who wants stop papers documents context risks downplay downplays synthesis data points "
        "proceeding going ahead weaken weakens suggest suggests case challenge arguments argument "
        "any speaks speak view file reason reasons objection there again"
    )
)
_RECOMMENDS = re.compile(r"\brecommend(?:s|ed|ation)?\b", re.IGNORECASE)
_NO_STATEMENT = (UnitKind.CODE, UnitKind.NODE, UnitKind.HEADER, UnitKind.HEADING)
# Enough in common with the subject: in words, or by the sense of the passage.
_IN_WORDS = 0.15
_BY_SENSE = 0.4
_DENIED = 0.3
_MOST_ADVERSE = 3


def answer_counter_argument(part: Part, context: AnswerContext) -> PartAnswer:
    """The subject of the question with whatever speaks against it, from several items."""
    absent = absent_name(part, context)
    if absent:
        gap = Gap(absent, f"'{absent}' does not occur anywhere in the bundled context.")
        return PartAnswer(gaps=(gap,))
    # A word that occurs nowhere cannot tell what is on the subject.
    subject = [term for term in part.terms if term not in _FRAME and context.occurs(term)]
    if _RECOMMENDS.search(part.text):
        subject += _recommended(context)
    searched = replace(part, search_text=f"{part.search_text} risk concern problem against")
    gathered = gather(searched, context)
    weighed = [
        (_weight(one, subject, context), one)
        for one in gathered.candidates
        if _speaks_against(one, subject, context)
    ]
    ranked = [one for _, one in sorted(weighed, key=lambda pair: (-pair[0], pair[1].unit.key))]
    chosen = _spread(ranked)
    if not chosen:
        gap = Gap("evidence against it", "No passage of the bundled context speaks against this.")
        return PartAnswer(gaps=(gap if subject else gap_of(part),))
    claims = tuple(merged([claim for one in chosen for claim in _claims(one, context)]))
    lead = "These passages of the context may speak against it or qualify it:"
    answer = PartAnswer(paragraphs=(Paragraph(lead=lead, claims=claims, as_list=True),))
    used = [one.unit for one in chosen]
    found = [one.unit for one in gathered.candidates]
    return with_rivals(answer, part, used=used, found=found, context=context)


def _spread(ranked: list[Candidate]) -> list[Candidate]:
    chosen: list[Candidate] = []
    for one in ranked:
        if sum(other.unit.item_id == one.unit.item_id for other in chosen) < _PER_ITEM:
            chosen.append(one)
    return chosen[:_MOST]


def _claims(candidate: Candidate, context: AnswerContext) -> list[DraftClaim]:
    """What a candidate says, after the sentence before it if that speaks against it, too: "The
    clause excludes it. Whatever you believe, …" """
    said = [claim_of(candidate, context, confidence=Confidence.MEDIUM)]
    before = context.before(candidate.unit)
    if before is not None and _adverse(before):
        said.insert(0, claim_from(before, context, confidence=Confidence.MEDIUM))
    return said


def _adverse(unit: EvidenceUnit) -> set[str]:
    """Words that warn; in capitals inside a sentence they are somebody's title."""
    return {
        match.group().lower()
        for match in ADVERSE.finditer(unit.reader_text)
        if unit.is_row or match.group()[0].islower() or match.start() == 0
    }


def _recommended(context: AnswerContext) -> list[str]:
    """What the synthesis recommends, in its telling words."""
    said = " ".join(unit.text for unit in context.synthesis_units if _RECOMMENDS.search(unit.text))
    return sorted(set(query_terms(said)) - _FRAME)


def _speaks_against(candidate: Candidate, subject: list[str], context: AnswerContext) -> bool:
    """A warning on the subject, or a denial that has much of its words."""
    unit = candidate.unit
    if unit.unit.kind in _NO_STATEMENT or candidate.features.wrong_time:
        return False
    own, _ = _held(candidate, subject, context)
    if _adverse(unit):
        is_on = own >= _IN_WORDS or candidate.features.similarity >= _BY_SENSE
        return is_on or not subject
    return not unit.is_row and bool(NEGATION.search(unit.text)) and own >= _DENIED


def _held(candidate: Candidate, subject: list[str], context: AnswerContext) -> tuple[float, float]:
    """How much of the subject stands in the unit, and around it."""
    total = sum(context.rarity(term) for term in subject) or 1.0
    unit = candidate.unit
    own = sum(context.rarity(term) for term in subject if term in unit.own_terms) / total
    around = sum(context.rarity(term) for term in subject if term in unit.all_terms) / total
    return own, around


def _weight(candidate: Candidate, subject: list[str], context: AnswerContext) -> float:
    own, around = _held(candidate, subject, context)
    words = candidate.unit.reader_text
    qualified = bool(NEGATION.search(words)) + bool(QUALIFIES.search(words))
    strength = min(len(_adverse(candidate.unit)) + 0.4 * qualified, _MOST_ADVERSE)
    return own + 0.5 * around + 0.25 * strength + candidate.features.similarity
