"""Proper names, codes and quoted words of a text; and who is known by which role."""

from __future__ import annotations

import re
from collections.abc import Iterable

from tipstaff.lexical.analysis import STOP_WORDS

_QUOTED = re.compile(r"[\"“”]([^\"“”]{2,80})[\"“”]|(?<!\w)['‘]([^'’]{2,60})['’](?!\w)")
_CODE = re.compile(
    r"\b(?=[\w./-]{0,80}\d)(?=[\w./-]{0,80}[A-Za-z])[A-Za-z0-9]+(?:[-_./][A-Za-z0-9]+)*\b"
)
_CAPITALISED = re.compile(
    r"\b(?:[A-ZÀ-Þ][\w’'&-]*|[A-Z]{2,}\w*)(?:\s+(?:(?:of|de|van|von|der|and|&)\s+)?"
    r"(?:[A-ZÀ-Þ][\w’'&-]*))*"
)
_PERIOD_CODE = re.compile(r"(?:q[1-4]|h[12]|fy)\d*|\d+(?:st|nd|rd|th)", re.IGNORECASE)
_MONTHS = frozenset(
    [
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
        "monday",
        "tuesday",
        "wednesday",
        "thursday",
        "friday",
        "saturday",
        "sunday",
    ]
)
# Capitalised in questions without naming anything.
_NO_NAMES = frozenset(
    [
        "i",
        "list",
        "show",
        "explain",
        "compare",
        "summarise",
        "summarize",
        "describe",
        "give",
        "tell",
        "find",
        "name",
        "cite",
        "quote",
        "identify",
        "please",
        "according",
        "based",
        "besides",
        "apart",
        "some",
        "does",
        "can",
        "could",
        "would",
        "should",
    ]
)
_ROLE = (
    r"(?:(?:chief executive|managing director|chief|head|director|manager|vice president|"
    r"president|chair(?:man|woman|person)?|"
    r"secretary|treasurer|counsel|officer|lead|owner|author|engineer|investigator|monitor|"
    r"coordinator|administrator|architect|analyst|consultant|partner|programme director|"
    r"project manager|founder|co-founder|tenant|landlord|auditor|mayor|clerk|superintendent)"
    r"(?:\s+(?:of|for)\s+(?:the\s+)?[\w-]+(?:\s+[\w-]+)?|\s+\w+ officer)?|"
    r"c[etfoim]o|cfo|ceo|cto|coo|ciso|cio|cmo|(?:\w+\s){0,2}(?:director|manager|officer|lead|"
    r"engineer|counsel|investigator|chair|secretary|treasurer|head))"
)
_PERSON = (
    r"\b[A-ZÀ-Þ][\w’'-]{1,40}(?:\s+[A-Z]\.)?(?:\s+(?:van|von|de|der)\s+)?"
    r"(?:\s+[A-ZÀ-Þ][\w’'-]{1,40}){1,4}"
)
_ALIASES = (
    re.compile(
        rf"(?P<name>{_PERSON}),?\s+(?:the\s+|our\s+|is\s+(?:the\s+)?|as\s+(?:the\s+)?)?"
        rf"(?P<role>(?i:{_ROLE}))\b"
    ),
    re.compile(rf"(?P<name>{_PERSON})\s+\((?:the\s+)?(?P<role>(?i:{_ROLE}))\b"),
    re.compile(rf"\b(?P<role>(?i:{_ROLE}))(?:,|:|\s+is|\s+\||\s+-|\s+–)?\s+(?P<name>{_PERSON})"),
)
_INITIALS = {
    "chief executive officer": "ceo", "chief executive": "ceo", "chief financial officer": "cfo",
    "chief technology officer": "cto", "chief technical officer": "cto",
    "chief operating officer": "coo", "chief information officer": "cio",
    "chief information security officer": "ciso", "chief marketing officer": "cmo",
}  # fmt: skip


def names(text: str) -> list[str]:
    """Names, codes and quoted words that a question is about, in order, each once."""
    found = [(match.start(), match[1] or match[2]) for match in _QUOTED.finditer(text)]
    for match in _CAPITALISED.finditer(text):
        words = _without_openers(match.group(), at_start=_starts_sentence(text, match.start()))
        if words:
            found.append((match.start(), words))
    found += [
        (match.start(), match.group())
        for match in _CODE.finditer(text)
        if not _PERIOD_CODE.fullmatch(match.group())
    ]
    kept: list[str] = []
    for _, name in sorted(found):
        plain = re.sub(r"['’]s$", "", name.strip())
        if plain and not any(plain in other for other in kept):
            kept.append(plain)
    return kept


def aliases(texts: Iterable[str]) -> dict[str, set[str]]:
    """Roles, in lower case, and the people who are said to have them."""
    found: dict[str, set[str]] = {}
    for text in texts:
        for pattern in _ALIASES:
            for match in pattern.finditer(text):
                role = plain_role(match["role"])
                found.setdefault(role, set()).add(" ".join(match["name"].split()))
    return found


def plain_role(role: str) -> str:
    """A role as it is compared: "the Chief Technology Officer" is the cto."""
    plain = " ".join(role.lower().split()).removeprefix("the ")
    return _INITIALS.get(plain, plain)


def _without_openers(name: str, *, at_start: bool) -> str:
    """A capital at the start of a sentence is no name by itself."""
    words = name.split()
    while words and at_start and _is_plain(words[0]):
        words, at_start = words[1:], False
    words = [word for word in words if word.lower().strip("’'s") not in _MONTHS]
    while words and (words[-1].lower() in STOP_WORDS or _PERIOD_CODE.fullmatch(words[-1])):
        words.pop()
    while words and (_PERIOD_CODE.fullmatch(words[0]) or words[0].lower() in STOP_WORDS):
        words.pop(0)
    return " ".join(words)


def _is_plain(word: str) -> bool:
    return word.lower() in STOP_WORDS or word.lower() in _NO_NAMES


def _starts_sentence(text: str, at: int) -> bool:
    before = text[:at].rstrip()
    return not before or before[-1] in ".?!:;\n"
