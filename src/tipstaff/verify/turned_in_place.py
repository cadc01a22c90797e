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
from tipstaff.facts.titles import TITLES
from tipstaff.lexical.analysis import STOP_WORDS, terms
from tipstaff.verify.deeds import SAYS, are_reversed
from tipstaff.verify.denied_in_place import all_forms, denied_in_place
from tipstaff.verify.doers import (
    HELPING,
    are_exchanged,
    did_it_to_me,
    gives_what_it_gets,
    is_of_another,
    is_reversed,
)
from tipstaff.verify.evidence_text import EvidenceText
from tipstaff.verify.modality import FINISHED
from tipstaff.verify.quotes import plain
from tipstaff.verify.reasons import DENIED, MISATTRIBUTED, MISPLACED, OPPOSED, PLANNED
from tipstaff.verify.statement import STRUCTURE, without_markup
from tipstaff.verify.synonyms import is_known
from tipstaff.verify.thesaurus import opposites
from tipstaff.verify.told_words import Word, stems_of, words_in

# Of a statement's words, those that a sentence has which it retells.
_RETOLD = 0.5
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
_FROM_ONE_TO_OTHER = re.compile(
    r"\bfrom (?:the |an? )?([£$€]?\w[\w,.'-]*?)(?: \w+)? to (?:the |an? )?"
    r"([£$€]?\w[\w,.'-]*?)(?=[.,;]?(?:\s|$))"
)
# Deeds that settle something: what a row does not say of them, nobody may.
DECISIVE = frozenset((
    "paid", "refunded", "repaid", "withdrawn", "withdrew", "returned", "cancelled", "rejected",
    "approved", "signed", "sent", "delivered", "received", "settled", "waived", "accepted",
    "refused", "postponed", "replaced",
))  # fmt: skip
_NOT_YET = re.compile(
    r"\bnot (?:yet )?(?:due|paid|done|sent|signed|received|approved|agreed)\b|\bawait\w*\b|"
    r"\bpending\b|\bunpaid\b|\boutstanding\b|\bplanned\b",
    re.IGNORECASE,
)
_DAY = re.compile(r"\d{4}-\d\d-\d\d|\d{1,2} [A-Z][a-z]+(?: \d{4})?")
_WHETHER_OR_NOT = re.compile(r"\bwhether or not\b|\bwhether\b[^.;]{1,60}\bor not\b", re.IGNORECASE)
_IF = re.compile(r"\b(?:if|unless|only when|provided)\b", re.IGNORECASE)
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
        ("this", "next"), ("last", "next"), ("today", "tomorrow"), ("today", "yesterday"),
    )
)  # fmt: skip
_DETERMINERS = frozenset(("a", "an", "the", "all", "each", "every", "its", "their", "our"))


def turned_in_place(text: str, evidence: Sequence[Sequence[EvidenceText]]) -> str:
    """Why a sentence that a statement retells says something else, or nothing."""
    statement = without_markup(text).rstrip(" .")
    telling = frozenset(terms(statement)) - STOP_WORDS - STRUCTURE
    said = words_in(statement)
    every = [unit for units in evidence for unit in units]
    prose = [one for one in every if not one.is_row]
    if reason := denied_in_place(said, [(words_in(x.text), _is_retold(telling, x)) for x in prose]):
        return reason
    near = [one for one in prose if _is_retold(telling, one)]
    if reason := _changed(said, near):
        return reason
    for one in every:
        if _goes_back(statement, one.text):
            return OPPOSED
        if one.is_row:
            reason = _turned_in_row(said, telling, one)
        elif _is_retold(telling, one):
            reason = _turned_in_sentence(said, one)
            if not reason and _is_of_no_matter(statement, one.text):
                reason = OPPOSED
        else:
            continue
        if reason:
            return reason
    return ""


def _is_retold(telling: frozenset[str], one: EvidenceText) -> bool:
    return bool(telling) and len(telling & one.named_terms) >= _RETOLD * len(telling)


