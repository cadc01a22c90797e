"""Comparison parts (TIP §9.3): both sides, aligned; a missing side is named."""

from __future__ import annotations

import re
from dataclasses import replace

from tipstaff.answer.arithmetic import difference
from tipstaff.answer.claims import claim_of
from tipstaff.answer.context import AnswerContext
from tipstaff.answer.contradictions import answer_figure
from tipstaff.answer.factual import answer_from, gap_answer
from tipstaff.answer.gate import Judgement, Verdict, absent_name, judge
from tipstaff.answer.gathering import Candidate, gather
from tipstaff.answer.part_answer import PartAnswer
from tipstaff.answer.question import Part, QueryType, understand
from tipstaff.domain.classification import Confidence
from tipstaff.domain.draft import DraftClaim, Paragraph
from tipstaff.domain.response import Gap
from tipstaff.retrieve.decomposition import aspects

_CONSISTENCY = re.compile(
    r"\bconsistent\b|\bagree on\b|\bdiscrepan|\bcontradict|\bconflict|\bmatch\b", re.IGNORECASE
)


def answer_comparison(part: Part, context: AnswerContext, *, infer: bool) -> PartAnswer:
    if _CONSISTENCY.search(part.text):
        return _consistency(part, context)
    sides = [side for side in aspects(part.text, limit=3) if side != part.text][:2]
    if len(sides) < 2:
        return answer_from(part, gather(part, context), context)
    found: list[tuple[str, Part, Candidate | None]] = []
    gaps: list[Gap] = []
    related: list[DraftClaim] = []
    for side in sides:
        own = _side_part(side, part)
        gathered = gather(own, context)
        judgement = judge(own, gathered, context)
        if judgement.verdict is Verdict.ANSWER:
            found.append((side, own, judgement.candidates[0]))
            continue
        absent = absent_name(own, context)
        topic = absent or side
        gaps.append(Gap(topic, f"The bundled context does not contain information about {topic}."))
        unanswered = gap_answer(
            own, Judgement(Verdict.GAP, judgement.candidates), gathered, context
        )
        related += unanswered.related
        found.append((side, own, None))
    if not any(candidate for _, _, candidate in found):
        return PartAnswer(gaps=tuple(gaps), related=tuple(related[:2]))
    paragraphs = [
        Paragraph(
            lead=f"On {side}:",
            claims=(claim_of(candidate, context, part=own, confidence=_sure(candidate)),),
        )
        for side, own, candidate in found
        if candidate is not None
    ]
    if infer and not gaps:
        worked = difference(found[0], found[1], context)
        if worked is not None:
            paragraphs.append(Paragraph(claims=(worked,)))
    return PartAnswer(paragraphs=tuple(paragraphs), gaps=tuple(gaps))


def _side_part(side: str, part: Part) -> Part:
    own = understand(side).parts[0]
    return replace(own, type=QueryType.FACTUAL, kind=part.kind, periods=own.periods or part.periods)


def _consistency(part: Part, context: AnswerContext) -> PartAnswer:
    """Asks for a figure and whether the documents agree on it."""
    if part.quantities and "?" not in part.text[:-1]:
        return _told_and_written(part, context)
    asked = re.split(r"(?<=\?)\s+", part.text)[0]
    own = replace(understand(asked).parts[0], type=QueryType.FACTUAL)
    answer = answer_from(own, gather(own, context, read=14), context)
    if answer.contradictions or not answer.says_something:
        return answer
    (first, *rest) = answer.paragraphs
    items = {one.citation.item_id for claim in first.claims for one in claim.citations}
    lead = (
        "The items that give this figure agree on it:"
        if len(items) > 1
        else "One item gives this figure; no other value was found:"
    )
    return replace(answer, paragraphs=(replace(first, lead=lead), *rest))


def _told_and_written(part: Part, context: AnswerContext) -> PartAnswer:
    """A figure that the question repeats, against what the documents write: rounding is no
    contradiction."""
    asked = part.quantities[0]
    gathered = gather(part, context)
    alike = [
        (one, figure)
        for one in gathered.candidates
        for figure in one.unit.figures
        if figure.measure is asked.measure and one.features.together >= 0.15
    ]
    same = [one for one, figure in alike if figure.value == asked.value]
    near = [one for one, f in alike if f.value != asked.value and f.agrees_with(asked)]
    if not near and not same:
        return answer_from(part, gathered, context)
    chosen = list({one.unit.key: one for one in [*same[:1], *near[:2]]}.values())
    lead = (
        "These figures do not contradict each other; they agree once rounded:"
        if near
        else "The context gives the same figure:"
    )
    claims = tuple(claim_of(one, context, confidence=Confidence.MEDIUM) for one in chosen)
    return PartAnswer(paragraphs=(Paragraph(lead=lead, claims=claims, as_list=True),))


def _sure(candidate: Candidate) -> Confidence:
    return Confidence.HIGH if answer_figure(candidate) else Confidence.MEDIUM
