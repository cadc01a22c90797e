"""Whether a statement only repeats a row: its values with their own headers, and nothing else.

"Hexham had 74 second repairs and 11 technicians" of a row with Workshop: Hexham; Second repairs:
74; Technicians: 11. Every word is a value, a word of a header or of what stands above the table, or
joins them; every value stands beside the words of its header, and would fit no other as well.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations

from tipstaff.lexical.analysis import terms
from tipstaff.verify.evidence_text import EvidenceText
from tipstaff.verify.statement import without_markup
from tipstaff.verify.told_words import Word, stems_of, words_in

# Words that join a value to its header, and say nothing of it.
_JOINING = frozenset((
    "a", "an", "the", "of", "in", "on", "at", "for", "with", "and", "as", "is", "are", "was",
    "were", "has", "have", "had", "that", "there", "also", "recorded", "listed", "shown", "given",
    "gives", "shows", "set", "row", "entry", "value", "yes",
))  # fmt: skip
_LONGER = 0.01
_MOST_ROWS, _MOST_VALUES, _MOST_WORDS = 6, 5, 80
# In thousands, or below nought: for others to say.
_SCALED = re.compile(r"000|\b(?:million|thousand|m|k|bn)\b", re.IGNORECASE)
_SIGNED = re.compile(r"\s*[-−(<>≥≤~±]\s?[£$€]?\d")
_FIGURE = re.compile(r"[£$€]?-?\d[\d,]*(?:\.\d+)?%?")


@dataclass(frozen=True, slots=True)
class _Value:
    """A cell that a statement names: from one word of it to another."""

    cell: int
    start: int
    end: int


def is_in_row_words(text: str, evidence: Sequence[Sequence[EvidenceText]]) -> bool:
    """Whether a statement repeats one row, or several one after the other."""
    said = words_in(without_markup(text).rstrip(" ."))
    rows = [one for units in evidence for one in units]
    if not 0 < len(rows) <= _MOST_ROWS or len(said) > _MOST_WORDS:
        return False
    if not all(one.is_row and not one.ordered and not one.synthesis for one in rows):
        return False
    if any(
        _SCALED.search(head) or _SIGNED.match(words) for one in rows for head, words in one.cells
    ):
        return False
    if any(_repeats(said, row) for row in rows):
        return True
    parts = _by_row(said, rows)
    return bool(parts) and all(_repeats(part, row) for part, row in parts)


def _by_row(
    said: Sequence[Word], rows: Sequence[EvidenceText]
) -> list[tuple[Sequence[Word], EvidenceText]]:
    """The part of a statement that each row has: from where it is named to where the next is."""
    named = []
    for row in rows:
        places = list(_places(said, row.cells[0][1]))
        if len(places) != 1:
            return []
        named.append((places[0][0], row))
    named.sort(key=lambda one: one[0])
    figures = [at for at, word in enumerate(said) if _FIGURE.fullmatch(word.text)]
    if len(named) < 2 or (figures and figures[0] < named[0][0]):
        return []
    starts = [0, *(at for at, _ in named[1:]), len(said)]
    return [(said[starts[n] : starts[n + 1]], row) for n, (_, row) in enumerate(named)]


def _repeats(said: Sequence[Word], row: EvidenceText) -> bool:
    values = _values(said, row)
    taken = {at for one in values for at in range(one.start, one.end)}
    around = frozenset(terms(row.surroundings))
    for at, word in enumerate(said):
        if at in taken or word.text in _JOINING:
            continue
        if any(mark.isdigit() for mark in word.text) and word.text not in row.surroundings.lower():
            return False
        if stems_of(word.text).isdisjoint(around):
            return False
    told = [one for one in values if one.cell and row.cells[one.cell][0]]
    if not told or len(told) > _MOST_VALUES or not _is_told_of(said, values, row):
        return False
    return _are_their_own(said, told, row)


def _is_told_of(said: Sequence[Word], values: Sequence[_Value], row: EvidenceText) -> bool:
    """Whether it is said which row: by its first cell or, of settings, by what they stand in."""
    if any(one.cell == 0 for one in values):
        return True
    if row.cells[0][0]:
        return False
    have = {stem for word in said for stem in stems_of(word.text)}
    above = [one for head, words in row.cells if not head for one in terms(words)]
    return have.issuperset(above)


def _are_their_own(said: Sequence[Word], told: Sequence[_Value], row: EvidenceText) -> bool:
    """Whether each value fits its own header, and they would fit no others as well."""
    beside = [_beside(said, told, at) for at in range(len(told))]
    heads = [_head(head) for head, _ in row.cells]

    def fits(cells: Sequence[int]) -> float:
        shared = [
            (len(heads[cell] & near), len(heads[cell]))
            for cell, near in zip(cells, beside, strict=True)
        ]
        # Of two headers that are named whole the longer one is: "repairs", and "second repairs".
        return sum(held / max(all_of, 1) + _LONGER * held for held, all_of in shared)

    own = [one.cell for one in told]
    is_figure = [bool(_FIGURE.match(row.cells[cell][1].strip())) for cell in own]
    if any(not heads[cell] & near for cell, near in zip(own, beside, strict=True)):
        return False
    best = fits(own)
    for others in permutations(own):
        moved = [at for at, cell in enumerate(others) if cell != own[at]]
        fit = fits(others)
        if fit > best or (fit == best and any(is_figure[at] for at in moved)):
            return False
    for at, cell in enumerate(own):
        for other in range(1, len(row.cells)):
            if other in own or not _are_alike(row.cells[cell][1], row.cells[other][1]):
                continue
            # Words of the header of another value that is told are that one's.
            theirs = frozenset().union(*(heads[one] for one in own if one != cell))
            if (heads[other] & beside[at]) <= theirs and heads[other] & beside[at]:
                continue
            rival = fits([*own[:at], other, *own[at + 1 :]])
            if rival > best or (is_figure[at] and rival == best):
                return False
    return True


def _are_alike(one: str, other: str) -> bool:
    """Two figures, or two words."""
    return bool(_FIGURE.match(one.strip())) == bool(_FIGURE.match(other.strip()))


def _beside(said: Sequence[Word], told: Sequence[_Value], at: int) -> frozenset[str]:
    """The words between a value and those before and behind it."""
    start = told[at - 1].end if at else 0
    end = told[at + 1].start if at + 1 < len(told) else len(said)
    own = range(told[at].start, told[at].end)
    return frozenset(
        stem
        for place in range(start, end)
        if place not in own
        for stem in stems_of(said[place].text)
    )


def _head(head: str) -> frozenset[str]:
    return frozenset(
        stem for word in words_in(head.replace("_", " ")) for stem in stems_of(word.text)
    ) - frozenset(terms("of the in at per"))


def _values(said: Sequence[Word], row: EvidenceText) -> list[_Value]:
    """Every value of the row that a statement has, in order; the longest where several begin."""
    found: list[_Value] = []
    for cell, (_, words) in enumerate(row.cells):
        found += [_Value(cell, start, end) for start, end in _places(said, words)]
    found.sort(key=lambda one: (one.start, one.start - one.end))
    kept: list[_Value] = []
    for one in found:
        same = [other for other in found if (other.start, other.end) == (one.start, one.end)]
        if len(same) > 1 and any(other.cell != one.cell for other in same):
            # One value in two columns: which is meant is for others to say.
            return []
        if not kept or one.start >= kept[-1].end:
            kept.append(one)
    return kept


def _places(said: Sequence[Word], value: str) -> Iterator[tuple[int, int]]:
    """Where a statement has a value, whole."""
    wanted = [_plain(word.text) for word in words_in(value.replace("_", " "))]
    if not wanted:
        return
    length = len(wanted)
    have = [_plain(word.text) for word in said]
    for at in range(len(have) - length + 1):
        if have[at : at + length] == wanted:
            yield at, at + length


def _plain(word: str) -> str:
    return word.replace(",", "") if any(mark.isdigit() for mark in word) else word
