"""One side of a comparison, or one figure of a calculation: a question of its own, answered."""

from __future__ import annotations

from dataclasses import replace

from tipstaff.answer.addressing import asks
from tipstaff.answer.alignment import Found, is_on_subject, of_one_cell
from tipstaff.answer.context import AnswerContext
from tipstaff.answer.factual import gap_answer
from tipstaff.answer.gate import Judgement, Verdict, absent_name, answers, judge
from tipstaff.answer.gathering import Candidate, Gathered, gather
from tipstaff.answer.question import FIGURES, AnswerKind, Part, QueryType, understand
from tipstaff.answer.wording import ended, topic_as_asked
from tipstaff.domain.response import Gap

# Of a side that is no figure, so much must stand in the words that are shown for it.
_ALL_OF_IT = 0.75


def find_side(side: str, part: Part, context: AnswerContext) -> Found:
    """The best evidence on one side, by the measure of the whole question."""
    own = _side_part(side, part)
    gathered = gather(own, context)
    judgement = judge(own, gathered, context)
    if judgement.verdict is Verdict.ANSWER:
        with_reader = context.reader is not None
        told = [one for one in judgement.candidates if answers(one, own, with_reader=with_reader)]
        fitting = [one for one in told if is_on_subject(own, one)]
        if fitting:
            best = of_one_cell(own, fitting[0])
            return Found(side=side, part=own, candidate=best, others=gathered.candidates)
    absent = absent_name(own, context)
    if part.kind not in FIGURES and not absent:
        spoken = _speaks_of(gathered)
        if spoken is not None:
            return Found(side=side, part=own, candidate=spoken, others=gathered.candidates)
    topic = absent or (topic_as_asked(side) if asks(side) else side)
    gap = Gap(topic, ended(f"The bundled context does not contain information about {topic}"))
    unanswered = gap_answer(own, Judgement(Verdict.GAP, judgement.candidates), gathered, context)
    return Found(
        side=side,
        part=own,
        candidate=None,
        others=gathered.candidates,
        gap=gap,
        related=unanswered.related,
    )


def _side_part(side: str, part: Part) -> Part:
    own = understand(side).parts[0]
    kind = part.kind if part.kind is not AnswerKind.YES_NO else AnswerKind.ANY
    return replace(
        own,
        type=QueryType.FACTUAL,
        kind=kind,
        # A reader answers questions, and a side is a noun with its attributes.
        search_text=f"What is {side}?" if part.kind in FIGURES else side,
        periods=own.periods or part.periods,
    )


def _speaks_of(gathered: Gathered) -> Candidate | None:
    """A unit that has all of a side's words in itself."""
    for one in gathered.candidates:
        facts = one.features
        if facts.coverage >= _ALL_OF_IT and facts.names == 1 and not facts.wrong_time:
            return one
    return None
