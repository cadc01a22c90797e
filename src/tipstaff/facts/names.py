"""Proper names, codes and quoted words of a text."""

from __future__ import annotations

import re

from tipstaff.facts.months import MONTHS, WEEKDAYS
from tipstaff.lexical.analysis import STOP_WORDS

_QUOTED = re.compile(r"[\"“”]([^\"“”]{2,80})[\"“”]|(?<!\w)['‘]([^'’]{2,60})['’](?!\w)")
_CODE = re.compile(
    r"\b(?=[\w./-]{0,80}\d)(?=[\w./-]{0,80}[A-Za-z])[A-Za-z0-9]+(?:[-_./][A-Za-z0-9]+)*\b"
)
_CAPITALISED = re.compile(
    r"\b(?:[A-ZÀ-Þ][\w’'&-]*|[A-Z]{2,}\w*)(?:\s+(?:(?:of|de|van|von|der|and|&)\s+)?"
    r"(?:[A-ZÀ-Þ][\w’'&-]*))*"
)
# A release, and one of a row of like things that have a number for a name.
_VERSION = re.compile(r"(?<![\w.])v?\d+\.\d+\.\d+(?:-\w+)?(?![\w.]*\d)", re.IGNORECASE)
_NUMBERED = re.compile(
    r"\b(?:unit|site|clause|section|room|lot|plot|building|annex|article|schedule|option|arm|group|"
    r"incident|ticket|issue|block|lease|invoice|order) (?:no\.? )?\d[\w.-]*\b",
    re.IGNORECASE,
)
_PERIOD_CODE = re.compile(r"(?:q[1-4]|h[12]|fy)\d*|\d+(?:st|nd|rd|th)", re.IGNORECASE)
_CALENDAR = frozenset((*MONTHS, *WEEKDAYS))
# Capitalised at the head of questions without naming anything.
_NO_NAMES = frozenset((
    "according", "add", "altogether", "apart", "approximately", "assume", "based", "besides",
    "break", "briefly", "calculate", "can", "check", "cite", "collect", "compare", "compile",
    "confirm", "contrast", "could", "count", "describe", "detail", "discuss", "does", "draft",
    "enumerate", "evaluate", "exactly", "explain", "find", "get", "give", "help", "i", "identify",
    "imagine", "just", "let", "list", "look", "name", "outline", "overall", "please", "point",
    "provide", "put", "quote", "rank", "read", "recap", "roughly", "say", "set", "should", "show",
    "simply", "some", "state", "summarise", "summarize", "suppose", "supposing", "take", "tell",
    "trace", "verify", "walk", "work", "would", "write",
))  # fmt: skip
# "Adding up every instalment, …": a verb opens the sentence.
_GERUND = re.compile(r"[A-Z][a-z]{2,}ing")


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
    found += [
        (match.start(), match.group())
        for pattern in (_VERSION, _NUMBERED)
        for match in pattern.finditer(text)
    ]
    kept: list[str] = []
    # Of two names that begin at one place the longer one is meant: "Unit 5", not "Unit".
    for _, name in sorted(found, key=lambda one: (one[0], -len(one[1]))):
        plain = re.sub(r"['’]s$", "", name.strip())
        if plain and not any(plain in other for other in kept):
            kept.append(plain)
    return kept


def _without_openers(name: str, *, at_start: bool) -> str:
    """A capital at the start of a sentence is no name by itself."""
    words = name.split()
    while words and at_start and _is_plain(words[0]):
        words, at_start = words[1:], False
    words = [word for word in words if word.lower().rstrip("’'s") not in _CALENDAR]
    while words and (words[-1].lower() in STOP_WORDS or _PERIOD_CODE.fullmatch(words[-1])):
        words.pop()
    while words and (_PERIOD_CODE.fullmatch(words[0]) or words[0].lower() in STOP_WORDS):
        words.pop(0)
    return " ".join(words)


def _is_plain(word: str) -> bool:
    plain = word.lower()
    return plain in STOP_WORDS or plain in _NO_NAMES or bool(_GERUND.fullmatch(word))


def _starts_sentence(text: str, at: int) -> bool:
    before = text[:at].rstrip()
    return not before or before[-1] in ".?!:;\n"
