"""Answers with no language model: every sentence is the bundle's own (TIP §3.1).

A question is understood and each part answered in the way of its type; nothing here decides what
may leave.
"""

from __future__ import annotations

from dataclasses import replace

from tipstaff.answer.aggregation import answer_aggregation
from tipstaff.answer.citation_check import answer_citation_check
from tipstaff.answer.comparison import answer_comparison
from tipstaff.answer.context import AnswerContext
from tipstaff.answer.counter_argument import answer_counter_argument
from tipstaff.answer.explanation import answer_explanation
from tipstaff.answer.factual import answer_factual
from tipstaff.answer.gap_analysis import answer_gap_analysis
from tipstaff.answer.growth import answer_growth
from tipstaff.answer.lateness import answer_lateness
from tipstaff.answer.named_sums import answer_named_sum
from tipstaff.answer.part_answer import PartAnswer
from tipstaff.answer.per_unit import answer_per_unit
from tipstaff.answer.question import Part, QueryType, Question
from tipstaff.answer.shares import answer_share
from tipstaff.answer.totals import answer_total
from tipstaff.answer.verification import answer_verification
from tipstaff.domain.classification import Confidence


def part_answers(
    question: Question, context: AnswerContext, *, grounding: str = "standard"
) -> list[PartAnswer]:
    """What each part comes to. `grounding` is strict (no inference), standard or exploratory."""
    answers = [_answer(part, context, infer=grounding != "strict") for part in question.parts]
    return [_strict(one) for one in answers] if grounding == "strict" else answers


def _answer(part: Part, context: AnswerContext, *, infer: bool) -> PartAnswer:
    calculated = _calculated(part, context) if infer else None
    if calculated is not None:
        return calculated
    match part.type:
        case QueryType.VERIFICATION:
            return answer_verification(part, context)
        case QueryType.COMPARISON:
            return answer_comparison(part, context, infer=infer)
        case QueryType.GAP_ANALYSIS:
            return answer_gap_analysis(part, context)
        case QueryType.CITATION_CHECK:
            return answer_citation_check(part, context)
        case QueryType.COUNTER_ARGUMENT:
            return answer_counter_argument(part, context)
        case QueryType.EXPLANATORY:
            return answer_explanation(part, context)
        case QueryType.AGGREGATION:
            return answer_aggregation(part, context)
        case _:
            return answer_factual(part, context)


def _calculated(part: Part, context: AnswerContext) -> PartAnswer | None:
    """Arithmetic that a question asks for (TIP §6.2); None where it asks for none, or the figures
    to calculate with are not certain."""
    if part.type not in (QueryType.FACTUAL, QueryType.AGGREGATION) or part.attributed_to:
        return None
    for answered in (
        answer_lateness,
        answer_share,
        answer_growth,
        answer_per_unit,
        answer_named_sum,
        answer_total,
    ):
        found = answered(part, context)
        if found is not None:
            return found
    return None


def _strict(answer: PartAnswer) -> PartAnswer:
    """Strict grounding: what is only touched on is not said at all."""
    kept = tuple(
        replace(paragraph, claims=claims)
        for paragraph in answer.paragraphs
        for claims in [
            tuple(one for one in paragraph.claims if one.confidence is not Confidence.LOW)
        ]
        if claims
    )
    return replace(answer, paragraphs=kept)
