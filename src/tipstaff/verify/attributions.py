"""Who says, does or is something: a statement that names a person is held against who speaks at
the cited place and against the roles that people have there."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from tipstaff.facts.roles import aliases
from tipstaff.facts.titles import TITLES
from tipstaff.lexical.analysis import STOP_WORDS, terms
from tipstaff.verify.evidence_text import EvidenceText
from tipstaff.verify.statement import Statement
from tipstaff.verify.synonyms import is_known

_PERSON = r"(?:(?:Dr|Mr|Mrs|Ms|Prof)\.? )?[A-ZÀ-Þ][\w’'.-]*(?: [A-ZÀ-Þ][\w’'-]+){0,3}"
_SAYS = re.compile(
    rf"\b({_PERSON})(?: (?:also|then|further|once|never|later|would|could|can|does|did|has|had|"
    r"not)){0,2} "
    r"(?:said|says?|asked|asks|told|tells|thinks?|thought|believes?|believed|wants?|wanted|"
    r"wrote|writes|writ(?:es|ten)|claims?|claimed|reports?|reported|notes?|noted|explain(?:s|ed)|"
    r"suggest(?:s|ed)?|propos(?:es|ed)|recommend(?:s|ed)?|argue[sd]?|warn(?:s|ed)|add(?:s|ed)|"
    r"answer(?:s|ed)|repl(?:ies|ied)|expects?|expected|promise[sd]?|move|put|puts|offer(?:s|ed)|"
    r"admit(?:s|ted)|agree[sd]?|insist(?:s|ed)|describe[sd]?|call(?:s|ed)|worr(?:ies|ied)|"
    r"point(?:s|ed) out|stress(?:es|ed)|mention(?:s|ed)|remark(?:s|ed)|state[sd]|observe[sd]|"
    r"announce[sd]|confirm(?:s|ed)|acknowledge[sd]|concede[sd]|recall(?:s|ed)|emphasi[sz]e[sd]|"
    r"fear(?:s|ed)|suspect(?:s|ed)|assume[sd]?|feels?|felt|deliver|consider(?:s|ed)?|worried|complain(?:s|ed)|demand(?:s|ed)?)\b"
)
_HANDLE_SAYS = re.compile(
    r"\b([a-z][a-z0-9_]{2,}) (?:then |also )?(?:asked|said|wrote|replied|reported|suggested|noted|"
    r"answered|announced|confirmed|closed|posted)\b"
)
_ACCORDING = re.compile(
    rf"\b(?:[Aa]ccording to|[Ii]n the (?:view|opinion|words) of) ({_PERSON})|"
    rf"\b(?:[Bb]y|[Ii]n|[Oo]n) ({_PERSON}?)['’]s? (?:own )?(?:account|words|version|view|telling|"
    r"opinion|estimate|reckoning|admission)\b"
)
# What is somebody's own account stands in their own words.
_OWN_ACCOUNT = re.compile(
    rf"\b[Ii]t (?:is|was) ({_PERSON}?)['’]s? (?:own )?(?:account|claim|view|evidence|case|position|"
    r"word|story|version|opinion|belief|recollection|understanding|estimate) that\b"
)
_BRACKETED = re.compile(rf"\b({_PERSON}) \(([^()\d]{{3,40}})\)")
_WE = re.compile(r"\b(?:we|our|us)\b", re.IGNORECASE)
_BRACKETS = re.compile(r"\([^()]*\)")
# Somebody with two names, or a title, and what they do.
_DOER = re.compile(
    r"\W*((?:(?:Dr|Mr|Mrs|Ms|Prof)\.? [A-ZÀ-Þ][\w’'-]+|[A-ZÀ-Þ][\w’'.-]* [A-ZÀ-Þ][\w’'-]+)"
    r"(?: [A-ZÀ-Þ][\w’'-]+)?)(?: (?:of|from|for) [^,.;]{2,40}?)? (?:[a-z]+ly )?"
    r"(?:will|shall|may|can|[a-z]+(?:ed|s|t|d|ew|ame|ook|ent|ound|oke|ave|ran|id|aw|ang|ote|ose|ove|ade|won))\b"
)
_IS = re.compile(
    r"\b(?P<role>[a-z][\w-]{3,}) (?:is|was|are) (?P<name>(?:(?:Dr|Mr|Mrs|Ms|Prof)\.? )?"
    r"[A-ZÀ-Þ][\w’'.-]*(?: [A-ZÀ-Þ][\w’'-]+)+)"
)
_OF_PEOPLE = re.compile(r"\b(?:by|who|name|contact|person|chair|\w+(?:or|er|ist|ee))\b", re.I)
_FULL_NAME = re.compile(r"[A-ZÀ-Þ][\w’'.-]*(?: [A-ZÀ-Þ][\w’'-]+){1,2}")
_PRONOUN = re.compile(r"\W*(?:He|She)\b")
_PRONOUNS = frozenset(terms("I he she it we they this that who"))
_I_THINK = re.compile(r"\bI (?:\w+ )?(?:think|believe|feel|fear|doubt|suspect|expect)\b")
_GIVEN = re.compile(r"\W*([A-ZÀ-Þ][\w’'-]+) (?:will|shall|has|can|may)\b")
# Somebody with a word on who it is: "Petra Lind, the breakfast cook, saw flames".
_SOMEBODY = re.compile(r"\W*([A-ZÀ-Þ][\w’'-]+(?: [A-ZÀ-Þ][\w’'-]+){1,2})(?:,[^,;.]{2,40},)? [a-z]")
_OF_ROLE = re.compile(r"\b(?:role|position|function|job|capacity|post)\b", re.IGNORECASE)
_AS_A = re.compile(r"\bas (?:an?|the) ([a-z]+(?: [a-z]+)?)\b")
_GIVEN_DOES = re.compile(r"\W*([A-ZÀ-Þ][\w’'-]{2,}) ([a-z]+(?:ed|s|d|t))\b")
_FIRST = re.compile(r"\b(?:I|my|me|we|our)\b")


_REPORTS = re.compile(
    rf"\b{_PERSON} (fear(?:s|ed)|worr(?:ies|ied)|warn(?:s|ed)|claim(?:s|ed)|admit(?:s|ted)|"
    r"assume[sd]?|suspect(?:s|ed)|complain(?:s|ed)|feels?|felt|reckon(?:s|ed)) that\b|"
    rf"\b{_PERSON} ((?:warn|remind|urg|advis|ask|tell|told|instruct)\w* "
    r"(?:people|everybody|everyone|them|her|him|us|others|(?:the )?[a-z]+)) (?:not )?to\b"
)


def reporting_terms(statement: Statement) -> frozenset[str]:
    """The verb with which a statement reports what somebody says: whose words they are is looked
    up, and the words need not say how they are said."""
    return frozenset(
        term
        for verbs in _REPORTS.findall(statement.plain)
        for verb in verbs
        for term in terms(verb)
    )


# To whom something is said.
_TOLD_TO = re.compile(
    r"\b(?:told|tells|informed|assured|(?:said|says|wrote|writes|spoke) to) "
    r"((?:(?:Mr|Ms|Mrs|Dr)\.? )?[A-ZÀ-Þ][\w’'-]+(?: [A-ZÀ-Þ][\w’'-]+)?)"
)
_TOLD_ME = re.compile(r"\b(?:told|informed|assured|to) (?:me|us|her|him|them)\b")


def is_attributed(
    statement: Statement, evidence: Sequence[EvidenceText], paragraph: Sequence[EvidenceText]
) -> bool:
    """Whether those who are said to speak do, and those who have a role are those who have it."""
    return (
        _speaks(statement, evidence, paragraph)
        and not _is_anothers_account(statement, evidence)
        and not _is_told_to_another(statement.plain, evidence)
        and not _is_other_handle(statement.plain, evidence)
        and _does(statement, evidence, paragraph)
        and _has_role(statement.plain, evidence)
        and not _is_in_other_role(statement.plain, evidence)
        and _is_the_one(statement.plain, evidence)
        and _keeps_titles(statement, evidence)
    )


def is_of_somebody_else(statement: str, spoken_of: str, evidence: Sequence[EvidenceText]) -> bool:
    """Whether "he" or "she" of a statement is somebody whom the cited words do not have, and those
    name another: the only person in a row, or whom their sentence begins with."""
    surname = _surname(spoken_of)
    if not surname or not _PRONOUN.match(statement):
        return False
    if any(
        surname in one.people_terms or (not one.is_row and surname in one.nearby_terms)
        for one in evidence
    ):
        return False
    words = frozenset(terms(statement)) - STOP_WORDS
    nearest = max(evidence, key=lambda one: len(words & one.own_terms), default=None)
    if nearest is None:
        return False
    if nearest.is_row:
        people = [
            words
            for head, words in nearest.cells
            if _OF_PEOPLE.search(head) and _FULL_NAME.fullmatch(words.strip())
        ]
        return len(people) == 1
    return _DOER.match(nearest.text) is not None


def _speaks(
    statement: Statement, evidence: Sequence[EvidenceText], paragraph: Sequence[EvidenceText]
) -> bool:
    found = _SAYS.findall(statement.plain)
    found += [name for pair in _ACCORDING.findall(statement.plain) for name in pair if name]
    named = {term for name in statement.names for term in terms(name)}
    speakers = [name for name in found if _surname(name) in named]
    if not speakers:
        return True
    words = set(terms(statement.plain)) - STOP_WORDS
    quoted = [
        one
        for one in evidence
        if any(quote.strip(" .,;") in one.verbatim for quote in statement.quotes)
    ]
    nearest = quoted[:1] or [max(evidence, key=lambda one: len(words & one.own_terms))]
    for speaker in speakers:
        surname = _surname(speaker)
        if surname and not any(
            _may_speak(surname, one, [*paragraph, *evidence]) and not _is_namesake(speaker, one)
            for one in nearest
        ):
            return False
    return True


def _is_told_to_another(statement: str, evidence: Sequence[EvidenceText]) -> bool:
    """Whether somebody is told something that another is told there: "what the buyer told Ode"."""
    named = {term for one in _TOLD_TO.findall(statement) for term in terms(one)}
    if not named:
        return False
    others = [frozenset(terms(one)) for unit in evidence for one in _TOLD_TO.findall(unit.text)]
    told = any(_TOLD_ME.search(unit.text) for unit in evidence)
    return bool(others) and not told and all(named.isdisjoint(one) for one in others)


def _is_anothers_account(statement: Statement, evidence: Sequence[EvidenceText]) -> bool:
    """Whether what is said to be somebody's own account is told by another."""
    match = _OWN_ACCOUNT.search(statement.plain)
    if match is None:
        return False
    tellers = [one.author or one.writer for one in evidence]
    surname = _surname(match[1])
    return any(tellers) and not any(surname in terms(teller) for teller in tellers)


