"""What is nearly in the words of its place, and says something else with them.

A draft that keeps to the words of its source lies by little: two names change places, what will be
done has been done, three of one thing become three of another. Each is seen where the words stand.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import Match, SequenceMatcher
from itertools import pairwise

from tipstaff.facts.number_words import NUMBER_WORDS
from tipstaff.lexical.analysis import STOP_WORDS, terms
from tipstaff.verify.evidence_text import EvidenceText
from tipstaff.verify.reasons import DENIED, MISATTRIBUTED, MISPLACED, OPPOSED, PLANNED
from tipstaff.verify.source_words import Word, stems_of, words_in
from tipstaff.verify.statement import without_markup
from tipstaff.verify.synonyms import is_known
from tipstaff.verify.thesaurus import opposites

# Of a statement's words, those that a sentence has which it retells.
_RETOLD = 0.5
_HELPING = frozenset((
    "would", "will", "shall", "has", "had", "have", "was", "were", "is", "are", "also", "then",
    "not", "did", "does", "do", "may", "must", "can", "could", "should", "be", "been", "to",
))  # fmt: skip
_AHEAD = frozenset(("will", "shall", "would", "should", "must", "may", "might", "can", "could"))
_DONE = frozenset(("has", "have", "had", "was", "were"))
_COUNTED = re.compile(rf"\d{{1,3}}|{NUMBER_WORDS}", re.IGNORECASE)
# So much of a statement stands in a sentence in its order, and what may be changed in between.
_REPEATED, _FEW = 0.75, 3
_CLAUSE_WORDS = 6
_PRONOUNS = frozenset(("we", "our", "us", "i", "my", "me", "he", "she", "it", "they", "his", "her",
                       "its", "their", "him", "them", "this", "that", "these", "there", "you",
                       "your"))  # fmt: skip
_FROM_TO = re.compile(r"\bfrom [£$€]?(\d[\d,]*(?:\.\d+)?)%? to [£$€]?(\d[\d,]*(?:\.\d+)?)")
_UP = frozenset(("rose", "grew", "increased", "climbed", "higher"))
_DOWN = frozenset(("fell", "dropped", "declined", "decreased", "sank", "lower"))
_JOINS = frozenset(("a", "an", "the", "of", "to", "in", "at", "on", "for", "is", "was", "be", "by"))
_DENIES = frozenset(("not", "no", "never", "nobody", "none", "neither", "nor", "without"))
_OPPOSITE = frozenset(
    frozenset(pair)
    for pair in (
        ("above", "below"), ("before", "after"), ("more", "less"), ("more", "fewer"),
        ("at", "until"), ("over", "under"), ("least", "most"), ("first", "last"),
        ("all", "some"), ("all", "none"), ("every", "no"), ("may", "must"), ("and", "or"),
        ("highest", "lowest"), ("higher", "lower"), ("earlier", "later"), ("with", "without"),
        ("may", "shall"), ("can", "must"), ("from", "to"), ("both", "neither"), ("always", "never"),
        ("increase", "decrease"), ("rose", "fell"), ("up", "down"), ("this", "last"),
    )
)  # fmt: skip
_GIVES = frozenset((
    "gave", "give", "gives", "given", "paid", "pay", "pays", "sent", "send", "sends", "lent",
    "lend", "lends", "sold", "sell", "sells", "passed", "pass", "transferred", "transfer",
    "donated", "awarded", "granted", "grant", "handed", "hand", "return", "returned", "returns",
    "deliver", "delivered", "delivers", "supply", "supplied", "supplies", "submit", "submitted",
))  # fmt: skip
_GETS = frozenset((
    "received", "receive", "receives", "got", "get", "gets", "obtain", "obtained", "borrowed",
    "borrow", "collect", "collected", "buy", "bought", "fetch", "fetched",
))  # fmt: skip
_TITLES = frozenset(("dr", "mr", "mrs", "ms", "prof", "cllr"))
_DETERMINERS = frozenset(("a", "an", "the", "all", "each", "every", "its", "their", "our"))


def turned_in_place(text: str, evidence: Sequence[Sequence[EvidenceText]]) -> str:
    """Why a sentence that a statement retells says something else, or nothing."""
    statement = without_markup(text).rstrip(" .")
    telling = frozenset(terms(statement)) - STOP_WORDS
    if not telling:
        return ""
    said = words_in(statement)
    for units in evidence:
        for one in units:
            if one.is_row:
                if _is_other_task(said, telling, one):
                    return MISPLACED
                continue
            if len(telling & one.named_terms) < _RETOLD * len(telling):
                continue
            told = words_in(one.text)
            above = frozenset(terms(f"{one.surroundings} {one.before} {one.author}"))
            if reason := _changed(said, told, above):
                return reason
            if _moves_otherwise(said, one.text):
                return OPPOSED
            if (
                _are_exchanged(said, told)
                or _gives_what_it_gets(said, told)
                or (one.author and _did_it_to_me(said, told, one.author))
            ):
                return MISATTRIBUTED
            if _is_ahead(said, told) or _is_to_do(said, told):
                return PLANNED
            if _counts_other(said, told):
                return MISPLACED
    return ""


def _changed(said: Sequence[Word], told: Sequence[Word], around: frozenset[str]) -> str:
    """Why a sentence that is repeated but for a word or two is another one by them. `around` are
    words that belong to it: what stands above it, and before."""
    for clause in _clauses(said):
        for sentence in _sentences(told):
            blocks = _shared(clause, sentence)
            if sum(one.size for one in blocks) < _REPEATED * len(clause):
                continue
            if reason := _changed_within(clause, sentence, blocks, around):
                return reason
    return ""


def _changed_within(
    said: Sequence[Word], told: Sequence[Word], blocks: Sequence[Match], around: frozenset[str]
) -> str:
    have = frozenset(stem for word in told for stem in stems_of(word.text))
    first = blocks[0]
    if _is_of_other(said[: first.a], told[: first.b]):
        return MISATTRIBUTED
    for one, other in pairwise(blocks):
        mine = said[one.a + one.size : other.a]
        theirs = told[one.b + one.size : other.b]
        denied = any(word.text in _DENIES for word in theirs)
        if denied and len(theirs) <= _FEW and not any(word.text in _DENIES for word in mine):
            return DENIED
        if len(theirs) > _FEW or len(mine) > _FEW:
            continue
        if any(_is_strange(word, theirs, have, around) for word in mine):
            return MISPLACED
        if _is_put_for(mine, theirs):
            return MISPLACED
    return ""


def _is_strange(
    word: Word, theirs: Sequence[Word], have: frozenset[str], around: frozenset[str]
) -> bool:
    """Whether a word that is put in, or put for another, is none of the place's."""
    if word.text in STOP_WORDS or word.text in _HELPING or word.text in _JOINS or word.is_name:
        return False
    stems = stems_of(word.text)
    if _is_figure(word.text):
        return any(_is_figure(other.text) for other in theirs) and stems.isdisjoint(have)
    if stems & (have | around) or any(other.text in _PRONOUNS for other in theirs):
        return False
    told = frozenset(stem for other in theirs for stem in stems_of(other.text))
    return not any(is_known(stem, told or have) for stem in stems)


