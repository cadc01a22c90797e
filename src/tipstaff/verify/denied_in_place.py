"""What is said and there denied, denied and there said, or only somebody's opinion there: each seen
by the word and by what stands beside it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tipstaff.lexical.analysis import STOP_WORDS, terms
from tipstaff.verify.doers import HELPING
from tipstaff.verify.irregular_forms import forms_of
from tipstaff.verify.reasons import DENIED, SUPPOSED
from tipstaff.verify.told_words import Word, stems_of

_HELPS = frozenset((
    "is", "are", "was", "were", "be", "been", "did", "does", "do", "has", "have", "had", "will",
    "would", "shall", "may", "can", "could",
))  # fmt: skip
_AHEAD = frozenset(("will", "shall", "would", "should", "must", "may", "might", "can", "could"))
_OPINES = frozenset(("should", "might", "could", "would"))
_DENIES = frozenset(("not", "no", "never", "nobody", "none", "neither", "nor", "without"))
# What makes a denial one of some time or case only.
_LIMITS = frozenset(("until", "till", "unless", "except", "before", "only", "if"))
_JOINS = frozenset(("but", "yet"))
# Units that a place has at most: a whole item denies many things.
_MOST_UNITS = 40
_NEAR = 4

# A sentence of a place, and whether it has half of what is said.
_Told = tuple[Sequence[Word], bool]


def denied_in_place(said: Sequence[Word], every: Sequence[_Told]) -> str:
    """Why a statement says something else than the sentences of its place, or nothing."""
    if len(every) > _MOST_UNITS:
        return ""
    if _is_denied_there(said, every) or _denies_what_is_told(said, every):
        return DENIED
    return SUPPOSED if any(_is_only_opined(said, told) for told, _ in every) else ""


def _is_denied_there(said: Sequence[Word], every: Sequence[_Told]) -> bool:
    """Whether something is said to be what it is told not to be, or to have been done, and nowhere
    told to be so: "but is answerable for it", and "is not answerable for it"."""
    for at, word in enumerate(said[1:], 1):
        if said[at - 1].text not in _HELPS and not word.text.endswith("ed"):
            continue
        if not word.text.isalpha() or word.text in STOP_WORDS or _is_denied_near(said, at):
            continue
        stems = stems_of(word.text)
        places = [
            (told, j, retold)
            for told, retold in every
            for j, one in enumerate(told)
            if stems & stems_of(one.text)
        ]
        if any(
            _is_denied_at(told, j)
            # "Is not due until May" is due then.
            and not _has(told, _LIMITS | _JOINS)
            and (retold or _are_beside_the_same(said, at, told, j))
            for told, j, retold in places
        ) and not any(
            # Another may be what this one is not.
            not _is_denied_at(told, j) and _are_beside_the_same(said, at, told, j)
            for told, j, _ in places
        ):
            return True
    return False


def _denies_what_is_told(said: Sequence[Word], every: Sequence[_Told]) -> bool:
    """Whether it is the other way round: "did not fail its test", and "failed its test", and nobody
    is told not to have failed it."""
    if _has(said, _LIMITS):
        return False
    for at, word in enumerate(said):
        if word.text in STOP_WORDS or not _is_denied_at(said, at):
            continue
        forms = all_forms(word.text)
        places = [
            (told, j)
            for told, _ in every
            for j, one in enumerate(told)
            if forms & all_forms(one.text)
        ]
        if any(
            not _has(told, _LIMITS) and _are_beside_the_same(said, at, told, j)
            for told, j in places
        ) and not any(
            _is_denied_near(told, j) and _are_beside_the_same(said, at, told, j)
            for told, j in places
        ):
            return True
    return False


def _is_only_opined(said: Sequence[Word], told: Sequence[Word]) -> bool:
    """Whether what somebody only thinks should be is said to be: "the first try is the one that
    counts", and "I say the first one should count"."""
    for at, word in enumerate(said):
        if not word.text.endswith("s") or word.text in STOP_WORDS or word.is_name:
            continue
        if _has(said[max(at - 2, 0) : at], _AHEAD):
            continue
        places = [j for j, one in enumerate(told) if j and one.text == word.text[:-1]]
        if places and all(told[j - 1].text in _OPINES for j in places):
            return not _has(told, frozenset((word.text,)))
    return False


def _has(words: Sequence[Word], some: frozenset[str]) -> bool:
    return any(one.text in some for one in words)


def _is_denied_at(told: Sequence[Word], at: int) -> bool:
    return at > 1 and told[at - 1].text == "not" and told[at - 2].text in _HELPS


def _is_denied_near(words: Sequence[Word], at: int) -> bool:
    return _has(words[max(at - _NEAR, 0) : at + 1], _DENIES)


def _are_beside_the_same(said: Sequence[Word], at: int, told: Sequence[Word], j: int) -> bool:
    """Whether two words are spoken of in the same words before them or behind them."""
    mine = (said[max(at - _NEAR, 0) : at], said[at + 1 : at + 1 + _NEAR])
    theirs = (told[max(j - _NEAR, 0) : j], told[j + 1 : j + 1 + _NEAR])
    return any(
        not frozenset(_content(one)).isdisjoint(_content(other))
        for one, other in zip(mine, theirs, strict=True)
    )


def _content(words: Sequence[Word]) -> Iterator[str]:
    for word in words:
        if word.text not in STOP_WORDS and word.text not in HELPING:
            yield from stems_of(word.text)


def all_forms(word: str) -> frozenset[str]:
    """Failed is fail, sent is send."""
    return stems_of(word).union(*map(forms_of, terms(word)))
