"""What "it" or "the same year" of a sentence is: said of another, the same words are another
statement."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tipstaff.facts.names import names
from tipstaff.facts.periods import periods
from tipstaff.lexical.analysis import STOP_WORDS, terms
from tipstaff.verify.evidence_text import EvidenceText

_IT = re.compile(r"\W*its?\b", re.IGNORECASE)
_BEGINS = re.compile(r"\W*([A-ZÀ-Þ][\w’-]+)")
_THEN = re.compile(
    r"\b(?:the|that) same (?:year|season|month|quarter|period|day|week)\b", re.IGNORECASE
)


def is_of_some_time(statement: str, evidence: Sequence[EvidenceText]) -> bool:
    """Whether "in the same year" is one of several that a row has columns of: which, stands in
    another sentence."""
    if not _THEN.search(statement) or periods(statement):
        return False
    return any(sum(bool(periods(head)) for head, _ in one.cells) > 1 for one in evidence)


def is_of_something_else(statement: str, subject: str, evidence: Sequence[EvidenceText]) -> bool:
    """Whether "it" is what the cited words do not name, and their sentence begins with another
    name."""
    if not subject or not _IT.match(statement):
        return False
    own = frozenset(terms(subject)) - STOP_WORDS
    if not own or any(own & (one.terms | one.paper_terms) for one in evidence):
        return False
    words = frozenset(terms(statement)) - STOP_WORDS
    nearest = max(evidence, key=lambda one: len(words & one.own_terms), default=None)
    if nearest is None or nearest.is_row:
        return False
    begins = _BEGINS.match(nearest.text)
    return begins is not None and any(begins[1] in name for name in names(nearest.text))
