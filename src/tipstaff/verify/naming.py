"""Whether the names of a statement occur at the cited place, or are of whose papers these are."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass

from tipstaff.facts.names import names
from tipstaff.facts.titles import TITLES
from tipstaff.lexical.analysis import STOP_WORDS, terms
from tipstaff.verify.exchanges import LIGHT
from tipstaff.verify.statement import STRUCTURE, Statement
from tipstaff.verify.synonyms import is_known
from tipstaff.verify.thesaurus import other_words

_LAND = 5
# Shorter ones are initials.
_GIVEN = 3
_ACRONYM = 3
_BEFORE_NAMES = TITLES | {"the"}
_OF_LANDS = frozenset(("n", "an", "ean", "ian", "ese", "ish", "i"))
_ROLE = re.compile(r"\w+(?:or|er|ist|ian|ant|ent|ary|man|woman|ess|air)")
_NOBODY = frozenset(("None", "Nobody", "Nothing", "Neither", "Nowhere", "Never"))
_SECOND_PERSON = re.compile(r"\b(?:you|your|yours)\b", re.IGNORECASE)
FIRST_PERSON = re.compile(r"\b(?:we|our|us|ours|i|my|me)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Home:
    """What is known beyond the cited words: `names` of whose papers these are ("we" is them),
    whether a word is a common noun of the bundle or a name, whether the whole bundle speaks of it,
    whether somebody is one of those who are named, and the surnames of a given name."""

    names: Collection[str] = ()
    is_common: Callable[[str], bool] = lambda _: False
    is_everywhere: Callable[[str], bool] = lambda _: False
    speaks_for: Callable[[str, str], bool] = lambda _, __: False
    called: Callable[[str], Collection[str]] = lambda _: ()


ANYWHERE = Home()


def are_named(
    statement: Statement,
    words: Collection[str],
    told: str,
    home: Home,
    *,
    own: Collection[str] = (),
    speakers: Collection[str] = (),
    paper: Iterable[str] = (),
) -> bool:
    """Whether every name is among these words of the evidence. `own` are its sentences and cells
    without what stands above them: where they name nobody, they speak of whose papers these are.
    "We" are those for whom the `speakers` speak, and "you" is named in the `paper`: a letter's
    head says to whom it goes."""
    if _is_of_home(statement, words, home) and own and not _names_others(own, home):
        return True
    text = "\n".join(own)
    said = speakers if FIRST_PERSON.search(text) else ()
    addressed = frozenset(paper) if speakers and _SECOND_PERSON.search(text) else frozenset()

    def is_we(name: str) -> bool:
        if any(home.speaks_for(person, name) for person in said):
            return True
        # To whom a letter goes does not say what it says.
        if addressed and is_named(name, addressed) and not _speaks(name, statement.plain):
            return True
        return _is_the_matter(name, statement, home)

    if not all(_is_known_name(name, words, told, home) or is_we(name) for name in statement.names):
        return False
    opening = statement.opening
    return not opening or _is_opened(opening, words, told, home) or is_we(opening)


def _speaks(name: str, plain: str) -> bool:
    """Whether a statement begins with somebody who does something; "Holmbeck's letter" is "your
    letter"."""
    return plain.startswith(name) and not re.match(r"['’]s\b", plain[len(name) :])


def _is_the_matter(name: str, statement: Statement, home: Home) -> bool:
    """What the whole bundle is about need not be named beside every figure: MOSS has 8,900 records
    of customers."""
    is_short_for = name.isalpha() and name.isupper() and len(name) >= _ACRONYM
    return is_short_for and bool(statement.figures) and all(map(home.is_everywhere, terms(name)))


def _is_of_home(statement: Statement, words: Collection[str], home: Home) -> bool:
    """Whether all the names that the evidence lacks are of whose papers these are."""
    named = [*statement.names, *([statement.opening] if statement.opening else [])]
    lacking = [name for name in named if not is_named(name, words)]
    return bool(lacking) and all(is_named(name, home.names) for name in lacking)


def _names_others(own: Collection[str], home: Home) -> bool:
    return any(
        not is_named(name, home.names) and not all(map(home.is_common, name.split()))
        for text in own
        for name in names(text)
        if not any(mark.isdigit() for mark in name)
    )


def is_named(name: str, words: Collection[str]) -> bool:
    """Every word of a name, or its last one where the first is only an initial away."""
    every = [term for term in terms(name) if term not in STOP_WORDS]
    own = [term for term in every if term not in STRUCTURE]
    if len(own) < len(every) and own and own[0] in _BEFORE_NAMES:
        # A name may look like a word: Mrs Aske asks nothing.
        own = every[1:]
    if len(own) == 1:
        return own[0] in words or any(_is_of_land(own[0], word) for word in words)
    if own and "-" in own[0] and own[0].replace("-", "") in words:
        # An X-ray is `xray`.
        return True
    return not own or (own[-1] in words and sum(term in words for term in own) * 2 >= len(own))


def _is_of_land(one: str, other: str) -> bool:
    """European and Europe, American and America."""
    short, long = sorted((one, other), key=len)
    return len(short) >= _LAND and long.startswith(short) and long[len(short) :] in _OF_LANDS


def _is_known_name(name: str, words: Collection[str], told: str, home: Home) -> bool:
    if is_named(name, words):
        return not _is_namesake(name, words, told, home)
    return bool(FIRST_PERSON.search(told)) and is_named(name, home.names)


def _is_namesake(name: str, words: Collection[str], told: str, home: Home) -> bool:
    """Whether the evidence only has somebody else of that surname: Emil Tanzer for Judith."""
    given, *_, surname = name.split() if " " in name else ("", "")
    if len(given) < _GIVEN or any(term in words for term in terms(given)) or not given.isalpha():
        return False
    if given.lower() in _BEFORE_NAMES:
        return False
    if _ROLE.fullmatch(given) or home.is_common(given) or any(map(other_words, terms(given))):
        # A councillor is nobody's given name.
        return False
    if surname not in told:
        return False
    others = re.findall(rf"\b([A-ZÀ-Þ][\w’'-]+) {re.escape(surname)}\b", told)
    return any(len(one) >= _GIVEN and one.lower() not in _BEFORE_NAMES for one in others)


def _is_opened(word: str, words: Collection[str], told: str, home: Home) -> bool:
    """A word at the head of a sentence is a name unless it is a noun like any other."""
    own = [term for term in terms(word) if term not in STRUCTURE and term not in LIGHT]
    if word in _NOBODY:
        return True
    if all(is_known(term, words) for term in own):
        return True
    return home.is_common(word) or _is_known_name(word, words, told, home)
