"""Explanatory parts (TIP §9.7): the reason, or the passage that explains, a sentence at a time."""

from __future__ import annotations

import re

from tipstaff.answer.claims import claim_of
from tipstaff.answer.context import AnswerContext
from tipstaff.answer.factual import answer_from, gap_answer, weak_answer
from tipstaff.answer.gate import ANSWER, WEAK, Judgement, Verdict, judge
from tipstaff.answer.gathering import Candidate, Gathered, gather
from tipstaff.answer.part_answer import PartAnswer
from tipstaff.answer.question import AnswerKind, Part
from tipstaff.domain.classification import Confidence
from tipstaff.domain.draft import Paragraph
from tipstaff.facts.polarity import CAUSE

_MOST = 4
_EXPLAIN = re.compile(r"\b(?:explain|describe|walk me through)\b", re.IGNORECASE)
_CAUSE_BONUS = 0.12


def answer_explanation(part: Part, context: AnswerContext) -> PartAnswer:
    gathered = gather(part, context)
    if _EXPLAIN.search(part.text):
        return _account(part, gathered, context)
    if part.kind is not AnswerKind.REASON:
        return answer_from(part, gathered, context)
    favoured = sorted(
        gathered.candidates, key=lambda one: (-(one.probability + _bonus(one)), one.unit.key)
    )
    judgement = judge(part, Gathered(candidates=tuple(favoured), found=gathered.found), context)
    if judgement.verdict is Verdict.GAP:
        return gap_answer(part, judgement, gathered, context)
    if judgement.verdict is Verdict.WEAK:
        return weak_answer(part, judgement, context)
    chosen = [one for one in judgement.candidates if one.probability >= ANSWER][:3]
    claims = tuple(claim_of(one, context, confidence=_sure(one)) for one in chosen)
    return PartAnswer(paragraphs=(Paragraph(claims=claims),))


def _account(part: Part, gathered: Gathered, context: AnswerContext) -> PartAnswer:
    """The sentences of the best passage that speak of the subject, in their order."""
    judgement = judge(part, gathered, context)
    best = gathered.best
    if best is None or (
        judgement.gap and judgement.verdict is Verdict.GAP and best.probability < WEAK
    ):
        return gap_answer(part, judgement, gathered, context)
    same = [
        one
        for one in gathered.candidates
        if one.unit.item_id == best.unit.item_id
        and one.unit.block.headings == best.unit.block.headings
    ][:_MOST]
    same.sort(key=lambda one: one.unit.key)
    if best.probability < WEAK:
        return gap_answer(part, Judgement(Verdict.GAP, tuple(same)), gathered, context)
    claims = tuple(claim_of(one, context, confidence=_sure(one)) for one in same)
    return PartAnswer(paragraphs=(Paragraph(claims=claims, as_list=len(claims) > 1),))


def _bonus(candidate: Candidate) -> float:
    return _CAUSE_BONUS if CAUSE.search(candidate.unit.reader_text) else 0.0


def _sure(candidate: Candidate) -> Confidence:
    return Confidence.HIGH if candidate.probability >= 0.65 else Confidence.MEDIUM
