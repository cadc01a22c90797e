"""Risks that the documents name, for a question that wants them enumerated.

No bundle lists every risk there is: what is named is said, and that there may be more (TIP §6.3).
"""

from __future__ import annotations

from tipstaff.answer.claims import claim_from
from tipstaff.answer.context import AnswerContext
from tipstaff.answer.evidence_unit import EvidenceUnit
from tipstaff.answer.part_answer import PartAnswer
from tipstaff.answer.question import Part
from tipstaff.domain.classification import Confidence
from tipstaff.domain.document import UnitKind
from tipstaff.domain.draft import Paragraph
from tipstaff.domain.response import Gap
from tipstaff.facts.senses import same_sense
from tipstaff.lexical.analysis import terms

_RISK = terms("risk")[0]
_MOST = 8
_PER_ITEM = 4
_NO_STATEMENT = (UnitKind.HEADING, UnitKind.CODE, UnitKind.NODE, UnitKind.HEADER)
# A term in half of the passages tells nothing about what is at risk.
_TELLING = 1.0


def asks_for_risks(head: str) -> bool:
    return _RISK in same_sense(head)


def answer_named_risks(part: Part, context: AnswerContext) -> PartAnswer | None:
    """None if the context names no risk at all."""
    wanted = same_sense(_RISK)
    subject = [t for t in part.terms if t not in wanted and context.rarity(t) > _TELLING]
    found = [
        unit
        for item in context.items
        for unit in context.units_of(item.id)
        if _names_a_risk(unit, wanted)
    ]
    on_subject = [unit for unit in found if any(term in unit.all_terms for term in subject)]
    chosen = _spread(sorted(found, key=lambda unit: unit not in on_subject))
    if not chosen:
        return None
    claims = tuple(
        claim_from(unit, context, confidence=Confidence.HIGH if unit in on_subject
                   else Confidence.MEDIUM)
        for unit in chosen
    )  # fmt: skip
    gap = Gap(
        " ".join(part.text.strip(" ?").split()),
        "These are the ones that the bundled context names; there may be others that it does not "
        "address, and it does not say of each how it bears on the subject of the question.",
    )
    lead = "The context names these as risks or difficulties:"
    return PartAnswer(paragraphs=(Paragraph(lead=lead, claims=claims, as_list=True),), gaps=(gap,))


def _names_a_risk(unit: EvidenceUnit, wanted: frozenset[str]) -> bool:
    """It says so itself, or it is an item of a section that does."""
    if unit.unit.kind in _NO_STATEMENT or unit.text.endswith("?") or (
        unit.is_row and not any(header for header, _, _ in unit.cells)
    ):  # fmt: skip
        return False
    if wanted & unit.own_terms:
        return True
    under = frozenset(terms(" ".join(unit.block.headings[1:])))
    return unit.unit.kind in (UnitKind.LIST_ITEM, UnitKind.ROW) and bool(wanted & under)


def _spread(units: list[EvidenceUnit]) -> list[EvidenceUnit]:
    """The first few of each item, one sentence of a block."""
    chosen: list[EvidenceUnit] = []
    for unit in units:
        same = [other for other in chosen if other.item_id == unit.item_id]
        if len(same) < _PER_ITEM and all(other.unit.block != unit.unit.block for other in same):
            chosen.append(unit)
    return chosen[:_MOST]
