"""Items that speak only through their summary (TIP §13.4.2)."""

from __future__ import annotations

from collections.abc import Sequence

from tipstaff.answer.part_answer import PartAnswer
from tipstaff.answer.question import Question
from tipstaff.chunk.sentences import sentences
from tipstaff.domain.citation import Citation
from tipstaff.domain.classification import Confidence
from tipstaff.domain.draft import ClaimKind, DraftCitation, DraftClaim, Paragraph
from tipstaff.domain.scope import IndexedItem
from tipstaff.lexical.analysis import terms

# Telling terms of the question that a sentence must share to be worth saying.
_SHARED = 2
_MOST = 2


def answer_from_summaries(question: Question, items: Sequence[IndexedItem]) -> PartAnswer:
    """What the summaries of such items say on a question; nothing if they say nothing."""
    asked = {term for part in question.parts for term in part.terms}
    claims = [
        _claim(item, sentence)
        for item in items
        for sentence in _sentences(item.summary)
        if len(asked & set(terms(sentence))) >= _SHARED
    ]
    if not claims:
        return PartAnswer()
    lead = "From the summary of an item of which no more may be shown:"
    return PartAnswer(paragraphs=(Paragraph(lead=lead, claims=tuple(claims[:_MOST])),))


def _sentences(summary: str) -> list[str]:
    found = [summary[one.start : one.end].strip() for one in sentences(summary)]
    return [one for one in found if not one.startswith("Sections:") and not one.endswith("…")]


def _claim(item: IndexedItem, sentence: str) -> DraftClaim:
    return DraftClaim(
        text=sentence,
        kind=ClaimKind.QUOTE,
        confidence=Confidence.MEDIUM,
        citations=(DraftCitation(citation=Citation(item.id), quotes=(sentence,)),),
    )
