"""How often something comes round: what is done each quarter is not done each month."""

from __future__ import annotations

import re

_TURN = "second|minute|hour|day|night|week|month|quarter|year|term|season"
_OFTEN = re.compile(
    r"\b(?:each|every|once an?|twice an?|times an?)\s+"
    rf"(?P<of>{_TURN})\b|"
    r"\b(?P<often>hourly|daily|nightly|weekly|monthly|quarterly|yearly|annual(?:ly)?)\b",
    re.IGNORECASE,
)
_TIMES = re.compile(
    r"\b(?:(?<!at )once(?! (?:an?|the|it|they|he|she|we|every|per|more|again|all|\w+ is)\b)|"
    r"twice(?! (?:an?|the|as)\b)|(?:two|three|four|five|six|\d+) times(?! (?:an?|the|as|more)\b))",
    re.IGNORECASE,
)
_RATE = re.compile(
    r"\b(?P<count>once|twice|thrice|(?:two|three|four|five|six|seven|eight|ten|twelve|\d+) times) "
    rf"(?:an?|each|every|per) (?P<of>{_TURN})\b",
    re.IGNORECASE,
)
_ONCE, _COUNTS = "once", {"two times": "twice", "2 times": "twice", "three times": "thrice"}
_ADVERBS = {"dai": "day", "night": "night", "annual": "year"}


def recurs_otherwise(statement: str, nearest: str, told: str) -> bool:
    """Whether a statement says that something comes round as often as nothing does there, and the
    words that it comes from say how often."""
    said, rates = often(statement), _rates(statement)
    if bool(said) and bool(often(nearest)) and said.isdisjoint(often(told)):
        return True
    if not rates:
        return False
    known = {*_rates(told), *((_ONCE, unit) for unit in often(_RATE.sub(" ", told)))}
    return any(rate not in known and any(unit == rate[1] for _, unit in known) for rate in rates)


def counts_otherwise(statement: str, told: str) -> bool:
    """Whether something is said to have been done once that was done twice."""
    said = {match[0].lower() for match in _TIMES.finditer(statement)}
    known = {match[0].lower() for match in _TIMES.finditer(told)} if said else set()
    return bool(known) and said.isdisjoint(known)


def often(text: str) -> set[str]:
    """Each what: week for "weekly" and for "once a week"."""
    return {
        match["of"].lower() if match["of"] else _unit(match["often"].lower())
        for match in _OFTEN.finditer(text)
    }


def _rates(text: str) -> set[tuple[str, str]]:
    """How many times in what time: twice a year."""
    found = ((match["count"].lower(), match["of"].lower()) for match in _RATE.finditer(text))
    return {(_COUNTS.get(count, count), unit) for count, unit in found}


def _unit(adverb: str) -> str:
    stem = adverb.removesuffix("ly")
    return _ADVERBS.get(stem, stem)
