"""Comparison parts (TIP §9.3): both sides, aligned; a missing side is named."""

from __future__ import annotations

from dataclasses import replace

from tipstaff.answer.agreement import answer_agreement
from tipstaff.answer.alignment import Found, aligned
from tipstaff.answer.arithmetic import Side, difference
from tipstaff.answer.claims import claim_of
from tipstaff.answer.context import AnswerContext
from tipstaff.answer.contradictions import answer_value
from tipstaff.answer.factual import answer_from, gap_answer
from tipstaff.answer.gate import Judgement, Verdict, answers, gap_of, judge
from tipstaff.answer.gathering import Candidate, gather
from tipstaff.answer.one_side import find_side
from tipstaff.answer.part_answer import PartAnswer
from tipstaff.answer.question import FIGURES, Part, asks_agreement
from tipstaff.answer.rival_figures import with_rivals
from tipstaff.answer.sides import sides_of
from tipstaff.domain.classification import Confidence
from tipstaff.domain.draft import Paragraph
from tipstaff.lexical.analysis import terms


def answer_comparison(part: Part, context: AnswerContext, *, infer: bool) -> PartAnswer:
    if asks_agreement(part.text):
        return answer_agreement(part, context)
    sides = sides_of(part.text)
    if sides is None:
        return _in_one(part, context)
    found = _each_its_own(aligned([find_side(side, part, context) for side in sides]))
    missing = [one for one in found if one.candidate is None]
    if missing and all(_is_bare(one.part) for one in found if one.candidate is not None):
        # A name without a measure says nothing by itself: there is no comparison to make.
        gaps = tuple(one.gap for one in missing if one.gap)
        related = tuple(claim for one in missing for claim in one.related)
        whole = _in_one(part, context)
        return whole if whole.says_something else PartAnswer(gaps=gaps, related=related[:2])
    return _laid_out(found, context, infer=infer)


def _each_its_own(found: list[Found]) -> list[Found]:
    """One figure is not both sides: the side that its words speak of less has none."""
    one, two = found
    if one.candidate is None or two.candidate is None or not _is_same(one.candidate, two.candidate):
        return found
    less = min(found, key=_spoken_of)
    bare = replace(less, candidate=None, gap=gap_of(less.part), related=())
    return [bare if side is less else side for side in found]


def _is_same(one: Candidate, two: Candidate) -> bool:
    values = answer_value(one), answer_value(two)
    return one.unit.key == two.unit.key and one.cell == two.cell and values[0] == values[1]


def _spoken_of(side: Found) -> float:
    """The share of a side's words that are in what was found on it."""
    known = side.candidate.unit.all_terms if side.candidate else frozenset()
    return len(known & set(side.part.terms)) / max(len(side.part.terms), 1)


def _laid_out(found: list[Found], context: AnswerContext, *, infer: bool) -> PartAnswer:
    paragraphs = [
        Paragraph(
            lead=f"On {one.side}:",
            claims=(claim_of(one.candidate, context, part=one.part, confidence=_sure(one)),),
        )
        for one in found
        if one.candidate is not None
    ]
    gaps = tuple(one.gap for one in found if one.gap)
    if infer and not gaps:
        first, second = (Side(one.side, one.part, one.candidate) for one in found if one.candidate)
        worked = difference(first, second, context)
        if worked is not None:
            paragraphs.append(Paragraph(claims=(worked,)))
    answer = PartAnswer(paragraphs=tuple(paragraphs), gaps=gaps)
    used = {one.candidate.unit.key: one.candidate.unit for one in found if one.candidate}
    for one in found:
        if one.candidate is not None:
            answer = with_rivals(
                answer,
                one.part,
                used=[one.candidate.unit],
                found=[two.unit for two in one.others if two.unit.key not in used],
                context=context,
            )
    return answer


def _in_one(part: Part, context: AnswerContext) -> PartAnswer:
    """One sentence or row that compares by itself: it gives two values of one measure."""
    gathered = gather(part, context)
    judgement = judge(part, gathered, context)
    with_reader = context.reader is not None
    comparing = [
        one
        for one in judgement.candidates
        if answers(one, part, with_reader=with_reader) and _has_two(one)
    ]
    if judgement.verdict is Verdict.ANSWER and comparing:
        claim = claim_of(comparing[0], context, confidence=Confidence.MEDIUM)
        return PartAnswer(paragraphs=(Paragraph(claims=(claim,)),))
    if judgement.verdict is Verdict.ANSWER and part.kind not in FIGURES:
        return answer_from(part, gathered, context)
    return gap_answer(part, Judgement(Verdict.GAP, (), gap_of(part)), gathered, context)


def _has_two(candidate: Candidate) -> bool:
    figures = candidate.unit.figures
    return len({(one.value, one.measure) for one in figures}) > 1 and (
        len({one.measure for one in figures}) < len(figures)
    )


def _is_bare(part: Part) -> bool:
    named = {term for name in part.names for term in terms(name)}
    return set(part.terms) <= named


def _sure(one: Found) -> Confidence:
    has_value = one.candidate is not None and answer_value(one.candidate) is not None
    return Confidence.HIGH if has_value else Confidence.MEDIUM
