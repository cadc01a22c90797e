"""Whom or what a sentence is about that does not say so by itself: the sentence before "He
refused", the line that heads "to buy the shares"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tipstaff.answer.claims import claim_from
from tipstaff.answer.evidence_unit import EvidenceUnit
from tipstaff.answer.witnessing import ContextWitness
from tipstaff.citation.grammar import parse_citations
from tipstaff.domain.classification import Confidence
from tipstaff.domain.document import UnitKind
from tipstaff.domain.response import Claim
from tipstaff.verify.verifier import VerifiedClaim, Verifier

_LEANS = re.compile(
    # It begins with something that was named before,
    r"^\W*(?:(?:and|but|so|then|yet|also|if|when|for) )?(?:it|this|that|these|those|both|such|his|"
    r"her|its|their|neither|either|the (?:same|others?|second|third|former|latter|said))\b|"
    # or it has in its first words who was.
    r"^\W*(?:[\w'’.,-]+ ){0,7}?(?:he|she|they|him|them)\b",
    re.IGNORECASE,
)
_SAID_TO = frozenset((UnitKind.SEGMENT,))
_LONGEST = 420
# So far before a sentence the one that it leans on may stand.
_FAR = 5


def unit_before(unit: EvidenceUnit, context: ContextWitness) -> EvidenceUnit | None:
    """The unit that says what another one leans on; None if it stands by itself."""
    every = context.context.units_of(unit.item_id)
    at = next((place for place, one in enumerate(every) if one.key == unit.key), 0)
    if not at or unit.is_row or context.is_in_lines(unit):
        return None
    before = every[at - 1]
    if unit.unit.kind is UnitKind.LIST_ITEM and before.unit.block != unit.unit.block:
        heads = (one for one in reversed(every[:at]) if one.unit.kind is not UnitKind.LIST_ITEM)
        head = next(heads, None)
        return head if head is not None and head.text.endswith(":") else None
    if not _are_in_one(before, unit) or not _LEANS.match(unit.text):
        return None
    # "He has so far had a summary" before "He did not promise it" says as little of him.
    said = [one for one in every[max(at - _FAR, 0) : at] if _are_in_one(one, unit)]
    before = next((one for one in reversed(said) if not _LEANS.match(one.text)), before)
    if context.speaks_to_machines(before):
        return None
    return before if len(before.text) <= _LONGEST else None


def _are_in_one(before: EvidenceUnit, unit: EvidenceUnit) -> bool:
    return before.unit.block == unit.unit.block or (
        before.unit.kind in _SAID_TO and unit.unit.kind in _SAID_TO
    )


def antecedents(
    claims: Sequence[Claim], *, said: str, context: ContextWitness, verifier: Verifier
) -> list[VerifiedClaim]:
    """What quotations lean on and nobody has `said` yet, each checked as any quotation is."""
    found: dict[str, VerifiedClaim] = {}
    for claim in claims:
        quoted = " ".join(claim.text.split())
        for unit in _quoted_units(claim, context):
            before = unit_before(unit, context) if unit.text.strip(" .") in quoted else None
            if before is None or before.text.strip(" .") in said or before.text in found:
                continue
            if not context.context.quotable(before.item_id):
                continue
            checked = verifier.check(
                claim_from(before, context.context, confidence=Confidence.MEDIUM)
            )
            if isinstance(checked, VerifiedClaim):
                found[before.text] = checked
    return list(found.values())


def _quoted_units(claim: Claim, context: ContextWitness) -> list[EvidenceUnit]:
    marks = parse_citations(" ".join(f"[[{one}]]" for one in claim.citations))
    return [
        unit for mark in marks for citation in mark.citations for unit in context.units_at(citation)
    ]
