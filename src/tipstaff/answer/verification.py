"""Verification parts (TIP §9.2): yes, no, partly, or silence, with what the context does say."""

from __future__ import annotations

from collections.abc import Sequence

from tipstaff.answer.claims import claim_from, claim_of
from tipstaff.answer.context import AnswerContext
from tipstaff.answer.existence import rows_lacking
from tipstaff.answer.factual import gap_answer
from tipstaff.answer.gate import ANSWER, Judgement, Verdict, absent_name, gap_of
from tipstaff.answer.gathering import Candidate, gather
from tipstaff.answer.part_answer import PartAnswer
from tipstaff.answer.question import Part
from tipstaff.answer.rival_figures import with_rivals
from tipstaff.answer.ruling import ENOUGH, SOME, Holds, puts_off, ruling
from tipstaff.domain.classification import Confidence
from tipstaff.domain.draft import Paragraph
from tipstaff.domain.response import Gap

_LEADS = {
    "yes": "Yes, the context supports this:",
    "no": "No, the context says otherwise:",
    "no_longer": "No longer; the context says that it has been replaced:",
    "partly": "Partly. The context says:",
    "unclear": "The context speaks to this without settling it. It says:",
}
_MOST = 3
_MOST_ROWS = 12
_LOOKED_AT = 8


def answer_verification(part: Part, context: AnswerContext) -> PartAnswer:
    gathered = gather(part, context)
    absent = absent_name(part, context)
    if absent:
        gap = Gap(absent, f"'{absent}' does not occur anywhere in the bundled context.")
        return gap_answer(part, Judgement(Verdict.GAP, (), gap), gathered, context)
    lacking = rows_lacking(part, gathered, context)
    if lacking:
        rows = tuple(claim_from(row, context) for row in lacking[:_MOST_ROWS])
        lead = _LEADS[Holds.YES]
        return PartAnswer(paragraphs=(Paragraph(lead=lead, claims=rows, as_list=True),))
    speaking = _speaking(part, gathered.candidates)
    if not speaking:
        return gap_answer(part, Judgement(Verdict.GAP, (), gap_of(part)), gathered, context)
    verdict, carrying = _decide([(one, ruling(part, one)) for one in speaking])
    if verdict is Holds.UNCLEAR and not _is_close(carrying[0]):
        return gap_answer(part, Judgement(Verdict.GAP, (), gap_of(part)), gathered, context)
    sure = Confidence.MEDIUM if verdict in (Holds.PARTLY, Holds.UNCLEAR) else Confidence.HIGH
    claims = tuple(claim_of(one, context, confidence=sure) for one in carrying[:_MOST])
    gaps: tuple[Gap, ...] = ()
    if verdict is Holds.UNCLEAR:
        topic = part.text.strip(" ?")
        gaps = (Gap(topic, "The bundled context does not settle this question."),)
    answer = PartAnswer(
        paragraphs=(Paragraph(lead=_LEADS[verdict], claims=claims, as_list=len(claims) > 1),),
        gaps=gaps,
    )
    if verdict is Holds.NO_LONGER:
        # What has been replaced contradicts nothing.
        return answer
    used = [one.unit for one in carrying[:_MOST]]
    found = [one.unit for one in gathered.candidates]
    return with_rivals(answer, part, used=used, found=found, context=context)


def _speaking(part: Part, candidates: Sequence[Candidate]) -> list[Candidate]:
    """The units that speak to a claim: what it says must be in them, not only around them. A
    reader of questions and answers has little to say about yes and no."""
    fitting = [
        one
        for one in candidates
        if not one.features.wrong_time
        and one.features.names > 0
        and one.features.together >= SOME
        and (one.features.coverage >= 0.25 or one.probability >= ANSWER)
    ]
    fitting.sort(key=lambda one: (-_weight(one), one.unit.key))
    best = _weight(fitting[0]) if fitting else 0.0
    near = [one for one in fitting if _weight(one) >= 0.7 * best][:_LOOKED_AT]
    return [*near, *(one for one in candidates if one not in near and puts_off(part, one))]


def _is_close(candidate: Candidate) -> bool:
    """Worth showing although it settles nothing: on the question's own words."""
    if candidate.is_reworded:
        return False
    return candidate.features.together >= ENOUGH or candidate.probability >= ANSWER


def _weight(candidate: Candidate) -> float:
    facts = candidate.features
    return 0.5 * facts.together + 0.6 * facts.coverage + 0.5 * candidate.probability


def _decide(rulings: list[tuple[Candidate, Holds]]) -> tuple[Holds, list[Candidate]]:
    """The verdict of the best evidence. What replaces a value outranks those that still give it;
    clear voices on both sides make a claim partly true."""
    replaced = [one for one, holds in rulings if holds is Holds.NO_LONGER]
    if replaced:
        now = [one for one, holds in rulings if holds is Holds.NO]
        return Holds.NO_LONGER, [*replaced[:2], *now[:1]]
    sure = [(one, holds) for one, holds in rulings if holds is not Holds.UNCLEAR]
    if not sure:
        return Holds.UNCLEAR, [one for one, _ in rulings[:2]]
    first = sure[0][1]
    same = [one for one, holds in sure if holds is first]
    others = [one for one, holds in sure if holds is not first]
    if others and _weight(others[0]) >= 0.9 * _weight(same[0]):
        return Holds.PARTLY, [same[0], *others[:2]]
    return first, same
