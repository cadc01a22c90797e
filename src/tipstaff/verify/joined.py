"""Statements that are joined in one sentence: a false one is not to be carried by the true ones
beside it."""

from __future__ import annotations

import re

_BEGINS = r"(?=(?:the|an?|there|it|they|he|she|this|no|[A-Z])\b)"
_JOINED = re.compile(
    r"[,;]\s+(?:and|but|while|whereas|yet)\s+|;\s+|"
    rf",\s+{_BEGINS}|\s+(?:and|but|while|whereas)\s+{_BEGINS}"
)
_FINITE = re.compile(
    r"\b(?:is|are|was|were|has|have|had|will|would|shall|may|must|can|could|should|does|do|did|"
    r"\w{3,}ed|made|gave|took|said|told|wrote|paid|sent|went|came|kept|held|lent|left|found|put|set|"
    r"cut|rose|fell|says|gives|asks|pays|needs|wants)\b"
)
# What only a condition, or the place of something else, says is none by itself.
_LEANS = re.compile(
    r"\W*(?:if|unless|had|instead of|without|provided|when|where|that|which|who)\b|"
    r".*\b(?:if|unless|had (?-i:[A-Z]))",
    re.IGNORECASE,
)
_LEAST_WORDS = 4


def joined_statements(text: str) -> tuple[str, ...]:
    """Those of a sentence that stand by themselves, each with a subject and a verb; none, if it
    says one thing."""
    parts = [part.strip(" .") for part in _JOINED.split(text)]
    own = [part for part in parts if _stands_alone(part)]
    return tuple(own) if len(parts) > 1 and own else ()


def _stands_alone(part: str) -> bool:
    verb = _FINITE.search(part)
    if verb is None or verb.start() == 0 or _LEANS.match(part):
        return False
    return len(part.split()) >= _LEAST_WORDS
