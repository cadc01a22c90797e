"""Who does what to whom, by the verb that a statement shares with its place: that the station lent
Arnvik two loggers is another deed than that Arnvik lent them to the station."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from tipstaff.facts.number_words import NUMBER_WORDS
from tipstaff.facts.titles import TITLES
from tipstaff.lexical.analysis import STOP_WORDS, terms
from tipstaff.verify.doers import GIVES, HELPING
from tipstaff.verify.irregular_forms import forms_of
from tipstaff.verify.told_words import Word, stems_of

_IS = frozenset(("was", "were", "is", "are", "be", "been", "being", "got"))
_MODALS = frozenset(("will", "would", "shall", "may", "must", "can", "could", "should", "did",
                     "does", "do", "has", "had", "have"))  # fmt: skip
# What begins another clause.
_CLAUSES = frozenset((
    "that", "which", "who", "whom", "whose", "and", "or", "but", "because", "if", "when", "whether",
    "while", "as", "after", "before", "since", "until", "than", "so", "where", "what", "why", "how",
    "though", "although", "unless",
))  # fmt: skip
# "Rossall says the lessor offered a day": behind these another subject begins.
SAYS = frozenset((
    "says", "said", "say", "wrote", "writes", "thinks", "thought", "claims", "claimed", "believes",
    "believed", "hopes", "hoped", "knew", "knows",
))  # fmt: skip
# Behind these stands no object of the verb.
_ASIDE = _CLAUSES | frozenset((
    "to", "by", "on", "in", "for", "from", "at", "of", "with", "about", "into", "over", "under",
    "against", "out", "up", "down", "off", "back", "through", "without", "within", "during",
    "between", "not", "only", "more", "less", "no",
))  # fmt: skip
_DETERMINERS = frozenset((
    "the", "a", "an", "its", "their", "his", "her", "our", "my", "your", "this", "that", "these",
    "those", "all", "both", "each", "any", "some", "every", "another", "other",
))  # fmt: skip
_PRONOUNS = frozenset((
    "he", "she", "it", "they", "we", "i", "you", "him", "them", "us", "me", "her", "who", "which",
    "that", "this", "everyone", "nobody", "somebody", "someone", "none",
))  # fmt: skip
_SPEAKER = frozenset(("i", "we", "me", "us"))
_ADVERBS = frozenset((
    "not", "never", "also", "then", "already", "only", "again", "both", "all", "just", "now",
    "since", "still", "later", "first", "once", "twice", "even", "yet", "soon", "finally",
    "recently", "either", "neither",
))  # fmt: skip
# Every firm is called so.
_FIRMS = frozenset(("ltd", "limited", "inc", "plc", "llc", "gmbh", "ag", "co", "corp", "company"))
_UNTELLING = STOP_WORDS | TITLES | _PRONOUNS | _DETERMINERS | _FIRMS | _ADVERBS
_COUNT = re.compile(rf"[£$€]?\d.*|{NUMBER_WORDS}")
_RELATIVE = ("who", "which", "that")
_SUBJECT, _OBJECT = 6, 6
_LEAST = 3


@dataclass(frozen=True, slots=True)
class _Deed:
    """A verb with the telling words of whoever does it, and of what it is done to."""

    verb: frozenset[str]
    doer: frozenset[str]
    done_to: frozenset[str]


def are_reversed(said: Sequence[Word], told: Sequence[Word], author: str = "") -> bool:
    """Whether one does in a statement what is done to them there, and nowhere there what they are
    said to do. `author` is who says "I" there."""
    theirs = list(_deeds(told, frozenset(terms(author)) - STOP_WORDS))
    for mine in _deeds(said):
        if not mine.doer or not mine.done_to:
            continue
        same = [other for other in theirs if other.verb & mine.verb]
        if any(_agrees(mine, one) for one in same):
            continue
        if any(_is_other_way_round(mine, one) for one in same) or _is_anothers(mine, same, theirs):
            return True
    return False


def _is_anothers(mine: _Deed, same: Sequence[_Deed], theirs: Sequence[_Deed]) -> bool:
    """Whether the same is done to the same by another there, and whoever is said to do it does
    something else: "asked for by Renk, refused by Solvane", and asked for by Solvane."""
    does = frozenset().union(*(one.doer for one in theirs if not one.verb & mine.verb))
    return bool(mine.doer & does) and any(
        one.doer and mine.doer.isdisjoint(one.doer) and mine.done_to & one.done_to for one in same
    )


def _is_other_way_round(mine: _Deed, other: _Deed) -> bool:
    if mine.doer & other.doer:
        return False
    if mine.doer & other.done_to and mine.done_to & other.doer:
        return True
    if mine.done_to & other.done_to:
        return False
    return bool(mine.doer & other.done_to or mine.done_to & other.doer)


def _agrees(mine: _Deed, other: _Deed) -> bool:
    """Whether neither tells another doer, nor another to whom it is done."""
    if not mine.doer & other.doer and (other.doer or mine.doer & other.done_to):
        return False
    return not other.done_to or bool(mine.done_to & other.done_to)


def _deeds(words: Sequence[Word], speaker: frozenset[str] = frozenset()) -> Iterator[_Deed]:
    for at in range(len(words)):
        if not _is_verb(words, at):
            continue
        before, is_passive = _before(words, at)
        behind, end = _behind(words, at)
        by = _behind_by(words, end, at + _OBJECT)
        if words[at].text in GIVES and end < len(words) and words[end].text == "to":
            # "Gave notice to the tenant" is "gave the tenant notice".
            behind = [*behind, *_behind(words, end)[0]]
        verb = stems_of(words[at].text)
        if is_passive or (by and not behind):
            yield _Deed(verb, _telling(by, speaker), _telling(before, speaker))
        else:
            yield _Deed(verb, _telling(before, speaker), _telling(behind, speaker))


def _is_verb(words: Sequence[Word], at: int) -> bool:
    word = words[at]
    if word.text in STOP_WORDS | HELPING or len(word.text) < _LEAST:
        return False
    if word.is_name and not word.begins:
        return False
    before = words[at - 1].text if at and not word.breaks else ""
    if before in _DETERMINERS or before == "of":
        return False
    return word.text.endswith("ed") or bool(forms_of(word.text)) or before in _MODALS


def _before(words: Sequence[Word], at: int) -> tuple[list[Word], bool]:
    """What stands before a verb up to the beginning of its clause, and whether it is passive."""
    place, broken = at - 1, words[at].breaks
    is_passive = is_infinitive = False
    while place >= 0 and not broken and _helps(words[place].text):
        is_passive = is_passive or words[place].text in _IS
        is_infinitive = is_infinitive or words[place].text == "to"
        broken = words[place].breaks
        place -= 1
    found: list[Word] = []
    if broken or is_infinitive:
        return found, is_passive
    if place >= 0 and words[place].text in _RELATIVE:
        place -= 1
    while place >= 0 and len(found) < _SUBJECT and words[place].text not in _CLAUSES | SAYS:
        found.append(words[place])
        if words[place].breaks:
            break
        place -= 1
    return found, is_passive


def _helps(text: str) -> bool:
    return text in HELPING or text in _ADVERBS or text.endswith("ly")


def _behind(words: Sequence[Word], at: int) -> tuple[list[Word], int]:
    """The first thing behind a verb, "the station" of "lent the station two loggers", and where it
    ends."""
    found: list[Word] = []
    is_named = False
    end = at + 1
    while end < len(words) and len(found) < _OBJECT and not words[end].breaks:
        text = words[end].text
        if text in _ASIDE - _DETERMINERS:
            break
        if is_named and (text in _DETERMINERS or _COUNT.fullmatch(text)):
            break
        found.append(words[end])
        is_named = is_named or text not in _DETERMINERS
        end += 1
    return found, end


def _behind_by(words: Sequence[Word], start: int, last: int) -> list[Word]:
    place = start
    while place < min(len(words), last) and not words[place].breaks and words[place].text != "by":
        place += 1
    if place >= len(words) or words[place].text != "by" or words[place].breaks:
        return []
    found: list[Word] = []
    for word in words[place + 1 : place + _OBJECT]:
        if word.breaks or word.text in _ASIDE:
            break
        found.append(word)
    return found


def _telling(words: Iterable[Word], speaker: frozenset[str]) -> frozenset[str]:
    found: set[str] = set()
    for word in words:
        if word.text in _SPEAKER and speaker:
            found |= speaker
        elif len(word.text) > 1 and word.text not in _UNTELLING:
            found |= stems_of(word.text)
    return frozenset(found)