def _does(
    statement: Statement, evidence: Sequence[EvidenceText], paragraph: Sequence[EvidenceText]
) -> bool:
    """Whether the sentence that a statement retells is about the one whom the statement begins
    with, where both say at once whom they are about."""
    doer = _DOER.match(statement.plain)
    words = frozenset(statement.words)
    if not words or any(one.is_row for one in evidence):
        return True
    if doer is None:
        return not _is_other_given(statement, words, evidence)
    surname = _surname(doer[1])
    nearest = max(evidence, key=lambda one: len(words & one.own_terms))
    if 2 * len(words & nearest.own_terms) < len(words) or surname in nearest.own_terms:
        return True
    if surname in terms(nearest.author or nearest.writer):
        # Whoever speaks or writes of himself does not say "he", and does not call himself by name.
        done = set(terms(statement.plain[doer.end() :])[:2]) - STOP_WORDS
        doing = [one for one in evidence if done & one.own_terms] or [nearest]
        return not _PRONOUN.match(nearest.text) and not all(
            _is_of_other(one.text, statement) for one in doing
        )
    verb = next((t for t in terms(statement.plain[doer.end() :]) if t not in STOP_WORDS), "")
    if any(surname in one.own_terms and verb in one.own_terms for one in evidence):
        return True
    others = _whom(nearest, [*paragraph, *evidence])
    return not others or surname in others


