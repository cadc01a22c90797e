"""Statements that are joined in one sentence: a false one is not to be carried by the true ones
beside it."""

from __future__ import annotations

import re
from itertools import pairwise

from tipstaff.verify.irregular_forms import PAST

_BEGINS = r"(?=(?:the|an?|there|it|they|he|she|this|no|[A-Z]\w*)\b)"
_JOINED = re.compile(
    r"[,;]\s+(?:and|but|while|whereas|yet)\s+|;\s+|"
    rf",\s+{_BEGINS}|\s+(?:and|but|while|whereas)\s+{_BEGINS}"
)
_OBJECT = (
    r"(?=\s+(?:the|an?|its|their|his|her|our|that|no|not|any|all|each|[£$€]?\d[\d,.]*|[A-Z]\w*)\b)"
)
_FINITE = re.compile(
    r"\b(?:is|are|was|were|has|have|had|will|would|shall|may|must|can|could|should|does|do|did|"
    rf"\w{{3,}}ed|{'|'.join(sorted(PAST))}|put|set|cut|let|left|sought|thought|"
    r"says|gives|asks|pays|needs|wants)\b|"
    # "The trust covers the fee", "the members pay £40": a verb by what stands on both sides of it.
    rf"(?<!\bthe)(?<!\ban)(?<!\ba)(?<!\bits)(?<!\beir)\s(?!\w*(?:ss|us|is)\b)[a-z]{{3,}}s\b{_OBJECT}|"
    rf"\b(?:[a-z]{{3,}}s|they|we)\s(?!(?:of|for|with|from|and|but|that|than|per)\b)[a-z]{{3,}}\b{_OBJECT}"
)
# What only a condition, or the place of something else, says is none by itself.
_LEANS = re.compile(
    r"\W*(?:if|unless|had|instead of|without|provided|when|where|that|which|who)\b|"
    r".*\b(?:if|unless|had (?-i:[A-Z]))",
    re.IGNORECASE,
)
_LEAST_WORDS, _LEAST_SIDE = 4, 3
_CONTRASTS = re.compile(r",? (?:while|whereas) ")


def joined_statements(text: str) -> tuple[str, ...]:
    """Those of a sentence that stand by themselves, each with a subject and a verb; none, if it
    says one thing."""
    parts = [part.strip(" .") for part in _JOINED.split(text)]
    # Behind words without a verb stands what has the same subject: "The lease and the deed are …".
    own = [
        part
        for before, part in pairwise(("", *parts))
        if _stands_alone(part) and (not before or _FINITE.search(before))
    ]
    return tuple(own) if len(parts) > 1 and own else ()


def contrasted(text: str) -> tuple[str, ...]:
    """The sides of "P2 has its alarm while P3 lacks one"; none where nothing is contrasted."""
    sides = [side.strip(" .,;") for side in _CONTRASTS.split(text)]
    if len(sides) == 1 or any(len(side.split()) < _LEAST_SIDE for side in sides):
        return ()
    return tuple(side for side in sides if not _LEANS.match(side))


def _stands_alone(part: str) -> bool:
    verb = _FINITE.search(part)
    if verb is None or verb.start() == 0 or _LEANS.match(part):
        return False
    return len(part.split()) >= _LEAST_WORDS
