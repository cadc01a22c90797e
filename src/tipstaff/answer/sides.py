"""The two sides of a comparison, each as a question complete in itself (TIP §9.3)."""

from __future__ import annotations

import re

from tipstaff.retrieve.decomposition import aspects

_MORE = (
    r"(?:more|less|fewer|greater|higher|lower|larger|smaller|bigger|longer|shorter|earlier|later)"
)
_PATTERNS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"\bhow (?:does|do|did|has|have) (?P<one>.+?) compared? (?:with|to|against) (?P<two>.+)",
        rf"^(?:is|are|was|were) (?P<one>.+?) {_MORE} than (?P<two>.+)",
        rf"^which (?:is|was|are|were) (?:the )?{_MORE}[,:]? (?P<one>.+?) or (?P<two>.+)",
        r"\bhow far apart (?:is|are|was|were) (?P<one>.+?) and (?P<two>.+)",
    )
)
# "how often … with the drug and with the placebo"
_REPEATED = re.compile(
    r"(?P<head>.+?) (?P<prep>with|in|for|at|on|under|by|from) (?P<one>[^,?]+?),? and (?P=prep) "
    r"(?P<two>[^,?]+)",
    re.IGNORECASE,
)
_STAND_IN = re.compile(r"^(?:the )?(?:ones?|that|those)\b\s*", re.IGNORECASE)
_PREPOSITION = re.compile(r"\s(?:in|of|for|at|on|by|during|under|from)\s", re.IGNORECASE)
_EDGES = " \t\n?.!,;:"


def sides_of(text: str) -> tuple[str, str] | None:
    """What is compared with what; None where a question does not tell them apart."""
    for pattern in _PATTERNS:
        match = pattern.search(text)
        if match:
            return _completed(match["one"].strip(_EDGES), match["two"].strip(_EDGES))
    match = _REPEATED.search(text)
    if match:
        head = f"{match['head']} {match['prep']}"
        return f"{head} {match['one']}".strip(_EDGES), f"{head} {match['two']}".strip(_EDGES)
    found = [side for side in aspects(text, limit=3) if side.strip(_EDGES) != text.strip(_EDGES)]
    return _completed(found[0], found[1]) if len(found) >= 2 else None


def _completed(one: str, two: str) -> tuple[str, str]:
    """ "the rent for 2024" with "the one for 2023", "that of 2023" or "2023"."""
    place = _PREPOSITION.search(one)
    if place is None:
        return one, two
    subject = one[: place.start()]
    rest = _STAND_IN.sub("", two)
    if rest != two and rest:
        return one, f"{subject} {rest}"
    if len(two.split()) == 1:
        return one, one[: place.end()] + two
    return one, two