def _is_of_other(mine: Sequence[Word], theirs: Sequence[Word]) -> bool:
    """Whether a sentence begins with somebody else: "Ode would like to go", and "Pike would"."""
    if not 0 < len(mine) <= _FEW + 1 or not 0 < len(theirs) <= _FEW + 1:
        return False
    own = {word.text for word in mine if word.is_name} - _TITLES - STOP_WORDS
    others = {word.text for word in theirs if word.is_name} - _TITLES - STOP_WORDS
    return bool(own and others) and own.isdisjoint(others)


def _clauses(said: Sequence[Word]) -> Iterator[Sequence[Word]]:
    """A statement, and its parts where it has several."""
    yield said
    cuts = [at for at, word in enumerate(said) if at and (word.breaks or word.text == "and")]
    for start, end in pairwise((0, *cuts, len(said))):
        part = said[start + (said[start].text == "and") : end]
        if _CLAUSE_WORDS <= len(part) < len(said):
            yield part


def _sentences(told: Sequence[Word]) -> Iterator[Sequence[Word]]:
    starts = [at for at, word in enumerate(told) if word.begins]
    for start, end in pairwise((*starts, len(told))):
        yield told[start:end]


def _shared(said: Sequence[Word], told: Sequence[Word]) -> list[Match]:
    """What both have in the same order, in runs."""
    mine, theirs = ([min(stems_of(word.text)) for word in words] for words in (said, told))
    matcher = SequenceMatcher(None, mine, theirs, autojunk=False)
    return [block for block in matcher.get_matching_blocks() if block.size]


