"""Questions for a share (TIP §6.2): "what share of the attempts at 14:30 failed?"

Calculated only where both inputs are certain: two cells of one row, or "38 of 112" in the words
that answer."""

from __future__ import annotations

import re

from tipstaff.answer.arithmetic import inference, share_of
from tipstaff.answer.claims import claim_from, claim_of
from tipstaff.answer.context import AnswerContext
from tipstaff.answer.evidence_unit import EvidenceUnit
from tipstaff.answer.factual import gap_answer
from tipstaff.answer.gate import Judgement, Verdict, absent_name, judge
from tipstaff.answer.gathering import Candidate, gather
from tipstaff.answer.part_answer import PartAnswer
from tipstaff.answer.question import Part
from tipstaff.domain.draft import Paragraph
from tipstaff.facts.quantities import Quantity, only_figure, quantities
from tipstaff.lexical.analysis import query_terms, terms

_SHARE = re.compile(
    r"\b(?:what|which) (?:share|proportion|percentage|fraction|part) of (?P<asked>.+)",
    re.IGNORECASE,
)
_N_OF_M = re.compile(
    r"(?P<part>\d[\d,]*) (?:out )?of (?:the |its |their |all )?(?P<whole>\d[\d,]*)"
)
_LOOKED_AT = 12
# So much of a word is its stem beyond doubt: "failed" and "failures".
_STEM = 4


def answer_share(part: Part, context: AnswerContext) -> PartAnswer | None:
    """The share, worked out, or the gap; None where none is asked for or the context states it."""
    match = _SHARE.search(part.text)
    if not match or absent_name(part, context):
        return None
    gathered = gather(part, context)
    rows = [one for one in gathered.candidates[:_LOOKED_AT] if _is_the_row(part, one)]
    made = [found for one in rows if (found := _of_a_row(one, match["asked"], context))]
    if made:
        # Two rows that fit alike leave open which is meant.
        return made[0] if len(made) == 1 else None
    judgement = judge(part, gathered, context)
    if judgement.verdict is Verdict.ANSWER:
        return _as_told(part, judgement.candidates[0], context)
    # Words that only touch on a share would pass for the figure that is missing.
    gap = Judgement(Verdict.GAP, judgement.candidates, judgement.gap)
    return gap_answer(part, gap, gathered, context)


def _is_the_row(part: Part, one: Candidate) -> bool:
    """A row that the question names, by its time or by its label."""
    facts = one.features
    if not one.unit.is_row or facts.wrong_time or facts.times < 1 or facts.names < 1:
        return False
    label = set(terms(one.unit.cells[0][1]))
    return bool(part.periods & one.unit.own_periods) or bool(label and label <= set(part.terms))


def _of_a_row(one: Candidate, asked: str, context: AnswerContext) -> PartAnswer | None:
    pair = part_and_whole(one.unit, asked)
    if pair is None:
        return None
    (piece, figure), (whole, of) = pair
    worked = share_of(figure, of)
    if worked is None:
        return None
    claims = tuple(claim_from(one.unit, context, cell=cell) for cell in (piece, whole))
    cited = tuple(citation for claim in claims for citation in claim.citations)
    return PartAnswer(
        paragraphs=(
            Paragraph(claims=claims, as_list=True),
            Paragraph(claims=(inference(*worked, cited),)),
        )
    )


def part_and_whole(
    unit: EvidenceUnit, asked: str
) -> tuple[tuple[int, Quantity], tuple[int, Quantity]] | None:
    """The two cells that a question names by words that no other header has; what it names first
    is the whole ("of the attempts … failed"). Any other number of cells leaves doubt."""
    figures = {
        number: found
        for number, (header, words, _) in enumerate(unit.cells)
        if number and header and (found := only_figure(words))
    }
    held = {number: _alike(unit.cells[number][0], query_terms(asked)) for number in figures}
    places: dict[int, int] = {}
    for number, words in held.items():
        others = set().union(*(two for other, two in held.items() if other != number))
        if words - others:
            places[number] = min(_place(word, asked) for word in words - others)
    if len(places) != 2:
        return None
    whole, piece = sorted(places, key=lambda number: places[number])
    return (piece, figures[piece]), (whole, figures[whole])


def _alike(header: str, words: list[str]) -> set[str]:
    heads = terms(header)
    return {
        word
        for word in words
        for head in heads
        if word == head or (len(word) >= _STEM and word[:_STEM] == head[:_STEM])
    }


def _place(term: str, text: str) -> int:
    return text.lower().find(term[:_STEM])


def _as_told(part: Part, best: Candidate, context: AnswerContext) -> PartAnswer | None:
    """Both figures stand in the words that answer; the share is worked out beside them."""
    match = _N_OF_M.search(best.answer)
    pair = [quantities(match[name]) for name in ("part", "whole")] if match else []
    if not pair or any(len(one) != 1 for one in pair):
        return None
    worked = share_of(pair[0][0], pair[1][0])
    if worked is None:
        return None
    claim = claim_of(best, context, part=part)
    told = inference(*worked, claim.citations)
    return PartAnswer(paragraphs=(Paragraph(claims=(claim,)), Paragraph(claims=(told,))))
