"""Questions for so much per head, site or item (TIP §6.2): as the context states it, else one
figure divided by the other, where tables or sentences give both beyond doubt."""

from __future__ import annotations

import re
from dataclasses import replace

from tipstaff.answer.alignment import Found
from tipstaff.answer.arithmetic import inference, ratio
from tipstaff.answer.claims import claim_of, unit_note
from tipstaff.answer.context import AnswerContext
from tipstaff.answer.contradictions import answer_figure, disagreements
from tipstaff.answer.factual import answer_from
from tipstaff.answer.gate import Verdict, absent_name, judge, topic_of
from tipstaff.answer.gathering import Candidate, Gathered, gather
from tipstaff.answer.one_side import find_side
from tipstaff.answer.part_answer import PartAnswer
from tipstaff.answer.question import AnswerKind, Part
from tipstaff.domain.draft import Paragraph
from tipstaff.domain.response import Gap
from tipstaff.facts.quantities import Measure

_PER = re.compile(
    r"^(?:the )?(?:average )?(?P<what>.+?),? (?:per|for each|for every) "
    r"(?P<unit>(?:square |cubic )?[a-z-]+)\b(?P<rest>.*)$",
    re.IGNORECASE,
)
# A rate of time, or a way to write a percentage, is no division that could be made here.
_NO_DIVISOR = re.compile(
    r"(?:second|minute|hour|day|night|week|month|quarter|year|annum|cent|se|diem)s?", re.IGNORECASE
)
_RATE = re.compile(r"\b(?:per|each|every)\b|/", re.IGNORECASE)
_SURE = 0.65


def answer_per_unit(part: Part, context: AnswerContext) -> PartAnswer | None:
    """None where nothing per something is asked for."""
    match = _PER.match(topic_of(part))
    if not match or _NO_DIVISOR.fullmatch(match["unit"]) or absent_name(part, context):
        return None
    gathered = gather(part, context)
    stated = [one for one in gathered.candidates if _RATE.search(_said(one))]
    kept = Gathered(candidates=tuple(stated), found=gathered.found)
    if stated and judge(part, kept, context).verdict is Verdict.ANSWER:
        return answer_from(part, kept, context)
    own = replace(part, kind=AnswerKind.ANY)
    rest = match["rest"].strip(" ?.")
    sides = [
        f"{match['what']} {rest}".strip(),
        f"number of {_plural(match['unit'])} {rest}".strip(),
    ]
    found = [find_side(side, own, context) for side in sides]
    return _divided(found, match["unit"], context)


def _said(one: Candidate) -> str:
    unit = one.unit
    return f"{unit.text} {unit.cells[one.cell][0] if one.cell else ''}"


def _plural(noun: str) -> str:
    return noun if noun.endswith("s") else f"{noun}s"


def _divided(found: list[Found], noun: str, context: AnswerContext) -> PartAnswer:
    sure = [one for one in found if one.candidate is not None and _is_sure(one.candidate, one)]
    if len(sure) < 2:
        gaps = tuple(
            Gap(one.side, f"The bundled context gives no clear figure for {one.side}.")
            for one in found
            if one not in sure
        )
        related = tuple(claim for one in found for claim in one.related)
        return PartAnswer(gaps=gaps, related=related[:2])
    pair = [one.candidate for one in sure if one.candidate is not None]
    claims = tuple(
        claim_of(one, context, part=two.part) for one, two in zip(pair, sure, strict=True)
    )
    figures = [figure for one in pair if (figure := answer_figure(one))]
    text, working = ratio(*figures, noun=noun, note=unit_note(pair[0].unit))
    cited = tuple(one for claim in claims for one in claim.citations)
    return PartAnswer(
        paragraphs=(
            Paragraph(claims=claims, as_list=True),
            Paragraph(claims=(inference(text, working, cited),)),
        )
    )


def _is_sure(one: Candidate, found: Found) -> bool:
    """A figure that stands for the whole, and that no other item gives otherwise: a rate divided
    again would be nonsense, and so would one of two figures."""
    figure = answer_figure(one)
    if figure is None or not figure.value or figure.measure in (Measure.PERCENT, Measure.DURATION):
        return False
    if disagreements(one, found.others, asked_for=True) or _RATE.search(_said(one)):
        return False
    return one.is_exact or one.probability >= _SURE