def _is_in_other_role(statement: str, evidence: Sequence[EvidenceText]) -> bool:
    """Whether somebody did something "as a driver" whom the row has as a rigger."""
    roles = [
        frozenset(terms(words))
        for one in evidence
        for head, words in one.cells
        if _OF_ROLE.search(head)
    ]
    said = [frozenset(terms(words)) for words in _AS_A.findall(statement)]
    return bool(roles and said) and not any(
        is_known(word, role) for words in said for word in words for role in roles
    )


def _is_other_given(
    statement: Statement, words: frozenset[str], evidence: Sequence[EvidenceText]
) -> bool:
    """Whether the sentence that is retold says of another what is said of somebody by the given
    name: "Oriel refused", and not Caspian."""
    said = _GIVEN_DOES.match(statement.plain)
    nearest = max(evidence, key=lambda one: len(words & one.own_terms))
    told = _GIVEN_DOES.match(nearest.text)
    if said is None or told is None or said[1] == told[1]:
        return False
    mine, theirs = set(terms(said[1])), set(terms(told[1]))
    if mine & nearest.own_terms or theirs & set(terms(statement.plain)) or theirs & STOP_WORDS:
        return False
    return set(terms(said[2])) == set(terms(told[2])) and bool(mine - STOP_WORDS)


def _is_of_other(text: str, statement: Statement) -> bool:
    """Whether a sentence says at once what somebody else does, whom the statement does not name:
    "Mireille will teach it"."""
    doer = _GIVEN.match(text) or _SOMEBODY.match(text)
    if doer is None or _FIRST.search(text):
        return False
    own = set(terms(doer[1]))
    return not own & STOP_WORDS and own.isdisjoint(terms(statement.plain))


