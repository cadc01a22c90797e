"""Text in clauses, each with the words, figures and denials that are its own.

A denial reaches as far as its clause, and over the alternatives that hang on it: what is "not lost
or altered" is not altered either. Figures belong to the words of their clause.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from tipstaff.lexical.analysis import STOP_WORDS, terms

_BREAK = re.compile(
    # "Menus (25), staffing (15)": each figure is of the word before it.
    r"[;!?\n|)•]\s*|\((?![£$€]|\d[^()]{0,12}\))\s*|,(?!\d)\s*|:(?!\s?\d)\s*|\.(?=\s|$)\s*|\s[—–-]\s|"
    # "One hour and ten minutes" is one figure.
    r"\b(?P<joiner>(?<!hour )(?<!hours )(?<!minute )(?<!minutes )and|"
    r"and(?! [\w-]+ (?:minute|second))|but|or|nor|because|although|though|while|whereas|"
    r"which|who|where|when|if|unless|until|since|as)\b",
    re.IGNORECASE,
)
# Denial by grammar. "No." at the head of a column is a number.
# "Not less than" is "at least", and "may not exceed" a cap: neither denies.
MORE = (
    r"(?:more|longer|later|greater|higher|worse|wider|larger|bigger|heavier|taller|deeper|thicker|"
    r"faster|older|louder|further|farther|hotter|warmer|steeper)"
)
LESS = (
    r"(?:less|fewer|earlier|sooner|lower|better|smaller|shorter|narrower|slower|younger|thinner|"
    r"lighter|colder|cooler|nearer|closer)"
)
_BOUND = (
    rf"(?!\s+(?:be\s+)?(?:{MORE}|{LESS})\s+than\b|"
    r"\s+(?:go|be|rise|climb|get|fall|drop|sink)\s+(?:above|over|beyond|below|under)\s+(?:an? )?"
    r"[£$€\d]|"
    r"\s+(?:exceed|be\s+exceeded)\b|\s+more(?=[.,;]|$))"
)
DENIAL = re.compile(
    # "Whether or not" denies nothing.
    rf"\b(?:(?<!whether or )not{_BOUND}|neither|nor|without|cannot|yet to|"
    # "Much Ado About Nothing" is a name.
    r"(?:(?-i:n)|(?-i:(?<![a-z] )N))(?:ever|one|obody|othing)|"
    rf"no{_BOUND}(?!\.\s*[\d:|]|\.:))\b|"
    r"n['’]t\b",
    re.IGNORECASE,
)
# What "declined by a fifth" moved, and what "excludes VAT" is a price.
NO_MOVE = (
    r"(?! (?:by|from|over|during|since|again|further|steadily|sharply|slightly|slowly|markedly|"
    r"(?:in|to|at) (?:an? |about |around |some |nearly )?[£$€\d]|in (?:the|both|each|all|every)\b))"
)
_NO_TAX = r"(?! (?:of )?(?:VAT|tax|taxes|GST|sales tax|value[- ]added))"
_TAX_OUT = re.compile(r"\b(?:VAT|tax|taxes|GST) (?:is |are )?exclu(?:ded|sive)\b", re.IGNORECASE)
# Denial by sense: what was skipped was not done. To state it one must say so.
LACK = re.compile(
    rf"\b(?:skip(?:s|ped)?|omit(?:s|ted)?|reject(?:s|ed)?|"
    rf"turn(?:s|ed)?(?: \w+){{0,2}} down|rul(?:es?|ed)(?: \w+)? out|barred|"
    rf"declin(?:es?|ed){NO_MOVE}|refus(?:es?|ed|al)|"
    r"withdrawn|cancel(?:s|l?ed|l?ing)?|deferr?(?:ed|als?)?|postponed|put(?: \w+)? off|waived?|"
    r"den(?:y|ies|ied)|"
    rf"unchanged|failed|failing|fails?|lacks?|lacking|missing|absent|apologies|exclu(?:des?|ded|ding|sion){_NO_TAX}|"
    r"out of (?:use|order)|prohibit(?:s|ed)?|forbid(?:s|den)?|bann?ed|stop(?:s|ped)?|unable|"
    r"refrain\w*|"
    rf"delet(?:es?|ed)|drop(?:s|ped)?{NO_MOVE}|ended|(?<!may )(?<!can )(?<!to )except|apart from|"
    r"other than|"
    r"exceptions?|exempt\w*|instead of|no longer(?! than)|rather than|undecided|"
    r"unpaid|unsigned|invalid|void|free of)\b",
    re.IGNORECASE,
)
_SEVERAL = re.compile(
    r"\b(?:are|were|have|do|did|shall|may|must|will|can)(?: not\b|n['’]t\b)|\bcannot\b",
    re.IGNORECASE,
)
_HAS_VERB = re.compile(
    r"\b(?:is|are|was|were|has|have|had|will|shall|may|must|can|could|would|should|does|do|did|"
    r"\w+ed)\b",
    re.IGNORECASE,
)
_LABEL = 4
_PRONOUN = re.compile(r"\b(?:it|them)\b", re.IGNORECASE)
_LONGEST_INHERITING = 3


@dataclass(frozen=True, slots=True)
class Clause:
    """`denied` by grammar, here or by what it hangs on; `lacks` by sense."""

    text: str
    start: int
    end: int
    terms: frozenset[str]
    denied: bool
    lacks: bool


@lru_cache(maxsize=4096)
def clauses(text: str) -> tuple[Clause, ...]:
    """The clauses of a text in order; none is empty."""
    made: list[Clause] = []
    under_denial = False
    for start, end, before in _pieces(text):
        words = text[start:end]
        own = terms(words)
        if not own:
            continue
        denied = bool(DENIAL.search(words)) or before == "nor"
        lacks = bool(LACK.search(_TAX_OUT.sub(" ", words)))
        if made and not denied and _inherits(before, own):
            denied = made[-1].denied
        if before == ":" and len(made) == 1 and made[0].denied and len(made[0].terms) <= _LABEL:
            # "Not decided: whether to go on".
            under_denial = True
        if "." in before or ";" in before:
            under_denial = False
        denied = denied or under_denial
        if made and before == "and" and denied and _SEVERAL.search(words):
            made[-1] = _denied_too(made[-1])
        if made and before in ("and", "but") and _PRONOUN.search(words):
            own += _last_named(made[-1])
        made.append(Clause(words, start, end, frozenset(own), denied, lacks))
    return tuple(made)


def _denied_too(clause: Clause) -> Clause:
    """Of "illness and failure are not force majeure" the first half is denied as well."""
    if _HAS_VERB.search(clause.text):
        return clause
    return replace(clause, denied=True)


def _last_named(clause: Clause) -> list[str]:
    """What "it" stands for in the clause behind this one."""
    return [term for term in terms(clause.text) if term not in STOP_WORDS][-1:]


def _pieces(text: str) -> Iterator[tuple[int, int, str]]:
    position, before = 0, ""
    for match in _BREAK.finditer(text):
        yield position, match.start(), before
        position = match.end()
        before = (match["joiner"] or match.group().strip()).lower()
    yield position, len(text), before


def _inherits(before: str, own: list[str]) -> bool:
    return before == "or" or (before == "," and len(own) <= _LONGEST_INHERITING)
