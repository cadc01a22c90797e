"""The clauses of the evidence that a statement comes from: the rest is another matter."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from tipstaff.lexical.analysis import terms
from tipstaff.verify.clauses import Clause
from tipstaff.verify.denied_words import denied_words, hangs_on_denial
from tipstaff.verify.evidence_text import EvidenceText
from tipstaff.verify.exchanges import LIGHT
from tipstaff.verify.statement import Statement

NEARLY_ALL = 4
_NAMING_SHARE = 1 / 3
GOVERNED = re.compile(
    r"(?:\b(?:not|never|without)|n['’]t)(?: (?:an?|the|any|yet|ha[sd]|have|be|been|being|in|on|"
    r"at|for|by|with|during|from))* (\w+)",
    re.IGNORECASE,
)


def covering(words: Collection[str], evidence: Sequence[EvidenceText]) -> list[Clause]:
    """The fewest clauses that have all of these words that any has, nearest first; headings only
    for words that nothing else has."""
    left, every = set(words), frozenset(words)
    chosen: list[Clause] = []
    own = [clause for one in evidence for clause in one.clauses]
    around = [clause for one in evidence for clause in one.heading_clauses]
    for some in (own, around):
        while left:
            best = max(
                some,
                key=lambda clause: (len(clause.terms & left), len(clause.terms & every)),
                default=None,
            )
            if best is None or not best.terms & left:
                break
            chosen.append(best)
            left -= best.terms
    return chosen


def nearest_covering(statement: Statement, evidence: Sequence[EvidenceText]) -> list[Clause]:
    """The same; of clauses that have as much, the one in the unit that has more."""
    return covering_nearest(statement.words, evidence)


def covering_nearest(words: Collection[str], evidence: Sequence[EvidenceText]) -> list[Clause]:
    own = frozenset(words)
    return covering(own, sorted(evidence, key=lambda one: -len(one.own_terms & own)))


def chosen_clauses(
    statement: Statement, wanted: Collection[str], evidence: Sequence[EvidenceText]
) -> list[Clause]:
    """The clauses that a statement comes from; if it denies nothing, without those that were chosen
    for words that any report is written with."""
    if statement.denies:
        return covering_nearest(wanted, evidence)
    chosen = covering(wanted, evidence)
    left = set(wanted)
    # In a table one word is a column, and its denial with it.
    rows = any(one.is_row for one in evidence)
    said = frozenset(terms(statement.plain))
    kept: list[Clause] = []
    for clause in chosen:
        new = frozenset(clause.terms & left)
        if kept and not rows and _only_names(new, clause, kept[0], wanted, evidence):
            left -= clause.terms
            continue
        # Beside a clause that has nearly all, one word of another does not bring its denial along.
        stray = not rows and len(new) == 1 and len(set(wanted) - left) >= NEARLY_ALL
        stray = stray and not governs(clause, new)
        # However common a word: a column that says no is not passed over.
        light = LIGHT.issuperset(new) and not (rows and clause.denied)
        # Of "deduction or set-off" the second hangs on the denial of the first.
        light = light and not (hangs_on_denial(clause) and denied_words(clause) <= said)
        if not kept or not (stray or light):
            kept.append(clause)
        left -= clause.terms
    return kept


def _only_names(
    new: frozenset[str],
    clause: Clause,
    first: Clause,
    wanted: Collection[str],
    evidence: Sequence[EvidenceText],
) -> bool:
    """Whether a clause of another sentence only says what the retold one speaks of: "they exclude
    contractors. There were 41 contractors"."""
    beside = not any(first in one.clauses and clause in one.clauses for one in evidence)
    if not beside or len(new) > _NAMING_SHARE * len(set(wanted)):
        return False
    return not governs(clause, new)


def governs(clause: Clause, words: frozenset[str]) -> bool:
    """Whether a denial is of these words: "not an approval" is of the approval, "may not exceed the
    charge" is of no charge."""
    return any(not words.isdisjoint(terms(match[1])) for match in GOVERNED.finditer(clause.text))
