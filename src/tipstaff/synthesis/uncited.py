"""A sentence of the synthesis that cites nothing: a view, a claim that leans on its neighbour's
citation, or a claim that the reader cannot trace."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from tipstaff.domain.classification import Support
from tipstaff.facts.quantities import Measure, Quantity
from tipstaff.synthesis.arithmetic import recomputed
from tipstaff.synthesis.audited import Standing
from tipstaff.synthesis.claims import SynthesisClaim
from tipstaff.synthesis.judging import Judge, Judgement
from tipstaff.verify.checked_sentence import CitedEvidence
from tipstaff.verify.reasons import REPAIRED
from tipstaff.verify.statement import Statement, read_statement
from tipstaff.verify.support import check_support, may_support, said_much

_VIEW = "It states no figure, date or quotation, and cites nothing."
_LEANS = "It leans on the citation beside it."
_FOUND = "It cites nothing; the context says it."
_REPEATED = "It cites nothing; its figures and dates stand in claims that do."
_FOLLOWS = "It cites nothing; its figures follow from those beside it."
_NOT_FOUND = "It cites nothing, and the context was not found to say it."
_SMALL = 12
_MOST_FOUND = 2


def judge_uncited(
    claim: SynthesisClaim, judge: Judge, claims: Sequence[SynthesisClaim], beside: Sequence[str]
) -> Judgement:
    statement = read_statement(claim.text)
    if claim.lent:
        leaning = judge.judge(claim, claim.lent, beside)
        if leaning.standing is Standing.SUPPORTED:
            return leaning
        if leaning.standing is Standing.WEAK and _is_checkable(statement):
            return Judgement(
                standing=Standing.WEAK,
                reason=_LEANS,
                evidence=leaning.evidence,
                computed=leaning.computed,
            )
    headings = {one.heading for one in claims}
    if not _is_checkable(statement) or _only_refers(statement, headings):
        return Judgement(standing=Standing.VIEW, reason=_VIEW)
    found = found_in_context(claim.text, judge)
    if found:
        return Judgement(standing=Standing.UNCITED, reason=_FOUND, evidence=tuple(found))
    working = _working(statement, claim, claims, beside)
    if working is not None:
        reason = _FOLLOWS if working else _REPEATED
        return Judgement(standing=Standing.UNCITED, reason=reason, computed=tuple(working))
    return Judgement(standing=Standing.UNCITED, reason=_NOT_FOUND)


def found_in_context(text: str, judge: Judge) -> list[CitedEvidence]:
    """Places that say it beyond doubt."""
    if not said_much(text):
        return []
    proven = (Support.QUOTED, Support.ENTAILED)
    return [
        one
        for one in judge.witness.search(text)
        if may_support(text, one.units)
        and check_support(text, [one.units], least=REPAIRED, home=judge.home).support in proven
    ][:_MOST_FOUND]


def _working(
    statement: Statement,
    claim: SynthesisClaim,
    claims: Sequence[SynthesisClaim],
    beside: Sequence[str],
) -> list[str] | None:
    """How each telling figure comes about, where it is not repeated; None if one does not, or a
    date is not repeated either."""
    others = [
        read_statement(other.text)
        for other in claims
        if other is not claim and (other.citations or other.lent)
    ]
    known = [figure for other in others for figure in other.figures]
    if statement.quotes or not statement.times <= frozenset().union(*(one.times for one in others)):
        return None
    workings = []
    for figure in _telling(statement):
        if any(figure.agrees_with(one) and figure.measure is one.measure for one in known):
            continue
        working = recomputed(figure, statement.plain, [claim.sentence, *beside])
        if not working:
            return None
        workings.append(working)
    return workings


def _is_checkable(statement: Statement) -> bool:
    return bool(_telling(statement) or statement.quotes or statement.times or statement.codes)


def _only_refers(statement: Statement, headings: Collection[str]) -> bool:
    """What is quoted is a heading of the paper itself: "described under …"."""
    told = " ".join(headings)
    own = bool(statement.quotes) and all(quote.strip() in told for quote in statement.quotes)
    return own and not (_telling(statement) or statement.times or statement.codes)


def _telling(statement: Statement) -> list[Quantity]:
    return [
        one
        for one in statement.figures
        if one.measure is not Measure.NUMBER or abs(one.value) > _SMALL
    ]
