"""How often something comes round: what is done each quarter is not done each month."""

from __future__ import annotations

import re

_OFTEN = re.compile(
    r"\b(?:each|every|once an?|twice an?|times an?)\s+"
    r"(?P<of>second|minute|hour|day|night|week|month|quarter|year|term|season)\b|"
    r"\b(?P<often>hourly|daily|nightly|weekly|monthly|quarterly|yearly|annual(?:ly)?)\b",
    re.IGNORECASE,
)
_TIMES = re.compile(
    r"\b(?:(?<!at )once(?! (?:an?|the|it|they|he|she|we|every|per|more|again|all|\w+ is)\b)|"
    r"twice(?! (?:an?|the|as)\b)|(?:two|three|four|five|six|\d+) times(?! (?:an?|the|as|more)\b))",
    re.IGNORECASE,
)
_ADVERBS = {"dai": "day", "night": "night", "annual": "year"}


def recurs_otherwise(statement: str, nearest: str, told: str) -> bool:
    """Whether a statement says that something comes round as often as nothing does there, and the
    words that it comes from say how often."""
    said = _often(statement)
    return bool(said) and bool(_often(nearest)) and said.isdisjoint(_often(told))


def counts_otherwise(statement: str, told: str) -> bool:
    """Whether something is said to have been done once that was done twice."""
    said = {match[0].lower() for match in _TIMES.finditer(statement)}
    known = {match[0].lower() for match in _TIMES.finditer(told)}
    return bool(said) and bool(known) and said.isdisjoint(known)


def _often(text: str) -> set[str]:
    return {
        match["of"].lower() if match["of"] else _unit(match["often"].lower())
        for match in _OFTEN.finditer(text)
    }


def _unit(adverb: str) -> str:
    stem = adverb.removesuffix("ly")
    return _ADVERBS.get(stem, stem)
