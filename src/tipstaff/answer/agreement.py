"""Questions whether the items agree: the value in question, and every item that gives another
(TIP §4.1 rule 8, §11.8)."""

from __future__ import annotations

import re
from dataclasses import replace

from tipstaff.answer.claims import claim_of
from tipstaff.answer.context import AnswerContext
from tipstaff.answer.contradictions import answer_value, disagreements
from tipstaff.answer.factual import answer_from, contradiction, gap_answer
from tipstaff.answer.gate import Judgement, Verdict, gap_of, judge
from tipstaff.answer.gathering import gather
from tipstaff.answer.part_answer import PartAnswer
from tipstaff.answer.question import AGREES, Part, QueryType, understand
from tipstaff.domain.classification import Confidence
from tipstaff.domain.draft import Paragraph
from tipstaff.facts.periods import outside_dates
from tipstaff.facts.quantities import Quantity

_READ = 14
# How much of a question the one item that speaks to it must cover.
_ALONE = 0.5
_TOPIC = re.compile(
    r"^\s*(?:on|about|as to|regarding|in)?\s*(?P<its>(?:its|their|this|that|these|those)\b)?"
    r"\s*(?P<topic>.*)",
    re.IGNORECASE,
)
_GENERAL = re.compile(
    r"^(?:the )?(?:figures?|numbers?|points?|matters?|values?|amounts?|questions?|answers?|topics?|"
    r"subject|issue|sums?)?$",
    re.IGNORECASE,
)
# "Is the rent consistent across the documents?": then what agrees stands before.
_ACROSS = re.compile(r"\s*(?:across|between|among|throughout|in|with|everywhere)\b", re.IGNORECASE)
_WH = re.compile(r"^(?:what|who|when|where|which|how|whether)\b", re.IGNORECASE)


def answer_agreement(part: Part, context: AnswerContext) -> PartAnswer:
    """The value that is asked about; whether other items give it, too, or another."""
    figures = outside_dates(part.quantities, part.text)
    if figures and "?" not in part.text[:-1]:
        return _told_and_written(part, figures[0], context)
    own = replace(understand(value_asked(part.text)).parts[0], type=QueryType.FACTUAL)
    gathered = gather(own, context, read=_READ)
    judgement = judge(own, gathered, context)
    if judgement.verdict is not Verdict.ANSWER:
        return gap_answer(own, Judgement(Verdict.GAP, (), gap_of(own)), gathered, context)
    best = judgement.candidates[0]
    if not best.answer and answer_value(best) is None:
        # A sentence on the subject, but with no one value that others could share.
        return gap_answer(own, Judgement(Verdict.GAP, (), gap_of(own)), gathered, context)
    against = disagreements(best, gathered.candidates, asked_for=True)
    if against:
        return contradiction(own, best, against, context)
    answer = answer_from(own, gathered, context)
    (first, *rest) = answer.paragraphs
    items = {one.citation.item_id for claim in first.claims for one in claim.citations}
    if len(items) < 2 and best.features.together < _ALONE:
        return gap_answer(own, Judgement(Verdict.GAP, (), gap_of(own)), gathered, context)
    lead = (
        "The items that give this figure agree on it:"
        if len(items) > 1
        else "One item gives this figure; no other value was found:"
    )
    return replace(answer, paragraphs=(replace(first, lead=lead), *rest))


def value_asked(text: str) -> str:
    """ "How large is Unit 4? Do the papers agree on its floor area?": how large is Unit 4, by its
    floor area."""
    *before, last = [piece.strip() for piece in re.split(r"(?<=\?)\s+", text) if piece.strip()]
    match = AGREES.search(last)
    rest = match["rest"] if match else ""
    if match and _ACROSS.match(rest):
        rest = match["items"]
    found = _TOPIC.match(rest.strip(" ?.!"))
    topic = found["topic"].strip() if found else ""
    if _GENERAL.match(topic):
        topic = ""
    if before:
        asked = before[-1].rstrip("?")
        return f"{asked}: {topic}?" if topic else f"{asked}?"
    if _WH.match(topic):
        return f"{topic}?"
    return f"What is the {topic.removeprefix('the ')}?" if topic else text


def _told_and_written(part: Part, asked: Quantity, context: AnswerContext) -> PartAnswer:
    """A figure that the question repeats, against what the documents write: rounding is no
    contradiction."""
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
