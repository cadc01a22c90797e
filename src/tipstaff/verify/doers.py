"""Who does a thing to whom, by where the words stand: Pike writes to Ode, or Ode to Pike."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tipstaff.facts.titles import TITLES
from tipstaff.lexical.analysis import STOP_WORDS, terms
from tipstaff.verify.told_words import Word, stems_of

GIVES = frozenset((
    "gave", "give", "gives", "given", "paid", "pay", "pays", "sent", "send", "sends", "lent",
    "lend", "lends", "sold", "sell", "sells", "passed", "pass", "transferred", "transfer",
    "donated", "awarded", "granted", "grant", "handed", "hand", "return", "returned", "returns",
    "deliver", "delivered", "delivers", "supply", "supplied", "supplies", "submit", "submitted",
))  # fmt: skip
_GETS = frozenset((
    "received", "receive", "receives", "got", "get", "gets", "obtain", "obtained", "borrowed",
    "borrow", "collect", "collected", "buy", "bought", "fetch", "fetched",
))  # fmt: skip
HELPING = frozenset((
    "would", "will", "shall", "has", "had", "have", "was", "were", "is", "are", "also", "then",
    "not", "did", "does", "do", "may", "must", "can", "could", "should", "be", "been", "to",
))  # fmt: skip
_IS = frozenset(("was", "were", "is", "are", "be", "been"))
_BEHIND = 3
_SUBJECT = 5


def are_exchanged(said: Sequence[Word], told: Sequence[Word]) -> bool:
    """Whether one is said to do to another what there the other does: "Pike wrote to Ode"."""
    mine, theirs = _doers(said), _doers(told)
    for doer, verb in mine.items():
        for other, deed in theirs.items():
            if doer == other or stems_of(verb).isdisjoint(stems_of(deed)):
                continue
            if doer in theirs and stems_of(theirs[doer]) & stems_of(verb):
                continue
            behind_me = _names_behind(said, doer)
            behind_them = _names_behind(told, other)
            if other in behind_me and doer in behind_them:
                return True
    return any(_is_done_to(said, name, verb) for name, verb in theirs.items()) or (
        _does_what_is_done_to_it(said, told)
    )


def _does_what_is_done_to_it(said: Sequence[Word], told: Sequence[Word]) -> bool:
    """ "The orchestra asked the host", and "The host asked"."""
    for at, verb in enumerate(told):
        doer = at - 1
        while doer > 0 and told[doer].text in HELPING - _IS:
            doer -= 1
        if doer < 1 or told[doer - 1].text != "the" or verb.breaks or verb.text in STOP_WORDS:
            continue
        noun = told[doer].text
        if noun in STOP_WORDS or noun in HELPING or not verb.text.endswith(("ed", "s", "t")):
            continue
        for place, word in enumerate(said):
            if stems_of(word.text).isdisjoint(stems_of(verb.text)):
                continue
            before = {one.text for one in said[max(place - 4, 0) : place]}
            behind = [one.text for one in said[place + 1 : place + 4]]
            if noun in behind and noun not in before and "by" not in behind and not before & _IS:
                return True
    return False


def _is_done_to(said: Sequence[Word], name: str, verb: str) -> bool:
    """Whether another does to somebody what they do: "The trust has claimed it from Pike"."""
    verbs = [at for at, word in enumerate(said) if stems_of(word.text) & stems_of(verb)]
    names = [at for at, word in enumerate(said) if word.text == name]
    if not verbs or not names or names[0] < verbs[0]:
        return False
    before = said[names[0] - 1].text
    way = said[names[0] - 2].text if before == "the" and names[0] > 1 else before
    return way in ("from", "to", "against") and verbs[0] > 0


def gives_what_it_gets(said: Sequence[Word], told: Sequence[Word]) -> bool:
    """Whether somebody is said to give what there is given to them, or to get what is got from
    them."""
    for at, end in _named(said):
        behind = [one.text for one in said[end : end + _BEHIND]]
        for verbs, way in ((GIVES, "to"), (_GETS, "from")):
            if not verbs.intersection(behind):
                continue
            name = [one.text for one in said[at:end]]
            size = len(name)
            places = [j for j in range(len(told)) if [w.text for w in told[j : j + size]] == name]
            if len(places) != 1:
                continue
            start = places[0] - (places[0] > 0 and told[places[0] - 1].text == "the")
            follows = {one.text for one in told[places[0] + size : places[0] + size + _BEHIND]}
            if start and told[start - 1].text == way and not verbs & follows:
                return True
    return False


def did_it_to_me(said: Sequence[Word], told: Sequence[Word], author: str) -> bool:
    """Whether whoever speaks is said to have done what was done to them: "She asked me"."""
    own = frozenset(terms(author))
    for name, verb in _doers(said).items():
        if stems_of(name).isdisjoint(own):
            continue
        for at, word in enumerate(told):
            if stems_of(word.text).isdisjoint(stems_of(verb)):
                continue
            before = {one.text for one in told[max(at - 2, 0) : at]}
            behind = {one.text for one in told[at + 1 : at + 3]}
            if behind & {"me", "us"} and not before & {"i", "we"}:
                return True
    return False


def is_reversed(verbs: frozenset[str], said: Sequence[Word]) -> bool:
    have = {word.text for word in said}
    return bool(
        (verbs & GIVES and have & _GETS and not have & GIVES)
        or (verbs & _GETS and have & GIVES and not have & _GETS)
    )


def is_of_another(said: Sequence[Word], told: Sequence[Word]) -> bool:
    """Whether one thing is said to be what another is: "June is the fallback", where September
    is."""
    mine, theirs = _are(said), _are(told)
    return any(
        own and others and own.isdisjoint(others)
        for noun, own in mine.items()
        for others in [theirs.get(noun, frozenset())]
    )


def _are(words: Sequence[Word]) -> dict[str, frozenset[str]]:
    """What is said to be what: by the noun, the names and figures of whatever is before it."""
    found: dict[str, frozenset[str]] = {}
    for at in range(1, len(words) - 2):
        if words[at].text not in _IS or words[at + 1].text not in ("the", "a", "an"):
            continue
        start = at
        while start and at - start < _SUBJECT and not words[start].breaks:
            start -= 1
            if words[start].text in ("and", "that", "but"):
                start += 1
                break
        named = frozenset(
            one.text
            for one in words[start:at]
            if (one.is_name or any(mark.isdigit() for mark in one.text))
            and one.text not in STOP_WORDS
        )
        found.setdefault(words[at + 2].text, named)
    return found


def _doers(words: Sequence[Word]) -> dict[str, str]:
    """The last word of each name that stands before a verb once, and the verb."""
    found: dict[str, str] = {}
    for at, end in _named(words):
        name = words[end - 1].text
        after = end
        while after < len(words) and words[after].text in HELPING and not words[after].breaks:
            after += 1
        passive = any(one.text in ("by",) for one in words[max(at - 1, 0) : at])
        if after < len(words) and not words[after].breaks and not passive:
            verb = words[after]
            if not verb.is_name and verb.text not in STOP_WORDS:
                found.setdefault(name, verb.text)
    return found


def _names_behind(words: Sequence[Word], name: str) -> frozenset[str]:
    first = next(at for at, word in enumerate(words) if word.text == name)
    return frozenset(words[end - 1].text for at, end in _named(words) if at > first)


def _named(words: Sequence[Word]) -> Iterator[tuple[int, int]]:
    """Where names stand: words with capitals in a row."""
    at = 0
    while at < len(words):
        end = at
        while end < len(words) and words[end].is_name and (end == at or not words[end].breaks):
            end += 1
        if end > at and words[end - 1].text not in STOP_WORDS | TITLES:
            yield at, end
        at = max(end, at + 1)
