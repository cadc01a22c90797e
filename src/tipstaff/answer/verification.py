"""Verification parts (TIP §9.2): yes, no, partly, or silence, with what the context does say."""

from __future__ import annotations

import re
from enum import StrEnum

from tipstaff.answer.claims import claim_of
from tipstaff.answer.context import AnswerContext
from tipstaff.answer.factual import gap_answer
from tipstaff.answer.gate import ANSWER, WEAK, Judgement, Verdict, absent_name, gap_of
from tipstaff.answer.gathering import Candidate, gather
from tipstaff.answer.part_answer import PartAnswer
from tipstaff.answer.question import Part
from tipstaff.domain.classification import Confidence
from tipstaff.domain.draft import Paragraph
from tipstaff.domain.response import Gap
from tipstaff.facts.polarity import NEGATION, REPLACED
from tipstaff.facts.quantities import Quantity

_LEADS = {
    "yes": "Yes, the context supports this:",
    "no": "No, the context says otherwise:",
    "partly": "Partly. The context says:",
    "unclear": "The context speaks to this without settling it. It says:",
}
# Terms of the claim that the evidence must share, weighted by rarity.
_ENOUGH = 0.5
_SOME = 0.3
_MOST = 3


class Holds(StrEnum):
    YES = "yes"
    NO = "no"
    PARTLY = "partly"
    UNCLEAR = "unclear"


def answer_verification(part: Part, context: AnswerContext) -> PartAnswer:
    gathered = gather(part, context)
    absent = absent_name(part, context)
    if absent:
        gap = Gap(absent, f"'{absent}' does not occur anywhere in the bundled context.")
        return gap_answer(part, Judgement(Verdict.GAP, (), gap), gathered, context)
    speaking = [one for one in gathered.candidates if _speaks_to(one)][:6]
    if not speaking:
        return gap_answer(part, Judgement(Verdict.GAP, (), gap_of(part)), gathered, context)
    rulings = [(one, ruling(part, one)) for one in speaking]
    verdict, carrying = _decide(rulings)
    sure = Confidence.HIGH if verdict in (Holds.YES, Holds.NO) else Confidence.MEDIUM
    claims = tuple(claim_of(one, context, confidence=sure) for one in carrying[:_MOST])
    gaps = (
        ()
        if verdict is not Holds.UNCLEAR
        else (Gap(part.text.strip(" ?"), "The bundled context does not settle this question."),)
    )
    return PartAnswer(
        paragraphs=(Paragraph(lead=_LEADS[verdict], claims=claims, as_list=len(claims) > 1),),
        gaps=gaps,
    )


def ruling(part: Part, candidate: Candidate) -> Holds:
    """What one unit says of the claim in a question."""
    unit = candidate.unit
    figures = _figures_agree(part.quantities, unit.figures)
    denies = bool(NEGATION.search(_own_words(unit.text, unit.block.headings)))
    asks_denial = bool(NEGATION.search(part.text))
    if figures is False:
        return Holds.NO
    if figures is True and REPLACED.search(unit.text) and len(unit.figures) == 1:
        # "replaces 12 percent": the figure asked about is the old one.
        return Holds.NO
    if denies != asks_denial:
        return Holds.NO if candidate.features.together >= _SOME else Holds.UNCLEAR
    if candidate.features.together >= _ENOUGH and (figures is True or not part.quantities):
        return Holds.YES
    return Holds.UNCLEAR


def _own_words(text: str, headings: tuple[str, ...]) -> str:
    """A list item under "What we will not deliver" is denied by its heading."""
    return f"{headings[-1]} {text}" if headings else text


def _speaks_to(candidate: Candidate) -> bool:
    return candidate.probability >= WEAK and (
        candidate.features.together >= _SOME or candidate.probability >= ANSWER
    )


def _decide(rulings: list[tuple[Candidate, Holds]]) -> tuple[Holds, list[Candidate]]:
    """The verdict of the best evidence; clear voices on both sides make it partly true."""
    sure = [(one, holds) for one, holds in rulings if holds is not Holds.UNCLEAR]
    if not sure:
        return Holds.UNCLEAR, [one for one, _ in rulings[:2]]
    first = sure[0][1]
    same = [one for one, holds in sure if holds is first]
    others = [one for one, holds in sure if holds is not first and one.probability >= ANSWER]
    if others:
        return Holds.PARTLY, [same[0], *others[:2]]
    return first, same


def _figures_agree(asked: tuple[Quantity, ...], said: tuple[Quantity, ...]) -> bool | None:
    """True if the figure asked about is there, False if only others of its measure are."""
    comparable = [one for one in asked if one.value != 0]
    if not comparable:
        return None
    verdict: bool | None = None
    for wanted in comparable:
        alike = [one for one in said if one.measure is wanted.measure and one.unit == wanted.unit]
        if any(wanted.agrees_with(one) for one in alike):
            verdict = True
        elif alike:
            return False
    return verdict


def asks_existence(text: str) -> bool:
    """ "Is there a risk that nobody owns?" wants the thing, not a yes."""
    return bool(re.match(r"(?:is|are|was|were) there\b", text, re.IGNORECASE))
