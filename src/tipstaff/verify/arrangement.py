"""How a statement is arranged beside the words that it rests on: what it has of them in their
order, what it leaves out between them, puts in, and puts elsewhere.

Each trait is a number that says nothing of what words mean. Which arrangements are those of what is
true has been learned from drafts that lie (`verify/arranged.py`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

from tipstaff.lexical.analysis import STOP_WORDS
from tipstaff.verify.synonyms import is_known
from tipstaff.verify.told_words import Word, stems_of, words_in

# Passages that are read together: those that add most of a statement's words.
_TOGETHER, _NEAREST = 4, 10
_MOST_SAID, _MOST_TOLD = 90, 320
_NEAR, _FAR = 4, 7
_PART = 3
_TELLING, _TURNING, _OTHER = 3, 2, 1

_DENIES = frozenset((
    "not", "no", "never", "none", "nobody", "nothing", "neither", "nor", "without", "hardly",
    "barely", "unable", "false", "wrong", "refused", "declined", "failed", "rejected",
))  # fmt: skip
_MODAL = frozenset((
    "may", "might", "could", "would", "should", "must", "shall", "can", "will", "perhaps",
    "possibly", "probably", "expected", "planned", "proposed", "estimated", "due", "ought",
    "likely",
))  # fmt: skip
_CONDITION = frozenset((
    "if", "unless", "except", "provided", "until", "subject", "only", "otherwise", "whether", "or",
    "when", "once", "but", "although", "even", "alone", "solely", "always", "every", "all", "any",
    "both", "each",
))  # fmt: skip
_ORDER = frozenset((
    "more", "less", "over", "under", "above", "below", "before", "after", "least", "most", "than",
    "higher", "lower", "earlier", "later", "first", "last", "up", "from", "to", "by", "against",
    "since", "between", "fewer", "within",
))  # fmt: skip
_PLACES = frozenset((
    "by", "to", "from", "of", "until", "before", "after", "for", "against", "with", "on", "at",
    "in", "under", "over", "above", "below", "between", "since", "than", "within",
))  # fmt: skip
_STANDS_FOR = frozenset((
    "he", "she", "it", "they", "we", "i", "his", "her", "its", "their", "our", "my", "us", "him",
    "them", "me", "you", "your", "this", "that", "these", "those",
))  # fmt: skip
_SAYS = frozenset((
    "said", "says", "told", "asked", "wrote", "writes", "claimed", "claims", "reported", "thinks",
    "thought", "believes", "according", "denied", "denies", "argued", "warned", "replied", "noted",
    "stated", "states",
))  # fmt: skip
_JOINS = frozenset(("and", "but", "while", "whereas", "because", "since", "so"))
_KINDS = (_DENIES, _MODAL, _CONDITION, _ORDER, _SAYS)
_TURNS = frozenset().union(*_KINDS)
_ROW = re.compile(r"(?:[^:;]{1,60}; ){0,4}[^:;]{1,60}: [^;]*; [^:;]{1,60}: ")
_QUOTED = re.compile(r"[\"“”]")


def traits(statement: str, passages: Sequence[str]) -> tuple[float, ...] | None:
    """What is counted of a statement and the passages that it rests on (each with what stands above
    it on lines before its own); None where there is nothing to compare."""
    said = words_in(statement)[:_MOST_SAID]
    telling = [at for at, word in enumerate(said) if _tells(word)]
    if not telling or not passages:
        return None
    return tuple(_Arrangement(said, telling, passages).numbers(statement))


class _Arrangement:
    def __init__(
        self, said: Sequence[Word], telling: Sequence[int], passages: Sequence[str]
    ) -> None:
        self._said = said
        self._stems = [_stem(word.text) for word in said]
        self._telling = telling
        own = [passage.rsplit("\n", 1)[-1] for passage in passages]
        told = [words_in(text) for text in own]
        stems = [frozenset(_stem(word.text) for word in words) for words in told]
        wanted = [self._stems[at] for at in telling]
        nearest = sorted(
            range(len(told)), key=lambda at: -sum(stem in stems[at] for stem in wanted)
        )
        chosen, held = [nearest[0]], set(stems[nearest[0]])
        for at in nearest[1:_NEAREST]:
            if len(chosen) < _TOGETHER and any(
                stem in stems[at] and stem not in held for stem in wanted
            ):
                chosen.append(at)
                held |= stems[at]
        chosen.sort()
        self._best = [_stem(word.text) for word in told[nearest[0]]]
        self._passages = [stems[at] for at in chosen]
        self._told = [word for at in chosen for word in told[at]][:_MOST_TOLD]
        self._told_stems = [_stem(word.text) for word in self._told]
        self._has = frozenset(self._told_stems)
        self._texts = frozenset(word.text for word in self._told)
        above = " ".join(passages[at].rsplit("\n", 1)[0] for at in chosen if "\n" in passages[at])
        self._above = frozenset(_stem(word.text) for word in words_in(above))
        self._is_row = any(_ROW.match(own[at]) for at in chosen)
        self._count = len(passages)
        self._aligned = aligned(self._stems, self._told_stems, [_weight(one) for one in said])

    def numbers(self, statement: str) -> Iterator[float]:
        yield from self._shares()
        yield from self._neighbours()
        yield from self._gaps()
        yield from self._put_in()
        yield from self._bound()
        yield from self._parts()
        yield from self._surroundings(statement)

    def _shares(self) -> Iterator[float]:
        """How much of its words stands there."""
        count, best = len(self._telling), frozenset(self._best)
        wanted = [self._stems[at] for at in self._telling]
        lacking = [stem for stem in wanted if stem not in self._has]
        strange = [stem for stem in lacking if stem not in self._above]
        known = self._has | self._above
        yield len(self._said)
        yield count
        yield sum(stem in best for stem in wanted) / count
        yield sum(stem in self._has for stem in wanted) / count
        yield len(strange)
        yield len(lacking) - len(strange)
        yield sum(not is_known(stem, known) for stem in strange)
        yield len(self._passages)
        in_order = {i for i, _ in self._aligned}
        yield len(in_order) / len(self._said)
        yield sum(at in in_order for at in self._telling) / count
        yield sum(self._stems[at] in self._has and at not in in_order for at in self._telling)
        yield sum(self._stems[at] in self._has for at in (self._telling[0],))
        yield sum(self._stems[at] in self._has for at in (self._telling[-1],))

    def _neighbours(self) -> Iterator[float]:
        """How many of its pairs of words are pairs there."""
        near = _pairs(self._told_stems, _NEAR)
        telling = [_stem(word.text) for word in self._told if _tells(word)]
        near_telling = _pairs(telling, _NEAR)
        wanted = [self._stems[at] for at in self._telling]
        pairs = list(pairwise(self._stems))
        told = list(pairwise(wanted))
        yield sum(pair in near for pair in pairs) / max(len(pairs), 1)
        yield sum(pair in near_telling for pair in told) / max(len(told), 1)
        yield sum(
            (two, one) in near_telling and (one, two) not in near_telling for one, two in told
        )
        yield sum(
            one in self._has and two in self._has and not {(one, two), (two, one)} & near_telling
            for one, two in told
        )

    def _gaps(self) -> Iterator[float]:
        """What is left out between words that stand in a row, and before and behind them."""
        left: list[Word] = []
        breaks = 0
        for (i, j), (k, m) in pairwise(self._aligned):
            between = self._told[j + 1 : m]
            breaks += m > j + 1 or k > i + 1
            if not any(word.begins for word in self._told[j + 1 : m + 1]):
                said = {word.text for word in self._said[i : k + 1]}
                left += [word for word in between if word.text not in said]
        yield breaks
        yield from _counts(left)
        yield sum(_tells(word) for word in left)
        yield sum(map(_is_figure, left))
        yield sum(word.is_name for word in left)
        first = self._aligned[0][1] if self._aligned else 0
        last = self._aligned[-1][1] if self._aligned else -1
        before: list[Word] = []
        for at in range(first - 1, -1, -1):
            if self._told[at + 1].begins:
                break
            before.append(self._told[at])
        behind: list[Word] = []
        for word in self._told[last + 1 :]:
            if word.begins:
                break
            behind.append(word)
        for some in (before, behind):
            yield from _counts(some)
            yield sum(_tells(word) for word in some)

    def _put_in(self) -> Iterator[float]:
        """What it has that does not stand there, or not in a row with the rest."""
        in_order = {i for i, _ in self._aligned}
        new = [word for at, word in enumerate(self._said) if at not in in_order]
        nowhere = [word for word in new if word.text not in self._texts]
        yield from _counts(nowhere)
        yield from _counts(new)
        yield sum(map(_is_figure, nowhere))
        yield sum(map(_is_figure, new))
        yield sum(word.is_name for word in new[1:] if _stem(word.text) not in self._has)
        yield sum(word.is_name for word in new if _stem(word.text) in self._has)
        yield sum(word.text.endswith("ed") for word in nowhere)
        yield sum(word.text in _STANDS_FOR for word in nowhere)
        # "By", "until" and "to" with other words behind them.
        behind = _places(self._told, self._told_stems, _NEAR + 1)
        own = list(_places(self._said, self._stems, _NEAR, first=True))
        known = set(behind)
        own = [pair for pair in own if pair[1] in self._has]
        yield len(own)
        yield sum(pair not in known for pair in own)

    def _bound(self) -> Iterator[float]:
        """Whether the words beside a figure or a name stand beside it there."""
        entities = [
            at for at, word in enumerate(self._said) if _is_figure(word) or (at and word.is_name)
        ]
        together = apart = strayed = 0
        close = _pairs(self._told_stems, _FAR + 3)
        for at in entities:
            stem = self._stems[at]
            if stem not in self._has:
                continue
            for other in self._telling:
                beside = self._stems[other]
                if other == at or abs(other - at) > _NEAR or beside not in self._has:
                    continue
                together += 1
                apart += not any(stem in some and beside in some for some in self._passages)
                strayed += (stem, beside) not in close and (beside, stem) not in close
        yield sum(map(_is_figure, self._said))
        yield sum(word.is_name for word in self._said[1:])
        yield together
        yield apart / max(together, 1)
        yield strayed / max(together, 1)

    def _parts(self) -> Iterator[float]:
        """Of each part of it, how much one passage has; and whether all parts are one passage's."""
        shares, whose = [], set()
        for part in self._in_parts():
            held = [sum(stem in some for stem in part) for some in self._passages]
            shares.append(max(held) / len(part))
            whose.add(held.index(max(held)))
        yield len(shares)
        yield min(shares)
        yield sum(shares) / len(shares)
        yield len(whose)

    def _in_parts(self) -> Iterator[list[str]]:
        """The telling words between its marks and "and"s; a word or two go with what follows."""
        part: list[str] = []
        for at, word in enumerate(self._said):
            if len(part) >= _PART and (word.breaks or word.text in _JOINS):
                yield part
                part = []
            if _tells(word):
                part.append(self._stems[at])
        if part:
            yield part

    def _surroundings(self, statement: str) -> Iterator[float]:
        yield self._is_row
        yield min(self._count, 30)
        yield bool(_QUOTED.search(statement))
        yield sum(word.text in _SAYS for word in self._said)
        yield sum(word.text in _STANDS_FOR for word in self._told)
        yield sum(word.breaks for word in self._said)
        yield sum(word.text == "and" for word in self._said)
        yield len(self._best)
        yield len(frozenset(self._best) - frozenset(self._stems))
        yield sum(map(_is_figure, self._told))
        yield sum(word.is_name and not word.begins for word in self._told)
        yield any(word.asked for word in self._told)
        yield any(word.headed for word in self._told)
        yield from _counts(self._said)
        yield sum(
            word.is_name and _stem(word.text) in self._above and _stem(word.text) not in self._has
            for word in self._said
        )


