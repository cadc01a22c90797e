"""What a writer only says that the reader says: "You say a copy was handed in" is no fact, nor is
it the writer's own word."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tipstaff.lexical.analysis import STOP_WORDS, terms
from tipstaff.verify.evidence_text import EvidenceText
from tipstaff.verify.naming import is_named
from tipstaff.verify.statement import Statement

_ALLEGED = re.compile(
    r"\byou(?: (?:now|also|still|again))? (?:say|said|write|wrote|tell (?:us|me)|told (?:us|me)|"
    r"(?:claim|state|maintain|assert|allege|argue|suggest|contend)(?:e?d)?)\b",
    re.IGNORECASE,
)
_REPORTS = re.compile(
    r"\b(?:sa(?:ys?|id)|wr(?:ites?|ote)|claim(?:s|ed)?|stat(?:es?|ed)|tells?|told|according to|"
    r"maintain(?:s|ed)?|argu(?:es?|ed)|alleg(?:es?|ed)|assert(?:s|ed)?|suggest(?:s|ed)?)\b",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"(?<=[.!?])\s+")
# Of a statement's telling words, those that stand behind it.
_LEAST = 0.5


def is_only_alleged(statement: Statement, units: Sequence[EvidenceText]) -> bool:
    """Whether the words that a statement has stand where somebody is told that he says so, and no
    other sentence has as many of them."""
    telling = frozenset(terms(statement.plain)) - STOP_WORDS
    best, alleged_best, author = 0, 0, ""
    for one in units:
        for sentence in () if one.is_row else _SENTENCE.split(one.text):
            said = _ALLEGED.search(sentence)
            held = len(telling.intersection(terms(sentence[said.end() :] if said else sentence)))
            if said is None:
                best = max(best, held)
            elif held > alleged_best:
                alleged_best, author = held, one.author or one.writer
    if alleged_best <= best or alleged_best < _LEAST * len(telling):
        return False
    named = [name for name in (*statement.names, statement.opening) if name]
    return not _REPORTS.search(statement.plain) or any(
        author and is_named(name, terms(author)) for name in named
    )
