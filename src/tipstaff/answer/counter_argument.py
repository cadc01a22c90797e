"""Counter-argument parts (TIP §9.6): passages that contradict, qualify or warn."""

from __future__ import annotations

from dataclasses import replace

from tipstaff.answer.claims import claim_of
from tipstaff.answer.context import AnswerContext
from tipstaff.answer.gate import gap_of
from tipstaff.answer.gathering import Candidate, gather
from tipstaff.answer.part_answer import PartAnswer
from tipstaff.answer.question import Part
from tipstaff.domain.classification import Confidence
from tipstaff.domain.document import UnitKind
from tipstaff.domain.draft import Paragraph
from tipstaff.domain.response import Gap
from tipstaff.facts.polarity import ADVERSE, NEGATION
from tipstaff.lexical.analysis import terms

_MOST = 6
_PER_ITEM = 2
_FRAME = frozenset(
    terms(
        "evidence contradict contradicts argue argues against main recommendation findings quote "
        "who wants stop papers documents context risks downplay downplays synthesis data points "
        "proceeding going ahead weaken suggest suggests case challenge arguments argument any"
    )
)


def answer_counter_argument(part: Part, context: AnswerContext) -> PartAnswer:
    """The subject of the question with whatever speaks against it, from several items."""
    subject = [term for term in part.terms if term not in _FRAME]
    searched = replace(part, search_text=f"{part.search_text} risk concern problem against")
    gathered = gather(searched, context)
    found = [one for one in gathered.candidates if _speaks_against(one)]
    weighed = [
        (_weight(one, subject, context), one)
        for one in found
        if one.unit.unit.kind is not UnitKind.CODE
    ]
    if subject:
        weighed = [(weight, one) for weight, one in weighed if weight > 0.6]
    ranked = [one for _, one in sorted(weighed, key=lambda pair: (-pair[0], pair[1].unit.key))]
    chosen: list[Candidate] = []
    for one in ranked:
        if sum(other.unit.item_id == one.unit.item_id for other in chosen) < _PER_ITEM:
            chosen.append(one)
    if not chosen:
        gap = Gap("evidence against it", "No passage of the bundled context speaks against this.")
        return PartAnswer(gaps=(gap if subject else gap_of(part),))
    claims = tuple(claim_of(one, context, confidence=Confidence.MEDIUM) for one in chosen[:_MOST])
    lead = "These passages of the context speak against it or qualify it:"
    return PartAnswer(paragraphs=(Paragraph(lead=lead, claims=claims, as_list=True),))


def _speaks_against(candidate: Candidate) -> bool:
    words = candidate.unit.reader_text
    return bool(ADVERSE.search(words) or NEGATION.search(words))


def _weight(candidate: Candidate, subject: list[str], context: AnswerContext) -> float:
    unit = candidate.unit
    total = sum(context.rarity(term) for term in subject) or 1.0
    held = sum(context.rarity(term) for term in subject if term in unit.all_terms) / total
    adverse = len(set(match.group().lower() for match in ADVERSE.finditer(unit.reader_text)))
    return held + min(adverse, 3) * 0.2 + candidate.probability + candidate.features.similarity
