"""Which of several places that a statement cites have something of it: a citation that supports
nothing is none (TIP §5.5)."""

from __future__ import annotations

from collections.abc import Sequence

from tipstaff.lexical.analysis import terms
from tipstaff.verify.checked_sentence import CitedEvidence
from tipstaff.verify.figures import figures_missing_from
from tipstaff.verify.statement import Statement, read_statement
from tipstaff.verify.synonyms import is_known

# Of what a statement says, a place has so much that counts beside another one.
_SOME = 0.34


def bearing(text: str, found: Sequence[CitedEvidence]) -> list[CitedEvidence]:
    """In their order, those that have a good part of a statement, or what no other one has."""
    if len(found) < 2:
        return list(found)
    statement = read_statement(text)
    held = [_held(statement, text, one) for one in found]
    every = frozenset().union(*held)
    kept: list[int] = []
    known: frozenset[str] = frozenset()
    for at in sorted(range(len(found)), key=lambda at: (-len(held[at]), at)):
        if not kept or len(held[at]) >= _SOME * len(every) or not held[at] <= known:
            kept.append(at)
            known |= held[at]
    return [found[at] for at in sorted(kept)]


def _held(statement: Statement, text: str, one: CitedEvidence) -> frozenset[str]:
    """What of a statement stands at one place: words, names, times and figures."""
    known = frozenset().union(*(unit.terms for unit in one.units))
    told = [unit.whole for unit in one.units]
    held = {word for word in statement.words if is_known(word, known)}
    held |= {term for name in statement.names for term in terms(name) if term in known}
    held |= {time for unit in one.units for time in statement.times & unit.times}
    missing = figures_missing_from(text, told)
    held |= {figure.text for figure in statement.figures if figure.text not in missing}
    return frozenset(held)
