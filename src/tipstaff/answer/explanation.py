"""Explanatory parts (TIP §9.7): the reason, or the passage that explains, a sentence at a time."""

from __future__ import annotations

import re
from dataclasses import replace

from tipstaff.answer.claims import claim_of
from tipstaff.answer.context import AnswerContext
from tipstaff.answer.factual import answer_from, gap_answer, merged, weak_answer
from tipstaff.answer.figures_together import answer_figures_together
from tipstaff.answer.gate import ANSWER, WEAK, Judgement, Verdict, absent_name, judge
from tipstaff.answer.gathering import Candidate, Gathered, gather
from tipstaff.answer.part_answer import PartAnswer
from tipstaff.answer.premise import false_premise
from tipstaff.answer.question import AnswerKind, Part
from tipstaff.answer.rival_figures import with_rivals
from tipstaff.domain.classification import Confidence
from tipstaff.domain.draft import Paragraph
from tipstaff.facts.polarity import BECAUSE, CAUSE

_MOST = 4
_MOST_REASONS = 3
_EXPLAIN = re.compile(r"\b(?:explain|describe|walk me through)\b", re.IGNORECASE)
_WHY = re.compile(r"\b(?:why|how come)\b", re.IGNORECASE)
_CAUSE_BONUS = 0.12
# A sentence that gives a reason for what the question speaks of, in the words that are known.
_KNOWN_WORDS = 0.5
_KNOWN_IN_BEST = 0.35
_MOSTLY_UNKNOWN = 0.7
_SOME_CHANCE = 0.1
_CONFIRMS = 0.15
_UNREAD_VOICE = -1.0


def answer_explanation(part: Part, context: AnswerContext) -> PartAnswer:
    gathered = gather(part, context)
    if _EXPLAIN.search(part.text):
        return _account(part, gathered, context)
    denied = false_premise(part, gathered, context)
    if denied is not None:
        return denied
    if part.kind is not AnswerKind.REASON and not _WHY.search(part.text):
        return answer_from(part, gathered, context)
    if len(part.quantities) > 1:
        held_together = answer_figures_together(part, context)
        if held_together:
            return held_together
    favoured = sorted(
        gathered.candidates, key=lambda one: (-(one.probability + _bonus(one)), one.unit.key)
    )
    judgement = judge(part, Gathered(candidates=tuple(favoured), found=gathered.found), context)
    chosen = [one for one in judgement.candidates if one.probability >= ANSWER]
    if context.reader is None:
        # Words in common do not make a reason; without a reader it must be worded as one.
        chosen = [one for one in chosen if CAUSE.search(one.unit.reader_text)]
    if judgement.verdict is not Verdict.ANSWER:
        # What proves a gap outranks every reason (a name that is nowhere).
        proven = absent_name(part, context) is not None
        chosen = (
            []
            if proven
            else [one for one in favoured if _gives_reason(one, is_best=one is gathered.best)]
        )
    if chosen:
        chosen = [*chosen[:_MOST_REASONS], *_confirming(chosen[0], favoured)]
        claims = merged([claim_of(one, context, confidence=_sure(one)) for one in chosen])
        answer = PartAnswer(paragraphs=(Paragraph(claims=tuple(claims)),))
        return _with_rivals(answer, part, chosen, gathered, context)
    touching = [one for one in judgement.candidates if CAUSE.search(one.unit.reader_text)]
    if judgement.verdict is Verdict.GAP or not touching or touching[0].probability < WEAK:
        # Only what gives some reason touches on a question for one.
        return gap_answer(part, judgement, gathered, context)
    weak = weak_answer(part, replace(judgement, candidates=tuple(touching)), context)
    return _with_rivals(weak, part, touching[:1], gathered, context) if weak.paragraphs else weak


def _gives_reason(candidate: Candidate, *, is_best: bool) -> bool:
    """It says "because", and what is known of the question's words is in it. A reader of
    questions and answers trusts no sentence that words the event otherwise."""
    facts = candidate.features
    if not BECAUSE.search(candidate.unit.text) or facts.wrong_time or facts.names < 1:
        return False
    if candidate.probability + _CAUSE_BONUS >= ANSWER:
        return True
    known = facts.together / max(1 - facts.unknown, 0.01)
    return (
        not candidate.is_reworded
        and known >= (_KNOWN_IN_BEST if is_best else _KNOWN_WORDS)
        and facts.times == 1
        and facts.unknown < _MOSTLY_UNKNOWN
        and candidate.probability >= _SOME_CHANCE
        and bool(candidate.answer or candidate.features.voice > _UNREAD_VOICE)
    )


def _confirming(best: Candidate, candidates: list[Candidate]) -> list[Candidate]:
    """One unit of another item that gives the same figures or times."""
    for one in candidates:
        if one.unit.item_id == best.unit.item_id or one.probability < _CONFIRMS:
            continue
        figures = {figure.value for figure in one.unit.figures}
        same = figures & {figure.value for figure in best.unit.figures}
        if len(same) > 1 or (same and one.unit.own_periods & best.unit.own_periods):
            return [one]
    return []


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
    answer = PartAnswer(paragraphs=(Paragraph(claims=claims, as_list=len(claims) > 1),))
    return _with_rivals(answer, part, same, gathered, context)


def _with_rivals(
    answer: PartAnswer,
    part: Part,
    chosen: list[Candidate],
    gathered: Gathered,
    context: AnswerContext,
) -> PartAnswer:
    used = [one.unit for one in chosen]
    found = [one.unit for one in gathered.candidates]
    return with_rivals(answer, part, used=used, found=found, context=context)


def _bonus(candidate: Candidate) -> float:
    return _CAUSE_BONUS if CAUSE.search(candidate.unit.reader_text) else 0.0


def _sure(candidate: Candidate) -> Confidence:
    return Confidence.HIGH if candidate.probability >= 0.65 else Confidence.MEDIUM
