"""Whether the names of a statement occur at the cited place, or are of whose papers these are."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass

from tipstaff.lexical.analysis import STOP_WORDS, terms
from tipstaff.verify.exchanges import LIGHT
from tipstaff.verify.statement import STRUCTURE, Statement
from tipstaff.verify.synonyms import is_known

FIRST_PERSON = re.compile(r"\b(?:we|our|us|ours|i|my|me)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Home:
    """What is known beyond the cited words: `names` of whose papers these are ("we" is them),
    whether a word is a common noun of the bundle or a name, and whether the whole bundle speaks of
    it."""

    names: Collection[str] = ()
    is_common: Callable[[str], bool] = lambda _: False
    is_everywhere: Callable[[str], bool] = lambda _: False


ANYWHERE = Home()


def are_named(statement: Statement, words: Collection[str], told: str, home: Home) -> bool:
    """Whether every name is among these words of the evidence."""
    if not all(_is_known_name(name, words, told, home) for name in statement.names):
        return False
    return not statement.opening or _is_opened(statement.opening, words, told, home)


def is_named(name: str, words: Collection[str]) -> bool:
    """Every word of a name, or its last one where the first is only an initial away."""
    own = [term for term in terms(name) if term not in STOP_WORDS and term not in STRUCTURE]
    return not own or (own[-1] in words and sum(term in words for term in own) * 2 >= len(own))


def _is_known_name(name: str, words: Collection[str], told: str, home: Home) -> bool:
    if is_named(name, words):
        return True
    return bool(FIRST_PERSON.search(told)) and is_named(name, home.names)


def _is_opened(word: str, words: Collection[str], told: str, home: Home) -> bool:
    """A word at the head of a sentence is a name unless it is a noun like any other."""
    own = [term for term in terms(word) if term not in STRUCTURE and term not in LIGHT]
    if all(is_known(term, words) for term in own):
        return True
    return home.is_common(word) or _is_known_name(word, words, told, home)
