"""Why two figures differ: "26 weeks when the plan runs for 34". The passage that has both, and
what other items say with either."""

from __future__ import annotations

from tipstaff.answer.claims import claim_from
from tipstaff.answer.context import AnswerContext
from tipstaff.answer.evidence_unit import EvidenceUnit
from tipstaff.answer.factual import merged
from tipstaff.answer.part_answer import PartAnswer
from tipstaff.answer.question import Part
from tipstaff.domain.classification import Confidence
from tipstaff.domain.draft import DraftClaim, Paragraph
from tipstaff.facts.quantities import Quantity
from tipstaff.lexical.analysis import terms

_MOST_OTHERS = 2


def answer_figures_together(part: Part, context: AnswerContext) -> PartAnswer | None:
    """None unless some paragraph holds all the figures of the question, and a word of it."""
    words = {term for term in part.terms if not term[0].isdigit()}
    for item in context.items:
        for paragraph in _paragraphs(context.units_of(item.id)):
            if _holds_all(part.quantities, paragraph) and _shares(words, paragraph):
                own = [unit for unit in paragraph if _holds_any(part.quantities, unit)]
                claims = [claim_from(unit, context, confidence=Confidence.MEDIUM) for unit in own]
                claims += _others(part, item.id, words, context)
                return PartAnswer(paragraphs=(Paragraph(claims=tuple(merged(claims))),))
    return None


def _paragraphs(units: list[EvidenceUnit]) -> list[list[EvidenceUnit]]:
    groups: dict[int, list[EvidenceUnit]] = {}
    for unit in units:
        if not unit.is_row:
            groups.setdefault(unit.unit.block, []).append(unit)
    return list(groups.values())


def _holds_all(figures: tuple[Quantity, ...], paragraph: list[EvidenceUnit]) -> bool:
    return all(any(_has(figure, unit) for unit in paragraph) for figure in figures)


def _holds_any(figures: tuple[Quantity, ...], unit: EvidenceUnit) -> bool:
    return any(_has(figure, unit) for figure in figures)


def _has(figure: Quantity, unit: EvidenceUnit) -> bool:
    return any(figure.value == other.value for other in unit.figures)


def _shares(words: set[str], paragraph: list[EvidenceUnit]) -> bool:
    return any(words & unit.own_terms for unit in paragraph)


def _others(part: Part, item_id: str, words: set[str], context: AnswerContext) -> list[DraftClaim]:
    """Sentences of other items with one of the figures, counted in the same unit."""
    units_of_measure = {term for figure in part.quantities for term in terms(figure.unit or "")}
    found = []
    for item in context.items:
        if item.id == item_id:
            continue
        for unit in context.units_of(item.id):
            if (
                not unit.is_row
                and _holds_any(part.quantities, unit)
                and words & unit.own_terms
                and units_of_measure & unit.own_terms
            ):
                found.append(claim_from(unit, context, confidence=Confidence.MEDIUM))
                break
    return found[:_MOST_OTHERS]
