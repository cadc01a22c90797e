"""Whether days and times of day belong to what a statement says happened then."""

from __future__ import annotations

from collections.abc import Sequence

from tipstaff.facts.periods import periods
from tipstaff.verify.clauses import Clause
from tipstaff.verify.evidence_text import EvidenceText
from tipstaff.verify.statement import Statement, telling_in
from tipstaff.verify.synonyms import with_synonyms

# Days and times of day: years and months are common to many clauses.
_BOUND_TIMES = "dt"


def is_timed(clause: Clause, statement: Statement, evidence: Sequence[EvidenceText]) -> bool:
    """No clause with another time of day or date fits better than those that have this one."""
    bound = [mark for mark in periods(clause.text) if mark[0] in _BOUND_TIMES]
    if not bound:
        return True
    wanted = with_synonyms(telling_in(clause) & frozenset(statement.words))
    own = [
        (periods(one.text), len(wanted & one.terms))
        for unit in evidence
        if not unit.is_row
        for one in unit.clauses
    ]
    for mark in bound:
        best = max((shared for marks, shared in own if mark in marks), default=None)
        rival = max(
            (shared for marks, shared in own if mark not in marks and _of_kind(marks, mark)),
            default=0,
        )
        if best is not None and (rival > best + 1 if best else rival):
            return False
    return True


def _of_kind(marks: frozenset[str], mark: str) -> bool:
    return any(other[0] == mark[0] for other in marks)
