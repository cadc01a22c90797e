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
# A time alone is set in place of the other side's: "the 2024 rent for Unit 4" with "2023".
_TIME = re.compile(
    r"\bq[1-4](?: \d{4})?\b|\b(?:first|second|third|fourth) quarter(?: of \d{4})?\b|"
    r"\b(?:(?:january|february|march|april|may|june|july|august|september|october|november|"
    r"december) )?(?:19|20)\d{2}\b",
    re.IGNORECASE,
)
_YEAR_BEFORE = re.compile(
    r"(?:in |for |that of )?(?:the )?(?:(?:previous|prior|preceding) year|year before)",
    re.IGNORECASE,
)
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
    moved = _at_another_time(one, two)
    if moved:
        return one, moved
    places = list(_PREPOSITION.finditer(one))
    if not places:
        return one, two
    place = places[-1]
    subject = one[: place.start()]
    rest = _STAND_IN.sub("", two)
    if rest != two and rest:
        return one, f"{subject} {rest}"
    if len(two.split()) == 1:
        return one, one[: place.end()] + two
    return one, two


def _at_another_time(one: str, two: str) -> str | None:
    """The first side at the time that is all the second names."""
    times = _TIME.findall(one)
    if len(times) != 1:
        return None
    if _YEAR_BEFORE.fullmatch(two) and times[0].isdigit():
        return _TIME.sub(str(int(times[0]) - 1), one)
    rest = _STAND_IN.sub("", two)
    bare = re.sub(r"^(?:in|for|of|the|year|\s)+\b", "", rest, flags=re.IGNORECASE).strip()
    return _TIME.sub(bare, one) if _TIME.fullmatch(bare) else None
