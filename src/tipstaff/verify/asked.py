"""What is asked is not said: of a question that is answered with no, the words are denied."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tipstaff.lexical.analysis import STOP_WORDS, terms
from tipstaff.verify.evidence_text import EvidenceText
from tipstaff.verify.statement import Statement

_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+")
_NO = re.compile(
    r"\W*(?:no|never|not at all|certainly not|not yet)\b[^\w]*(?:\s|$)|"
    r"(?:they|it|he|she|we|you|this) (?:is|are|was|were|do|does|did|has|have|will|can|must|may|"
    r"should|need)(?: not|n['’]t)[.!]?$",
    re.IGNORECASE,
)


_WHETHER = re.compile(r"\bask(?:ed|s)? (?:\w+ )?(?:whether|if)\b", re.IGNORECASE)


def _asks(one: EvidenceText) -> bool:
    return "?" in one.text or bool(_WHETHER.search(one.text))


def affirms_refused_question(statement: Statement, evidence: Sequence[EvidenceText]) -> bool:
    """Whether a statement affirms words that stand only in a question to which the answer is no:
    "Will it be cooked in the same pans? – No, in separate pans"."""
    if statement.denies or statement.lacks or not any(map(_asks, evidence)):
        return False
    sentences = [part for one in evidence for part in _SENTENCE.split(one.text) if part.strip()]
    asked: set[str] = set()
    said: set[str] = set()
    for at, sentence in enumerate(sentences):
        if not sentence.rstrip(" \"”’'").endswith("?") and not _WHETHER.search(sentence):
            said.update(terms(sentence))
        elif at + 1 < len(sentences) and _NO.match(sentences[at + 1]):
            asked.update(terms(sentence))
    around = {term for one in evidence for term in terms(one.surroundings)}
    return bool((asked - said - around - STOP_WORDS).intersection(terms(statement.plain)))