def _turned_in_row(said: Sequence[Word], telling: frozenset[str], row: EvidenceText) -> str:
    if _is_other_task(said, telling, row):
        return MISPLACED
    if _is_task_done(said, row) or _is_not_yet(said, row):
        return PLANNED
    if _is_day_of_other(said, row):
        return MISPLACED
    for _, words in row.cells:
        told = words_in(words)
        if len(told) >= _CLAUSE_WORDS and _is_ahead(said, told):
            return PLANNED
        if len(told) >= _CLAUSE_WORDS and (are_exchanged(said, told) or are_reversed(said, told)):
            return MISATTRIBUTED
    return OPPOSED if _is_left_out(said, row) else ""


def _turned_in_sentence(said: Sequence[Word], one: EvidenceText) -> str:
    told = words_in(one.text)
    if _moves_otherwise(said, one.text):
        return OPPOSED
    if (
        are_exchanged(said, told)
        or are_reversed(said, told, one.author)
        or gives_what_it_gets(said, told)
        or (one.author and did_it_to_me(said, told, one.author))
        or is_of_another(said, told)
    ):
        return MISATTRIBUTED
    if _is_ahead(said, told) or _is_to_do(said, told):
        return PLANNED
    return MISPLACED if _counts_other(said, told) else ""


def _changed(said: Sequence[Word], units: Sequence[EvidenceText]) -> str:
    """Why a sentence that is repeated but for a word or two is another one by them; of several like
    it the nearest: "lot 12 is a desk" is no other than that because lot 21 is one."""
    told = [(sentence, one) for one in units for sentence in _sentences(words_in(one.text))]
    for clause in _clauses(said) if told else ():
        shared = [_shared(clause, sentence) for sentence, _ in told]
        held = [sum(block.size for block in blocks) for blocks in shared]
        most = max(held)
        if most < _REPEATED * len(clause):
            continue
        reasons = [
            _changed_within(clause, sentence, blocks, _around(one))
            for (sentence, one), blocks, count in zip(told, shared, held, strict=True)
            if count == most
        ]
        if all(reasons):
            return reasons[0]
    return ""


def _around(one: EvidenceText) -> frozenset[str]:
    """Words that belong to a sentence: what stands above it, and before."""
    return frozenset(terms(f"{one.surroundings} {one.before} {one.author}"))


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
    last = blocks[-1]
    mine, theirs = said[last.a + last.size :], told[last.b + last.size :]
    return MISPLACED if _is_put_for(mine, theirs) else ""


def _is_strange(
    word: Word, theirs: Sequence[Word], have: frozenset[str], around: frozenset[str]
) -> bool:
    """Whether a word that is put in, or put for another, is none of the place's."""
    if word.text in STOP_WORDS or word.text in HELPING or word.text in _JOINS or word.is_name:
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
    own = {word.text for word in mine if word.is_name} - TITLES - STOP_WORDS
    others = {word.text for word in theirs if word.is_name} - TITLES - STOP_WORDS
    return bool(own and others) and own.isdisjoint(others)


def _clauses(said: Sequence[Word]) -> Iterator[Sequence[Word]]:
    """A statement, and its parts where it has several."""
    yield said
    cuts = [
        at
        for at, word in enumerate(said)
        if at and (word.breaks or word.text in ("and", "that") or said[at - 1].text in SAYS)
    ]
    for start, end in pairwise((0, *cuts, len(said))):
        part = said[start + (said[start].text in ("and", "that")) : end]
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
        return _bare(one) != _bare(other)
    if frozenset((one, other)) in _OPPOSITE:
        return True
    return other in opposites(one) or one in opposites(other)


def _is_figure(word: str) -> bool:
    return any(mark.isdigit() for mark in word)


def _bare(figure: str) -> str:
    return figure.strip("£$€%").replace(",", "")


def _is_left_out(said: Sequence[Word], row: EvidenceText) -> bool:
    """Whether a row has under "excludes" what a statement says is included, or the other way."""
    have = {stem for word in said for stem in stems_of(word.text)}
    for one, other in (("includ", "exclud"), ("exclud", "includ")):
        if one not in have or other in have:
            continue
        for head, words in row.cells:
            parts = [frozenset(terms(part)) - STOP_WORDS for part in words.split(",")]
            if other in terms(head) and any(part and part <= have for part in parts):
                return True
    return False