def _whom(one: EvidenceText, around: Sequence[EvidenceText]) -> frozenset[str]:
    """The surname of the one whom a sentence begins with; for "he" and "she" whoever was named
    last before it."""
    if named := _DOER.match(one.text):
        return frozenset((_surname(named[1]),))
    if not _PRONOUN.match(one.text):
        return frozenset()
    before = next((at for at, other in enumerate(around) if other is one), 0)
    for other in reversed(around[:before]):
        if other.block == one.block and (named := _DOER.match(other.text)):
            return frozenset((_surname(named[1]),))
        if other.block != one.block or not _PRONOUN.match(other.text):
            break
    return frozenset()


def _is_namesake(speaker: str, one: EvidenceText) -> bool:
    """Whether a unit is said by another of the same surname, and does not name this one."""
    said, theirs = ([t for t in terms(n) if t not in TITLES] for n in (speaker, one.author))
    if len(said) < 2 or len(theirs) < 2 or said[-1] != theirs[-1]:
        return False
    given = {term for term in theirs[:-1] if len(term) > 1}
    return bool(given) and given.union(one.own_terms).isdisjoint(said[:-1])


def _is_other_handle(statement: str, evidence: Sequence[EvidenceText]) -> bool:
    """Whether somebody is said to speak by the name that he has in a chat, and another does."""
    authors = {one.author for one in evidence}
    return any(
        name not in authors and any(f"<{name}>" in one.nearby for one in evidence)
        for name in _HANDLE_SAYS.findall(statement)
    )


def _may_speak(surname: str, one: EvidenceText, evidence: Sequence[EvidenceText]) -> bool:
    """The speaker of a unit, somebody named in it, or, where it names nobody, in the same
    paragraph before it; the writer of the item, where it has no speakers."""
    if _is_handle(one.author, surname):
        return True
    if surname in one.own_terms:
        # What "I think" is not what somebody thinks whom I name.
        return not (one.author and _I_THINK.search(one.text))
    if one.author:
        # "We" of somebody's letter are those whose letter its title says it is.
        own = surname in one.terms and bool(_WE.search(one.text))
        return own or surname in _whom(one, evidence)
    if surname in one.terms or surname in terms(one.writer):
        return True
    if any(_surname(name) not in (surname, *_PRONOUNS) for name in _SAYS.findall(one.text)):
        # Somebody else says so.
        return False
    same = [other for other in evidence if other.block == one.block and other is not one]
    return any(surname in other.own_terms for other in same)


def _is_handle(author: str, surname: str) -> bool:
    """Whether a speaker has this surname; in a chat it is the end of a handle: abyron."""
    own = terms(author)
    return surname in own or (len(own) == 1 and len(surname) > 3 and own[0].endswith(surname))


def _keeps_titles(statement: Statement, evidence: Sequence[EvidenceText]) -> bool:
    """What stands in brackets behind somebody is theirs: with "Ada Byron (chair)" nobody else
    chaired."""
    named = {_surname(name) for name in statement.names}
    bracketed = [
        (_surname(match[1]), frozenset(terms(match[2])) - STOP_WORDS)
        for one in evidence
        for match in _BRACKETED.finditer(one.text)
    ]
    theirs = {word for name, role in bracketed if name in named for word in role}
    others = {word for name, role in bracketed if name not in named for word in role}
    said = [term for term in terms(statement.plain) if term not in STOP_WORDS]
    if any(name in named and word in others - theirs for name, word in pairwise(said)):
        return False
    # What stands in brackets only is somebody's; what stands elsewhere, too, may be anybody's.
    free = {term for one in evidence for term in terms(_BRACKETS.sub(" ", one.text))}
    holders = named & {name for name, _ in bracketed}
    return not (len(holders) == 1 and (others - theirs - free) & set(said))


def _has_role(said: str, evidence: Sequence[EvidenceText]) -> bool:
    stated = aliases([said])
    if not stated:
        return True
    known = aliases(one.whole for one in evidence)
    for role, people in stated.items():
        holders = {_surname(name) for name in known.get(role, ())}
        if holders and not holders & {_surname(name) for name in people}:
            return False
    return True


def _is_the_one(said: str, evidence: Sequence[EvidenceText]) -> bool:
    """Whether nobody else is what somebody is said to be: "her deputy is Ada Byron"."""
    for match in _IS.finditer(said):
        holders = {
            _surname(other["name"])
            for one in evidence
            for other in _IS.finditer(one.text)
            if terms(other["role"]) == terms(match["role"])
        }
        if holders and _surname(match["name"]) not in holders:
            return False
    return True


def _surname(name: str) -> str:
    own = [term for term in terms(name) if term not in TITLES]
    return own[-1] if own else ""