def _is_put_for(mine: Sequence[Word], theirs: Sequence[Word]) -> bool:
    """Whether a word or a figure stands where another one does: "below" for "above"."""
    said, told = ([w.text for w in words if w.text not in _JOINS] for words in (mine, theirs))
    if len(said) != 1 or len(told) != 1:
        return False
    one, other = said[0], told[0]
    if _is_figure(one) and _is_figure(other):
        return bool(one.strip("£$€%") != other.strip("£$€%"))
    if frozenset((one, other)) in _OPPOSITE:
        return True
    return other in opposites(one) or one in opposites(other)


def _is_figure(word: str) -> bool:
    return any(mark.isdigit() for mark in word)


def _is_other_task(said: Sequence[Word], telling: frozenset[str], row: EvidenceText) -> bool:
    """Whether a row has a task ("Return the terms to Pike & Daw"), and a statement says that what
    is to be given is to be got, or the other way round."""
    for _, words in row.cells:
        verb, _, behind = words.partition(" ")
        rest = frozenset(terms(behind)) - STOP_WORDS
        is_task = verb[:1].isupper() and verb[1:].islower() and len(rest) >= _FEW
        if not is_task or verb.endswith(("ed", "s", "ing")):
            continue
        if 2 * len(rest & telling) > len(rest) and _is_reversed(frozenset((verb.lower(),)), said):
            return True
    return False


def _moves_otherwise(said: Sequence[Word], told: str) -> bool:
    """Whether what went from less to more is said to have fallen, without a figure."""
    found = _FROM_TO.findall(told)
    if len(found) != 1 or _DENIES.intersection(word.text for word in said):
        return False
    start, end = (float(one.replace(",", "")) for one in found[0])
    have = {word.text for word in said}
    up, down = bool(have & _UP), bool(have & _DOWN)
    own = {word.casefold() for word in re.findall(r"\w+", told)}
    if up == down or own & (_UP | _DOWN):
        return False
    return (up and end < start) or (down and end > start)


def _are_exchanged(said: Sequence[Word], told: Sequence[Word]) -> bool:
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
    return any(_is_done_to(said, name, verb) for name, verb in theirs.items())


def _is_done_to(said: Sequence[Word], name: str, verb: str) -> bool:
    """Whether another does to somebody what they do: "The trust has claimed it from Pike"."""
    verbs = [at for at, word in enumerate(said) if stems_of(word.text) & stems_of(verb)]
    names = [at for at, word in enumerate(said) if word.text == name]
    if not verbs or not names or names[0] < verbs[0]:
        return False
    before = said[names[0] - 1].text
    way = said[names[0] - 2].text if before == "the" and names[0] > 1 else before
    return way in ("from", "to", "against") and verbs[0] > 0


def _gives_what_it_gets(said: Sequence[Word], told: Sequence[Word]) -> bool:
    """Whether somebody is said to give what there is given to them, or to get what is got from
    them."""
    for at, end in _named(said):
        behind = [one.text for one in said[end : end + _FEW]]
        for verbs, way in ((_GIVES, "to"), (_GETS, "from")):
            if not verbs.intersection(behind):
                continue
            name = [one.text for one in said[at:end]]
            size = len(name)
            places = [j for j in range(len(told)) if [w.text for w in told[j : j + size]] == name]
            if len(places) != 1:
                continue
            start = places[0] - (places[0] > 0 and told[places[0] - 1].text == "the")
            follows = {one.text for one in told[places[0] + size : places[0] + size + _FEW]}
            if start and told[start - 1].text == way and not verbs & follows:
                return True
    return False


