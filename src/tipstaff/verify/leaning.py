"""What "it" of a sentence is: said of another thing, the same words are another statement."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tipstaff.facts.names import names
from tipstaff.lexical.analysis import STOP_WORDS, terms
from tipstaff.verify.evidence_text import EvidenceText

_IT = re.compile(r"\W*its?\b", re.IGNORECASE)
_BEGINS = re.compile(r"\W*([A-ZÀ-Þ][\w’-]+)")


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