def _is_not_yet(said: Sequence[Word], row: EvidenceText) -> bool:
    """Whether a row is "not due" or "awaited" by its state, and a statement says that it was paid,
    sent or signed."""
    if not _decided(said) or _DENIES.intersection(word.text for word in said):
        return False
    waits = any(_NOT_YET.search(words) for words in row.states)
    return waits and not any(FINISHED.search(words) for words in row.states)


def _is_day_of_other(said: Sequence[Word], row: EvidenceText) -> bool:
    """Whether the only deed that a row has a day of is another one: "sent: 2025-12-05", and it "was
    withdrawn"."""
    mine = _decided(said)
    heads = {head.lower() for head, words in row.cells if _DAY.fullmatch(words.strip())}
    theirs = heads & DECISIVE
    return bool(mine and theirs) and all(all_forms(one).isdisjoint(mine) for one in theirs)


def _decided(said: Sequence[Word]) -> frozenset[str]:
    """The forms of what a statement says was done, of deeds that settle something."""
    return frozenset().union(*(all_forms(one.text) for one in said if one.text in DECISIVE))


def _is_task_done(said: Sequence[Word], row: EvidenceText) -> bool:
    """Whether a row has what is to be done ("return 100 nodes") and does not say that it is, and a
    statement says so: "returned"."""
    if any(FINISHED.search(words) for words in row.states):
        return False
    for _, words in row.cells:
        told = words_in(words)[:2]
        if len(told) < 2 or told[0].text.endswith(("ed", "s", "ing")) or told[1].breaks:
            continue
        is_thing = told[1].text in _DETERMINERS or _COUNTED.fullmatch(told[1].text)
        if (is_thing or told[1].is_name) and any(
            word.text.endswith("ed") and stems_of(word.text) & stems_of(told[0].text)
            for word in said
        ):
            return True
    return False


def _is_other_task(said: Sequence[Word], telling: frozenset[str], row: EvidenceText) -> bool:
    """Whether a row has a task ("Return the terms to Pike & Daw"), and a statement says that what
    is to be given is to be got, or the other way round."""
    for _, words in row.cells:
        verb, _, behind = words.partition(" ")
        rest = frozenset(terms(behind)) - STOP_WORDS
        is_task = verb[:1].isupper() and verb[1:].islower() and len(rest) >= _FEW
        if not is_task or verb.endswith(("ed", "s", "ing")):
            continue
        if 2 * len(rest & telling) > len(rest) and is_reversed(frozenset((verb.lower(),)), said):
            return True
    return False


def _goes_back(statement: str, told: str) -> bool:
    """Whether what went from one to another is said to have gone from that one to this. That
    something else went the other way says nothing of it."""
    ways = _FROM_ONE_TO_OTHER.findall(plain(told).casefold())
    back = [
        (one, other)
        for one, other in _FROM_ONE_TO_OTHER.findall(plain(statement).casefold())
        if one != other and (other, one) in ways and (one, other) not in ways
    ]
    if not back:
        return False
    ends = {term for two in back for end in two for term in terms(end)}
    moved = frozenset(terms(statement)) - STOP_WORDS - ends
    return 2 * len(moved.intersection(terms(told))) >= len(moved)


def _is_of_no_matter(statement: str, told: str) -> bool:
    """Whether something holds "whether or not", and a statement says if or unless."""
    return bool(_WHETHER_OR_NOT.search(told)) and bool(
        _IF.search(statement) and not _WHETHER_OR_NOT.search(statement)
    )


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


def _is_ahead(said: Sequence[Word], told: Sequence[Word]) -> bool:
    """Whether what will, may or must be done is said to have been."""
    for at, word in enumerate(said):
        before = [one.text for one in said[max(at - 2, 0) : at]]
        plainly = word.text.endswith("ed") and not HELPING.intersection(before)
        if word.text in STOP_WORDS or not (plainly or _DONE.intersection(before)) or "to" in before:
            continue
        if word.text in HELPING or _AHEAD.intersection(before):
            continue
        stems = all_forms(word.text)
        places = [j for j, one in enumerate(told) if stems & all_forms(one.text)]
        before_each = [{one.text for one in told[max(j - 2, 0) : j]} for j in places]
        if places and all(
            (ahead & _AHEAD or "to" in ahead) and not ahead & _DONE for ahead in before_each
        ):
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
