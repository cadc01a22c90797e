"""Sums of withheld sentences that come out, as claims: with the lines that their figures stand in,
and the sum by itself (TIP §6.2: labelled, its working shown, its basis cited)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tipstaff.answer.evidence_unit import EvidenceUnit
from tipstaff.answer.witnessing import ContextWitness
from tipstaff.citation.grammar import parse_citations
from tipstaff.domain.citation import SYNTHESIS_ID
from tipstaff.domain.classification import Confidence
from tipstaff.domain.draft import ClaimKind, DraftCitation, DraftClaim
from tipstaff.facts.moments import Moment, moments
from tipstaff.facts.quantities import Quantity, quantities
from tipstaff.lexical.analysis import STOP_WORDS, terms
from tipstaff.verify.foreign_matter import without_broken_marks
from tipstaff.verify.inferences import without_note
from tipstaff.verify.sentence_check import Witness, without_marks
from tipstaff.verify.workings import workings

# A whole item has figures for any sum.
_MOST_UNITS = 40


@dataclass(frozen=True, slots=True)
class WorkedLines:
    """A sum, and the units that its figures stand in."""

    claim: DraftClaim
    units: tuple[EvidenceUnit, ...]


def worked_lines(
    statements: Sequence[str],
    *,
    witness: Witness,
    context: ContextWitness,
    worked: Sequence[str] = (),
) -> list[WorkedLines]:
    """For each statement with the citations of its draft; what it works with may be the result of
    another one, or of what is `worked` out in the answer already."""
    found: list[WorkedLines] = []
    if not witness.may_infer:
        return found
    results = list(worked)
    for text in statements:
        marks = parse_citations(text, names=witness.names)
        statement = without_broken_marks(without_note(without_marks(text, marks)))
        cited = [citation for mark in marks for citation in mark.citations]
        units = {
            unit.key: unit
            for citation in cited
            for unit in context.units_at(citation)
            if unit.item_id != SYNTHESIS_ID
            and context.context.quotable(unit.item_id)
            and not context.speaks_to_machines(unit)
        }
        if not units or len(units) > _MOST_UNITS:
            continue
        told = [unit.reader_text for unit in units.values()]
        for working in workings(statement, [*told, *results]):
            places = list(_places(working.of, list(units.values()), statement))
            if places:
                results.append(working.text.rpartition(" = ")[2])
                found.append(_lines(working.text, places))
    return list({one.claim.text: one for one in found}.values())


def _places(
    operands: Sequence[Quantity | Moment], units: Sequence[EvidenceUnit], statement: str
) -> Iterator[tuple[EvidenceUnit, str]]:
    """For each operand the unit that has it and most of the statement's words, and how it stands
    there."""
    words = frozenset(terms(statement)) - STOP_WORDS
    nearest = sorted(units, key=lambda unit: -len(words & unit.all_terms))
    for one in operands:
        having = ((unit, text) for unit in nearest if (text := _as_it_stands(one, unit)))
        yield from list(having)[:1]


def _as_it_stands(operand: Quantity | Moment, unit: EvidenceUnit) -> str:
    if isinstance(operand, Moment):
        return next((one.text for one in moments(unit.text) if operand.is_in([one])), "")
    return next(
        (one.text.strip() for one in quantities(unit.text) if one.value == operand.value), ""
    )


def _lines(text: str, places: Sequence[tuple[EvidenceUnit, str]]) -> WorkedLines:
    units = tuple({unit.key: unit for unit, _ in places}.values())
    citations = tuple(
        DraftCitation(
            citation=unit.citation,
            quotes=tuple(dict.fromkeys(words for one, words in places if one.key == unit.key)),
        )
        for unit in units
    )
    claim = DraftClaim(
        text=f"{text} (calculated from the cited figures)",
        kind=ClaimKind.INFERENCE,
        citations=citations,
        confidence=Confidence.MEDIUM,
    )
    return WorkedLines(claim, units)
