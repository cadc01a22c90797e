"""What a sentence is about: a statement may not say of one thing what the evidence says of another.

"Title passes to the buyer. Risk stays with the builder" does not say that risk passes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from tipstaff.lexical.analysis import STOP_WORDS, terms
from tipstaff.verify.evidence_text import EvidenceText
from tipstaff.verify.statement import STRUCTURE, Statement
from tipstaff.verify.synonyms import is_known

_HEAD = re.compile(
    r"^\W*(?:[\d.]+\s+)?(?:(?:the|an?|its|their|his|her|this|that|each|every|any|no)\s+)?"
    r"(?P<noun>[A-Za-z][\w-]+)"
)
# So many more words of another sentence make it the one that is retold.
_MORE = 2
# Fewer words are a label and no sentence.
_SENTENCE = 4


def subject_exchanged(statement: Statement, evidence: Sequence[EvidenceText]) -> bool:
    """Whether a statement begins with what one sentence is about, and goes on with another that
    is about something else and does not name it."""
    subject = _subject(statement.plain)
    if not subject or len(evidence) < 2:
        return False
    rest = [word for word in statement.words if word != subject]
    own = [
        one
        for one in evidence
        if not one.is_row and len(one.sequence) >= _SENTENCE and _subject(one.text) == subject
    ]
    if not own:
        return False
    least = max(_shared(rest, one) for one in own)
    return any(
        (other := _subject(one.text))
        and other != subject
        and not is_known(other, statement.words)
        and not is_known(subject, one.own_terms)
        and _shared(rest, one) >= least + _MORE
        for one in evidence
        if not one.is_row
    )


def _subject(text: str) -> str:
    """The noun that a sentence opens with; nothing if it opens with a word that tells nothing."""
    match = _HEAD.match(text)
    if match is None:
        return ""
    (term, *_) = terms(match["noun"]) or [""]
    return "" if term in STOP_WORDS or term in STRUCTURE else term


def _shared(words: Sequence[str], one: EvidenceText) -> int:
    return sum(word in one.own_terms for word in words)
