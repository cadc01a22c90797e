"""Break-downs: "how does it split across A, B and C". The table that has a row for each, and what
other items say of the same figures."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from tipstaff.answer.claims import claim_from
from tipstaff.answer.context import AnswerContext
from tipstaff.answer.evidence_unit import EvidenceUnit
from tipstaff.answer.factual import answer_from, merged
from tipstaff.answer.gate import topic_of
from tipstaff.answer.gathering import gather
from tipstaff.answer.part_answer import PartAnswer
from tipstaff.answer.question import AnswerKind, Part, QueryType, understand
from tipstaff.domain.draft import DraftClaim, Paragraph
from tipstaff.facts.quantities import Quantity, quantities
from tipstaff.lexical.analysis import query_terms, terms

_BREAKDOWN = re.compile(
    r"\b(?:break(?:s)? ?down|split|divided?|distributed|made up)\b.{0,20}?\b(?:across|between|"
    r"among|by|into|for|of)\s+(?P<list>[^?]+?(?:,|\band\b|\bor\b)\s*[^?]+)",
    re.IGNORECASE,
)
# Of several versions of a figure in one row, the one that holds.
_CURRENT = re.compile(
    r"\b(?:current|actual|latest|new|revised|final|amount|total)\b", re.IGNORECASE
)
_TOTAL = frozenset(terms("total sum overall"))
# Shorter figures are equal by chance.
_TELLING_DIGITS = 4
_MOST_CONFIRMING = 2


def answer_breakdown(part: Part, context: AnswerContext) -> PartAnswer | None:
    """None if the question asks for no break-down."""
    match = _BREAKDOWN.search(part.text)
    if not match:
        return None
    words = [word for word in re.split(r",\s*(?:and\s+|or\s+)?|\s+(?:and|or)\s+",
                                       match["list"].strip(" ?.")) if word]  # fmt: skip
    rows = rows_for(words, context)
    answers = [
        _from_row(word, rows[word], context) if word in rows else _asked(word, part, context)
        for word in words
    ]
    claims = [
        claim for one in answers for paragraph in one.paragraphs for claim in paragraph.claims
    ]
    return PartAnswer(
        paragraphs=(Paragraph(claims=tuple(merged(claims)), as_list=True),) if claims else (),
        gaps=tuple(gap for one in answers if not one.says_something for gap in one.gaps),
        contradictions=tuple(two for one in answers for two in one.contradictions),
    )


def rows_for(words: Sequence[str], context: AnswerContext) -> dict[str, EvidenceUnit]:
    """A row for each component, from the one table that has most of them."""
    best: dict[str, EvidenceUnit] = {}
    for item in context.items:
        tables: dict[int, dict[str, EvidenceUnit]] = {}
        for unit in context.units_of(item.id):
            if unit.is_row and unit.block.table is not None and unit.figures:
                for word in words:
                    if _is_labelled(unit, word):
                        tables.setdefault(unit.block.table, {}).setdefault(word, unit)
        for found in tables.values():
            if len(found) > max(len(best), 1):
                best = found
    return best


def _is_labelled(unit: EvidenceUnit, word: str) -> bool:
    """Its first cell is the component and nothing much else."""
    label = set(query_terms(unit.cells[0][1]))
    wanted = set(query_terms(word))
    return wanted <= label and len(label) <= len(wanted) + 1


def _from_row(word: str, row: EvidenceUnit, context: AnswerContext) -> PartAnswer:
    claims = [claim_from(row, context), *_confirming(word, row, context)]
    return PartAnswer(paragraphs=(Paragraph(claims=tuple(claims)),))


def _confirming(word: str, row: EvidenceUnit, context: AnswerContext) -> list[DraftClaim]:
    """What other items say with the same figure, of the same thing or as their total."""
    figure = _figure(row)
    if figure is None or figure.digits < _TELLING_DIGITS:
        return []
    wanted = frozenset(query_terms(word)) | _TOTAL
    found = []
    for item in context.items:
        if item.id == row.item_id:
            continue
        for unit in context.units_of(item.id):
            same = any(one.value == figure.value for one in unit.figures)
            if same and wanted & unit.all_terms:
                found.append(claim_from(unit, context))
                break
    return found[:_MOST_CONFIRMING]


def _figure(row: EvidenceUnit) -> Quantity | None:
    """The figure of the column that holds now, else the first."""
    cells = [(header, quantities(words)) for header, words, _ in row.cells]
    valued = [(header, found[0]) for header, found in cells if found]
    current = [figure for header, figure in valued if _CURRENT.search(header)]
    return current[0] if current else valued[0][1] if valued else None


def _asked(word: str, part: Part, context: AnswerContext) -> PartAnswer:
    """A component without a row of its own is a question of its own."""
    subject = part.search_text.split(":")[0] if ":" in part.search_text else part.text
    asked = f"{word} {topic_of(understand(subject).parts[0])}"
    own = replace(
        understand(asked).parts[0], type=QueryType.FACTUAL, kind=AnswerKind.MONEY, text=word
    )
    return answer_from(own, gather(own, context), context)
