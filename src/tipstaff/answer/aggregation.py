"""Aggregation parts (TIP §9.8): every row of a table that fits, or every passage on a topic."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from tipstaff.answer.claims import claim_from, claim_of
from tipstaff.answer.context import AnswerContext
from tipstaff.answer.evidence_unit import EvidenceUnit
from tipstaff.answer.factual import answer_from, merged
from tipstaff.answer.gate import WEAK, Verdict, absent_name, judge, topic_of
from tipstaff.answer.gathering import Candidate, Gathered, gather
from tipstaff.answer.part_answer import PartAnswer
from tipstaff.answer.question import AnswerKind, Part, QueryType, understand
from tipstaff.domain.classification import Confidence
from tipstaff.domain.draft import Paragraph
from tipstaff.domain.response import Gap
from tipstaff.facts.names import aliases, plain_role
from tipstaff.lexical.analysis import terms

_BREAKDOWN = re.compile(
    r"\b(?:break(?:s)? ?down|split|divided?|distributed)\b.{0,20}?\b(?:across|between|among|by|into|for)"
    r"\s+(?P<list>[^?]+,[^?]+?(?:and|or)\s+[^?]+)",
    re.IGNORECASE,
)
_MOST_ROWS = 20
_MOST_CLAIMS = 8
_PER_ITEM = 3
# How much of a question a table must cover by headers, caption and matching cells.
_TABLE_FITS = 0.6
# Its headers and caption say it all: then every row is meant.
_ALL_IN_HEADER = 0.8


@dataclass(frozen=True, slots=True)
class _Table:
    rows: tuple[EvidenceUnit, ...]

    @property
    def header_terms(self) -> frozenset[str]:
        first = self.rows[0]
        return frozenset(terms(" ".join([first.surroundings, *(h for h, _, _ in first.cells)])))


def answer_aggregation(part: Part, context: AnswerContext) -> PartAnswer:
    gathered = gather(part, context)
    if absent_name(part, context):
        return answer_from(part, gathered, context)
    listed = _components(part, context)
    if listed:
        return listed
    rows = _fitting_rows(part, gathered, context)
    if rows:
        claims = tuple(claim_from(row, context) for row in rows[:_MOST_ROWS])
        gaps: tuple[Gap, ...] = ()
        if len(rows) > _MOST_ROWS:
            left = len(rows) - _MOST_ROWS
            gaps = (Gap("further rows", f"{left} more rows fit and are not listed here."),)
        return PartAnswer(paragraphs=(Paragraph(claims=claims, as_list=True),), gaps=gaps)
    return _mentions(part, gathered, context)


def _components(part: Part, context: AnswerContext) -> PartAnswer | None:
    """ "How does it break down across A, B and C": each of them is a question of its own."""
    match = _BREAKDOWN.search(part.text)
    if not match:
        return None
    words = re.split(r",\s*(?:and\s+)?|\s+and\s+", match["list"].strip(" ?."))
    subject = part.search_text.split(":")[0] if ":" in part.search_text else ""
    answers = []
    for word in words:
        asked = f"{word} {topic_of(understand(subject or part.text).parts[0])}"
        own = replace(
            understand(asked).parts[0], type=QueryType.FACTUAL, kind=AnswerKind.MONEY, text=word
        )
        answers.append(answer_from(own, gather(own, context), context))
    claims = [
        claim for one in answers for paragraph in one.paragraphs for claim in paragraph.claims
    ]
    return PartAnswer(
        paragraphs=(Paragraph(claims=tuple(merged(claims)), as_list=True),) if claims else (),
        gaps=tuple(gap for one in answers if not one.says_something for gap in one.gaps),
        contradictions=tuple(two for one in answers for two in one.contradictions),
    )


def _mentions(part: Part, gathered: Gathered, context: AnswerContext) -> PartAnswer:
    """Every passage on the topic, the best of each item."""
    judgement = judge(part, gathered, context)
    if judgement.verdict is not Verdict.ANSWER:
        return answer_from(part, gathered, context)
    chosen: list[Candidate] = []
    for one in judgement.candidates:
        if one.probability < WEAK or one.features.together < 0.3:
            continue
        if sum(other.unit.item_id == one.unit.item_id for other in chosen) < _PER_ITEM:
            chosen.append(one)
    claims = [
        claim_of(
            one,
            context,
            confidence=Confidence.HIGH if one.probability >= 0.5 else Confidence.MEDIUM,
        )
        for one in chosen[:_MOST_CLAIMS]
    ]
    several = len(claims) > 1
    return PartAnswer(paragraphs=(Paragraph(claims=tuple(merged(claims)), as_list=several),))


def _fitting_rows(part: Part, gathered: Gathered, context: AnswerContext) -> list[EvidenceUnit]:
    """The rows of the table that covers the question best; narrowed by the values it names."""
    best: tuple[float, list[EvidenceUnit]] = (0.0, [])
    items = dict.fromkeys(found.chunk.item_id for found in gathered.found[:12])
    for item_id in items:
        for table in _tables(context.units_of(item_id)):
            score, rows = _match(part, table, gathered, context)
            if rows and score > best[0]:
                best = score, rows
    return best[1] if best[0] >= _TABLE_FITS else []


def _tables(units: Sequence[EvidenceUnit]) -> list[_Table]:
    grouped: dict[int, list[EvidenceUnit]] = {}
    for unit in units:
        if unit.is_row and unit.block.table is not None and any(h for h, _, _ in unit.cells):
            grouped.setdefault(unit.block.table, []).append(unit)
    return [_Table(tuple(rows)) for rows in grouped.values() if len(rows) > 1]


def _match(
    part: Part, table: _Table, gathered: Gathered, context: AnswerContext
) -> tuple[float, list[EvidenceUnit]]:
    asked = {term: context.rarity(term) for term in part.terms}
    total = sum(asked.values()) or 1.0
    by_header = {term for term in asked if term in table.header_terms}
    roles = _role_terms(part, gathered)
    values: dict[str, set[int]] = {}
    for number, row in enumerate(table.rows):
        cell_terms = frozenset(terms(" ".join(words for _, words, _ in row.cells)))
        for term in asked:
            if term in cell_terms and term not in by_header:
                values.setdefault(term, set()).add(number)
        for role, people in roles.items():
            if people & cell_terms:
                values.setdefault(role, set()).add(number)
    # A value that every row has narrows nothing; it only says that the table is the right one.
    narrowing = {term: rows for term, rows in values.items() if len(rows) < len(table.rows)}
    covered = sum(weight for term, weight in asked.items() if term in by_header or term in values)
    covered += sum(
        context.rarity(term)
        for role in roles
        if role in values
        for term in terms(role)
        if term in asked and term not in by_header and term not in values
    )
    header_share = sum(asked[term] for term in by_header) / total
    if header_share >= _ALL_IN_HEADER and len(table.rows) <= _MOST_ROWS:
        return header_share, list(table.rows)
    if not narrowing or not by_header:
        return 0.0, []
    kept = set().union(*narrowing.values())
    return covered / total, [table.rows[number] for number in sorted(kept)]


def _role_terms(part: Part, gathered: Gathered) -> dict[str, frozenset[str]]:
    """Roles that a question names, and the last names of those who have them."""
    texts = [found.chunk.text for found in gathered.found]
    known = aliases(texts)
    asked = " ".join(part.text.lower().split())
    return {
        role: frozenset(terms(person.split()[-1])[0] for person in people)
        for role, people in known.items()
        if f" {plain_role(role)}" in f" {asked}" and len(role) > 2
    }
