"""Any sentence held against a bundle: supported, contradicted, or silence (TIP §9.2).

The same rules that withhold a model's false sentences judge it, without a model. What speaks
against a statement is told from what merely does not say it.
"""

from __future__ import annotations

from typing import Any

from tipstaff.answer.context import AnswerContext
from tipstaff.answer.witnessing import ContextWitness
from tipstaff.boundary import GroundingBoundary
from tipstaff.domain.classification import Support
from tipstaff.facts.periods import outside_dates
from tipstaff.facts.quantities import Measure, Quantity, quantities
from tipstaff.lexical.analysis import terms
from tipstaff.verify.checked_sentence import CitedEvidence
from tipstaff.verify.evidence_text import EvidenceText
from tipstaff.verify.reasons import AGAINST
from tipstaff.verify.support import SupportVerdict, check_support, may_support

SUPPORTED, CONTRADICTED, SILENT = "supported", "contradicted", "silent"
_MOST_PASSAGES = 4
_EXCERPT_CHARS = 400
_OTHER_FIGURE = "The same thing is said there with another figure."
_Judged = list[tuple[CitedEvidence, SupportVerdict]]
_Verdict = dict[str, str | None]
_SILENT = "Nothing in the context was found that says it or speaks against it."


def check_claim(
    boundary: GroundingBoundary, context: AnswerContext, statement: str
) -> dict[str, Any]:
    """The verdict, why, and the passages that it rests on, nearest first."""
    witness = ContextWitness(
        context=context,
        resolve=boundary.resolve,
        has_integrity=boundary.has_integrity,
        permitted=boundary.may_cite,
    )
    home = witness.witness(statement, may_infer=False).home
    found = witness.search(statement)
    judged = [(one, check_support(statement, [one.units], home=home)) for one in found if one.units]
    supporting = [pair for pair in judged if pair[1].support is not Support.UNVERIFIED]
    if supporting:
        found_support = str(supporting[0][1].support)
        return _told(boundary, statement, supporting, _verdict(SUPPORTED, support=found_support))
    against = [pair for pair in judged if _speaks_against(statement, *pair)]
    if against:
        reason = against[0][1].reason
        told = reason if reason in AGAINST else _OTHER_FIGURE
        # The nearest alone: what is further off may speak of something else.
        return _told(boundary, statement, against[:1], _verdict(CONTRADICTED, told))
    return _told(boundary, statement, [], _verdict(SILENT, _SILENT))


def _verdict(verdict: str, reason: str = "", support: str | None = None) -> _Verdict:
    return {"verdict": verdict, "reason": reason, "support": support}


def _speaks_against(statement: str, one: CitedEvidence, verdict: SupportVerdict) -> bool:
    """The unit that is nearest to it says nearly the same, and something else in its place."""
    nearest = _nearest(statement, one)
    if not may_support(statement, [nearest]):
        return False
    if verdict.reason in AGAINST:
        return True
    wanted = outside_dates(quantities(statement), statement)
    return any(_has_rival(figure, quantities(nearest.text)) for figure in wanted)


def _nearest(statement: str, one: CitedEvidence) -> EvidenceText:
    said = set(terms(statement))
    return max(one.units, key=lambda unit: len(said & unit.own_terms))


def _has_rival(figure: Quantity, said: list[Quantity]) -> bool:
    """Figures of the same measure, and this one is not among them."""
    if figure.measure is Measure.NUMBER:
        return False
    alike = [one for one in said if one.measure is figure.measure and one.unit == figure.unit]
    return bool(alike) and not any(figure.agrees_with(one) for one in alike)


def _told(
    boundary: GroundingBoundary, statement: str, judged: _Judged, verdict: _Verdict
) -> dict[str, Any]:
    return {
        **verdict,
        "passages": [_passage(boundary, statement, one) for one, _ in judged[:_MOST_PASSAGES]],
    }


def _passage(boundary: GroundingBoundary, statement: str, one: CitedEvidence) -> dict[str, str]:
    """TIP §13.4.2: of an item that may only be asked about, the place and no words."""
    words = " ".join(_nearest(statement, one).text.split())
    shown = boundary.quotable(one.citation.item_id)
    return {
        "item_id": one.citation.item_id,
        "location": str(one.citation.location),
        "text_excerpt": words[:_EXCERPT_CHARS] if shown else "",
    }
