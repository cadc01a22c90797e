"""Aggregation parts (TIP §9.8): the rows of a table or list that fit, or every passage on a topic.

An enumeration that a document makes itself is complete; one that is gathered from passages is not
known to be, and says so (TIP §6.3).
"""

from __future__ import annotations

import re
from dataclasses import replace

from tipstaff.answer.breakdown import answer_breakdown
from tipstaff.answer.claims import claim_from, claim_of
from tipstaff.answer.context import AnswerContext
from tipstaff.answer.factual import answer_from, gap_answer, merged
from tipstaff.answer.gate import WEAK, Verdict, absent_name, judge, topic_of
from tipstaff.answer.gathering import Candidate, Gathered, gather
from tipstaff.answer.listing import Wanted, head_noun, listed_for
from tipstaff.answer.named_risks import answer_named_risks, asks_for_risks
from tipstaff.answer.part_answer import PartAnswer
from tipstaff.answer.people import texts_of
from tipstaff.answer.question import Part
from tipstaff.answer.rival_figures import with_rivals
from tipstaff.domain.classification import Confidence
from tipstaff.domain.draft import Paragraph
from tipstaff.domain.response import Gap
from tipstaff.facts.roles import aliases, plain_role
from tipstaff.lexical.analysis import terms

_MOST_ROWS = 20
_MOST_CLAIMS = 8
_PER_ITEM = 3
_FIRST_ITEMS = 16
_ON_TOPIC = 0.3
# Wants things named, one after the other: what no document lists may have more of them.
_ENUMERATES = re.compile(
    r"\bwhat are (?:all )?the\b|^(?:please )?(?:list|name|enumerate)\b|^which\b", re.IGNORECASE
)


# Wants figures added: one of them is no answer.
_SUM = re.compile(r"\badd(?:ing|ed)? (?:it |them |these |all )*up\b|\bsum of\b", re.IGNORECASE)


def answer_aggregation(part: Part, context: AnswerContext) -> PartAnswer:
    broken_down = answer_breakdown(part, context)
    if broken_down:
        return broken_down
    gathered = gather(part, context)
    if absent_name(part, context):
        return answer_from(part, gathered, context)
    items = list(dict.fromkeys(found.chunk.item_id for found in gathered.found[:_FIRST_ITEMS]))
    wanted = Wanted(
        text=part.text, asked=part.terms, names=part.names, roles=_role_terms(part, context)
    )
    rows = listed_for(wanted, items, context)
    if not rows:
        return _mentions(part, gathered, context)
    claims = tuple(claim_from(row, context) for row in rows[:_MOST_ROWS])
    gaps: tuple[Gap, ...] = ()
    if len(rows) > _MOST_ROWS:
        left = len(rows) - _MOST_ROWS
        gaps = (Gap("further rows", f"{left} more rows fit and are not listed here."),)
    answer = PartAnswer(paragraphs=(Paragraph(claims=claims, as_list=True),), gaps=gaps)
    found = [one.unit for one in gathered.candidates]
    return with_rivals(answer, part, used=rows[:_MOST_ROWS], found=found, context=context)


def _mentions(part: Part, gathered: Gathered, context: AnswerContext) -> PartAnswer:
    """Every passage on the topic, the best of each item."""
    enumerates = bool(_ENUMERATES.search(part.text))
    if enumerates and asks_for_risks(head_noun(part.text)):
        named = answer_named_risks(part, context)
        if named:
            return named
    judgement = judge(part, gathered, context)
    if _SUM.search(part.text):
        gap = Gap(topic_of(part), "No item of the bundled context states this sum.")
        return gap_answer(part, replace(judgement, gap=gap), gathered, context)
    if judgement.verdict is not Verdict.ANSWER:
        return answer_from(part, gathered, context)
    chosen = [
        one
        for one in judgement.candidates
        if one.probability >= WEAK and one.features.together >= _ON_TOPIC
    ]
    if not chosen:
        # Nothing speaks of the topic at large, but something answers.
        return answer_from(part, gathered, context)
    spread = _spread(chosen)
    claims = merged([claim_of(one, context, confidence=_level(one)) for one in spread])
    gaps: tuple[Gap, ...] = ()
    if enumerates and len(claims) > 1:
        more = "These are the ones that the context names; there may be others."
        gaps = (Gap(topic_of(part), more),)
    answer = PartAnswer(
        paragraphs=(Paragraph(claims=tuple(claims), as_list=len(claims) > 1),), gaps=gaps
    )
    used = [one.unit for one in spread]
    found = [one.unit for one in gathered.candidates]
    return with_rivals(answer, part, used=used, found=found, context=context)


def _spread(candidates: list[Candidate]) -> list[Candidate]:
    chosen: list[Candidate] = []
    for one in candidates:
        if sum(other.unit.item_id == one.unit.item_id for other in chosen) < _PER_ITEM:
            chosen.append(one)
    return chosen[:_MOST_CLAIMS]


def _level(candidate: Candidate) -> Confidence:
    return Confidence.HIGH if candidate.probability >= 0.5 else Confidence.MEDIUM


def _role_terms(part: Part, context: AnswerContext) -> dict[str, frozenset[str]]:
    """Roles that a question names, and the last names of those who have them."""
    asked = " ".join(part.text.lower().split())
    return {
        role: frozenset(terms(person.split()[-1])[0] for person in people)
        for role, people in aliases(texts_of(context)).items()
        if re.search(rf"\bthe {re.escape(plain_role(role))}\b", asked)
    }
