"""What stands behind a claim of the synthesis: the places that it cites, and the units of context
items that say the same (TIP §3.5). The synthesis is never support for itself."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum

from tipstaff.answer.context import AnswerContext
from tipstaff.answer.evidence_unit import EvidenceUnit
from tipstaff.answer.gathering import Candidate, gather
from tipstaff.answer.question import QueryType, understand
from tipstaff.citation.grammar import parse_citations
from tipstaff.domain.citation import SYNTHESIS_ID, Citation, Passage
from tipstaff.domain.document import UnitKind
from tipstaff.facts.polarity import DENIAL
from tipstaff.facts.quantities import Quantity, quantities
from tipstaff.lexical.analysis import query_terms

_MARK = re.compile(r"\s*\[\[[^\]]*\]\]")
_MOST_EVIDENCE = 3
_MOST_INSTEAD = 3
_SUPPORTED = 0.45
_HELD = 0.2
# A place as large as an item says nothing in particular.
_LARGEST_PLACE = 60
_INSTEAD = 0.08


class Standing(StrEnum):
    SUPPORTED = "supported"
    OTHERWISE = "otherwise"  # the context speaks to it, in another sense
    ELSEWHERE = "elsewhere"  # another item says it, not the one that is cited
    UNSUPPORTED = "unsupported"


@dataclass(frozen=True, slots=True)
class Support:
    """`evidence` says it, or speaks to it; `instead` is what the cited places say, best first."""

    standing: Standing
    evidence: tuple[Candidate, ...] = ()
    instead: tuple[EvidenceUnit, ...] = ()


def support_of(stated: EvidenceUnit, subject: Iterable[str], context: AnswerContext) -> Support:
    """How one sentence of the synthesis stands to the context."""
    claim = without_marks(stated.reader_text)
    cited = _cited(stated, context)
    evidence = _evidence(claim, list(subject), context)
    cited_items = {citation.item_id for citation in cited}
    own = [one for one in evidence if not cited_items or one.unit.item_id in cited_items]
    if own and _same_sense(claim, own[0].unit):
        every = [*own, *(one for one in evidence if one not in own)]
        agreeing = [one for one in every if _same_sense(claim, one.unit)]
        return Support(Standing.SUPPORTED, _one_an_item(agreeing))
    if own:
        return Support(Standing.OTHERWISE, _one_an_item(own))
    instead = _instead(claim, cited, context)
    if evidence:
        return Support(Standing.ELSEWHERE, _one_an_item(evidence), instead)
    return Support(Standing.UNSUPPORTED, (), instead)


def without_marks(text: str) -> str:
    return " ".join(_MARK.sub("", text).split())


def _cited(stated: EvidenceUnit, context: AnswerContext) -> list[Citation]:
    marks = parse_citations(stated.unit.text, names=context.bundle.citable_names())
    return [one for mark in marks for one in mark.citations if one.item_id != SYNTHESIS_ID]


def _evidence(claim: str, subject: list[str], context: AnswerContext) -> list[Candidate]:
    """Units that say what the claim says: its figures, its telling words; best first."""
    part = understand(claim).parts[0]
    part = replace(part, text=claim, search_text=claim, type=QueryType.FACTUAL)
    wanted = _telling(quantities(claim))
    words = set(query_terms(claim))
    total = sum(context.rarity(term) for term in words) or 1.0
    scored = []
    for one in gather(part, context, read=0).candidates:
        if one.unit.unit.kind is UnitKind.HEADING:
            continue
        held = sum(context.rarity(term) for term in words & one.unit.all_terms) / total
        asked = sum(term in one.unit.all_terms for term in subject) / max(len(subject), 1)
        figures = _shared(wanted, one.unit)
        if wanted and not figures:
            continue
        score = held + 0.3 * figures + 0.2 * asked
        if score >= _SUPPORTED and held >= _HELD:
            scored.append((score, one))
    return [one for _, one in sorted(scored, key=lambda pair: (-pair[0], pair[1].unit.key))]


def _same_sense(claim: str, unit: EvidenceUnit) -> bool:
    """Its telling figures are the same, or, without any, both deny or neither does."""
    if _shared(_telling(quantities(claim)), unit):
        return True
    return bool(DENIAL.search(claim)) == bool(DENIAL.search(unit.text))


def _instead(claim: str, cited: list[Citation], context: AnswerContext) -> tuple[EvidenceUnit, ...]:
    """What the cited places say that comes nearest to the claim."""
    words = set(query_terms(claim))
    total = sum(context.rarity(term) for term in words) or 1.0
    found: dict[tuple[str, int, int], tuple[float, EvidenceUnit]] = {}
    for citation in cited:
        units = _units_at(citation, context)
        narrow = len(units) <= _LARGEST_PLACE
        for unit in units:
            held = sum(context.rarity(term) for term in words & unit.own_terms) / total
            if held >= _INSTEAD or (narrow and len(units) == 1):
                found[unit.key] = held, unit
    ranked = sorted(found.values(), key=lambda pair: (-pair[0], pair[1].key))
    return tuple(unit for _, unit in ranked[:_MOST_INSTEAD])


def _units_at(citation: Citation, context: AnswerContext) -> list[EvidenceUnit]:
    document = context.documents(citation.item_id)
    found = document.resolve(citation.location) if document else None
    if not isinstance(found, Passage):
        return []
    every = context.units_of(citation.item_id)
    there = [
        unit
        for unit in every
        if any(s.start < unit.unit.span.end and unit.unit.span.start < s.end for s in found.spans)
    ]
    headings = {unit.text for unit in there if unit.unit.kind is UnitKind.HEADING}
    # A cited heading means what stands under it.
    return [
        unit
        for unit in every
        if unit.unit.kind is not UnitKind.HEADING
        and (unit in there or bool(headings & set(unit.block.headings[-1:])))
    ]


def _one_an_item(candidates: list[Candidate]) -> tuple[Candidate, ...]:
    chosen: list[Candidate] = []
    for one in candidates:
        if all(other.unit.item_id != one.unit.item_id for other in chosen):
            chosen.append(one)
    return tuple(chosen[:_MOST_EVIDENCE])


def _telling(figures: list[Quantity]) -> list[Quantity]:
    """Years and small counts are everywhere; a claim stands or falls with its other figures."""
    return [
        one for one in figures if one.measure != "number" or (one.digits > 2 and not _is_year(one))
    ]


def _is_year(figure: Quantity) -> bool:
    return figure.measure == "number" and 1900 <= figure.value <= 2100


def _shared(wanted: list[Quantity], unit: EvidenceUnit) -> float:
    if not wanted:
        return 0.0
    held = sum(any(one.agrees_with(two) for two in unit.figures) for one in wanted)
    return held / len(wanted)
