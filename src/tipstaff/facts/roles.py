"""Who is known by which role: "Ada Byron (Chair)", "our treasurer, Ada Byron"."""

from __future__ import annotations

import re
from collections.abc import Iterable

from tipstaff.facts.months import MONTHS
from tipstaff.lexical.analysis import STOP_WORDS

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
# Capitalised beside a role without being part of anybody's name.
_NO_PERSON = frozenset(
    [
        "account",
        "audit",
        "board",
        "chair",
        "chief",
        "committee",
        "company",
        "corp",
        "corporation",
        "cost",
        "counsel",
        "date",
        "director",
        "department",
        "engineer",
        "executive",
        "finance",
        "financial",
        "foundation",
        "fund",
        "group",
        "head",
        "inc",
        "internal",
        "lead",
        "limited",
        "ltd",
        "llc",
        "manager",
        "marketing",
        "office",
        "officer",
        "operating",
        "operations",
        "partners",
        "planning",
        "president",
        "programme",
        "project",
        "risk",
        "secretary",
        "services",
        "systems",
        "team",
        "technology",
        "the",
        "to",
        "version",
        "vice",
        *MONTHS,
    ]
)
# What stands behind the noun: head of risk, chair for the year.
_BEHIND_ROLE = re.compile(r"\s(?:of|for|at|in|to|and|on)\s|,")
# How much of a role's word must stand in the text: "hepatologist" is known by "hepatology".
_KNOWN_BY = 3
_SHORTEST = 5


def aliases(texts: Iterable[str]) -> dict[str, set[str]]:
    """Roles, in lower case, and the people who are said to have them."""
    found: dict[str, set[str]] = {}
    for text in texts:
        for pattern in _ALIASES:
            for match in pattern.finditer(text):
                name = " ".join(match["name"].split())
                if not any(word.lower() in _NO_PERSON for word in name.split()):
                    found.setdefault(plain_role(match["role"]), set()).add(name)
    return found


def holders(role: str, texts: Iterable[str]) -> set[str]:
    """Everybody who is said to have a role, in whatever fuller words: the head of risk is the
    Head of Risk and Internal Audit, a surveyor may be a chartered building surveyor."""
    plain = plain_role(role)
    every = list(texts)
    asked = set(plain.split()) - STOP_WORDS
    if not asked:
        return set()
    found: set[str] = set()
    for other, people in aliases(every).items():
        if asked <= set(other.split()) and (len(asked) > 1 or _is_head(plain, other)):
            found |= people
    return found or _by_apposition(plain, every)


def _is_head(noun: str, role: str) -> bool:
    """Whether a role is one of a kind: a tenant representative is no tenant."""
    return _BEHIND_ROLE.split(role)[0].split()[-1:] == [noun.rsplit(maxsplit=1)[-1]]


def plain_role(role: str) -> str:
    """A role as it is compared: "the Chief Technology Officer" is the cto."""
    plain = " ".join(role.lower().split()).removeprefix("the ")
    return _INITIALS.get(plain, plain)


def _by_apposition(role: str, texts: list[str]) -> set[str]:
    """A role of one word that no list knows: "Odalys Wren, chartered building surveyor"."""
    if " " in role or len(role) < _SHORTEST:
        return set()
    known = re.escape(role[: max(_SHORTEST, len(role) - _KNOWN_BY)])
    pattern = re.compile(
        rf"(?P<name>{_PERSON})(?:,\s+|\s+\()(?:(?:the|an?)\s+)?(?:[a-z-]+\s+){{0,3}}(?i:{known})\w*"
    )
    return {" ".join(match["name"].split()) for text in texts for match in pattern.finditer(text)}
