"""References to the conversation, resolved from the questions before (TIP §8.1.4).

"And in Q4?" asks the last question for another period; "who approved it?" is about what the last
question was about. Only questions of this session are looked at, never another's.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from tipstaff.answer.gate import topic_of
from tipstaff.answer.question import understand
from tipstaff.facts.openers import asked_names
from tipstaff.facts.periods import periods

_ELLIPTIC = re.compile(
    r"^(?:and|or|what about|how about|and what about|and how about)\b[\s,]*(?P<rest>.+)$",
    re.IGNORECASE,
)
_PERIOD_WORDS = re.compile(
    r"\b(?:q[1-4](?:\s+(?:19|20)\d{2})?|(?:first|second|third|fourth)\s+quarter(?:\s+of\s+\d{4})?|"
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december)"
    r"(?:\s+\d{4})?|(?:19|20)\d{2})\b",
    re.IGNORECASE,
)
_PRONOUN = re.compile(
    r"\b(?:it|this|that|they|them|these|those|he|she|him|her|his|its|their)\b", re.IGNORECASE
)
_SHORT = 7


def resolved(query: str, history: Sequence[str]) -> str:
    """The query as a question of its own; unchanged if it leans on nothing."""
    if not history:
        return query
    before = history[-1]
    text = query.strip()
    match = _ELLIPTIC.match(text)
    if match and len(text.split()) <= _SHORT:
        return _substituted(before, match["rest"].strip(" ?")) or query
    leans = _PRONOUN.search(text) and not asked_names(text)
    if leans and len(text.split()) <= 2 * _SHORT:
        topic = topic_of(understand(before).parts[0])
        return f"{text.rstrip('?')} ({topic})?"
    return query


def _substituted(before: str, rest: str) -> str | None:
    """The last question with one thing exchanged: its period, its name, or its last words."""
    if periods(rest):
        words = re.sub(r"^(?:in|for|during|of)\s+", "", rest, flags=re.IGNORECASE)
        if _PERIOD_WORDS.search(before):
            return _PERIOD_WORDS.sub(words, before, count=1)
        return f"{before.rstrip(' ?')} in {words}?"
    told, asked = asked_names(before), asked_names(rest)
    if told and asked:
        return before.replace(told[-1], asked[0])
    tail = re.search(r"\b(for|of|in|at|on|by)\s+[^?]+\?*$", before)
    if tail and re.match(r"(?:for|of|in|at|on|by)\b", rest, re.IGNORECASE):
        return f"{before[: tail.start()]}{rest}?"
    return f"{before.rstrip(' ?')}: {rest}?"