def aligned(
    said: Sequence[str], told: Sequence[str], weights: Sequence[int]
) -> list[tuple[int, int]]:
    """Where the words of one stand in the other in the same order, the weightiest of them; of
    equals those that stand in a row."""
    width = len(told) + 1
    # In halves: a word that goes on from the one before it is worth a little more.
    best = [[0] * width for _ in range(len(said) + 1)]
    for i in range(len(said) - 1, -1, -1):
        row, below = best[i], best[i + 1]
        for j in range(len(told) - 1, -1, -1):
            most = below[j] if below[j] > row[j + 1] else row[j + 1]
            if said[i] == told[j]:
                goes_on = i + 1 < len(said) and j + 1 < len(told) and said[i + 1] == told[j + 1]
                with_it = below[j + 1] + 2 * weights[i] + goes_on
                most = max(most, with_it)
            row[j] = most
    found = []
    i = j = 0
    while i < len(said) and j < len(told) and best[i][j]:
        if said[i] == told[j]:
            goes_on = i + 1 < len(said) and j + 1 < len(told) and said[i + 1] == told[j + 1]
            if best[i][j] == best[i + 1][j + 1] + 2 * weights[i] + goes_on:
                found.append((i, j))
                i, j = i + 1, j + 1
                continue
        if best[i][j] == best[i + 1][j]:
            i += 1
        else:
            j += 1
    return found


@lru_cache(maxsize=8192)
def _stem(word: str) -> str:
    return min(stems_of(word))


def _tells(word: Word) -> bool:
    return word.text not in STOP_WORDS and word.text not in _STANDS_FOR


def _weight(word: Word) -> int:
    return _TELLING if _tells(word) else _TURNING if word.text in _TURNS else _OTHER


def _is_figure(word: Word) -> bool:
    return any(mark.isdigit() for mark in word.text)


def _counts(words: Sequence[Word]) -> Iterator[float]:
    for kind in _KINDS:
        yield sum(word.text in kind for word in words)


def _pairs(stems: Sequence[str], reach: int) -> frozenset[tuple[str, str]]:
    return frozenset(
        (one, two) for at, one in enumerate(stems) for two in stems[at + 1 : at + reach]
    )


def _places(
    words: Sequence[Word], stems: Sequence[str], reach: int, *, first: bool = False
) -> Iterator[tuple[str, str]]:
    for at, word in enumerate(words):
        if word.text not in _PLACES:
            continue
        for other in range(at + 1, min(at + reach, len(words))):
            if _tells(words[other]):
                yield word.text, stems[other]
                if first:
                    break