def _did_it_to_me(said: Sequence[Word], told: Sequence[Word], author: str) -> bool:
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


def _is_reversed(verbs: frozenset[str], said: Sequence[Word]) -> bool:
    have = {word.text for word in said}
    return bool(
        (verbs & _GIVES and have & _GETS and not have & _GIVES)
        or (verbs & _GETS and have & _GIVES and not have & _GETS)
    )


def _doers(words: Sequence[Word]) -> dict[str, str]:
    """The last word of each name that stands before a verb once, and the verb."""
    found: dict[str, str] = {}
    for at, end in _named(words):
        name = words[end - 1].text
        after = end
        while after < len(words) and words[after].text in _HELPING and not words[after].breaks:
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
        if end > at and words[end - 1].text not in STOP_WORDS | _TITLES:
            yield at, end
        at = max(end, at + 1)


def _is_ahead(said: Sequence[Word], told: Sequence[Word]) -> bool:
    """Whether what will, may or must be done is said to have been."""
    for at, word in enumerate(said):
        before = [one.text for one in said[max(at - 2, 0) : at]]
        plainly = word.text.endswith("ed") and not _HELPING.intersection(before)
        if word.text in STOP_WORDS or not (plainly or _DONE.intersection(before)) or "to" in before:
            continue
        if word.text in _HELPING or _AHEAD.intersection(before):
            continue
        stems = stems_of(word.text)
        places = [j for j, one in enumerate(told) if stems & stems_of(one.text)]
        if len(places) != 1:
            continue
        ahead = {one.text for one in told[max(places[0] - 2, 0) : places[0]]}
        if ahead & _AHEAD and not ahead & _DONE:
            return True
    return False


def _is_to_do(said: Sequence[Word], told: Sequence[Word]) -> bool:
    """Whether what a list says to do ("Replace the stock by May") is said to be done."""
    starts = [at for at, one in enumerate(told[:-1]) if one.begins]
    for start in starts:
        verb, behind = told[start], told[start + 1]
        if verb.text.endswith(("ed", "s", "ing")) or verb.text in STOP_WORDS:
            continue
        is_thing = behind.text in _DETERMINERS or _COUNTED.fullmatch(behind.text)
        if not is_thing or behind.breaks:
            continue
        for at, word in enumerate(said):
            before = {one.text for one in said[max(at - 3, 0) : at]}
            if (
                word.text.endswith("ed")
                and stems_of(word.text) & stems_of(verb.text)
                and not before & (_AHEAD | {"to"})
            ):
                return True
    return False


def _counts_other(said: Sequence[Word], told: Sequence[Word]) -> bool:
    """Whether so many of one thing are so many of another there: "three memoirs", and "three
    titles remain"."""
    mine = frozenset(stem for one in said for stem in stems_of(one.text))
    theirs = frozenset(stem for one in told for stem in stems_of(one.text))
    for at, word in enumerate(said[:-1]):
        if not _COUNTED.fullmatch(word.text):
            continue
        places = [j for j, one in enumerate(told[:-1]) if one.text == word.text]
        if len(places) != 1:
            continue
        thing, other = said[at + 1], told[places[0] + 1]
        if thing.breaks or other.breaks or thing.text in STOP_WORDS or other.text in STOP_WORDS:
            continue
        if not thing.text.isalpha() or not other.text.isalpha() or thing.is_name or other.is_name:
            continue
        is_other = stems_of(thing.text).isdisjoint(theirs) and stems_of(other.text).isdisjoint(mine)
        if is_other and not is_known(terms(thing.text)[0], theirs):
            return True
    return False
