"""The keyword half of an index as arrays: terms by their hash, and where each occurs.

Stores that only know vectors keep it as a file beside them.
"""

from __future__ import annotations

import hashlib
from array import array
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from tipstaff.domain.scope import Scope
from tipstaff.lexical.bm25 import Postings

_NOTHING = np.empty(0, np.int32)


def lexicon_sections(counts: Sequence[Mapping[str, int]]) -> dict[str, npt.NDArray[Any]]:
    """The arrays of a lexicon from the terms of each chunk."""
    chunks_of: dict[str, array[int]] = {}
    counts_of: dict[str, array[int]] = {}
    for number, terms in enumerate(counts):
        for term, count in terms.items():
            if term not in chunks_of:
                chunks_of[term] = array("i")
                counts_of[term] = array("i")
            chunks_of[term].append(number)
            counts_of[term].append(count)
    ordered = sorted(chunks_of, key=lambda term: (_hash(term), term))
    names = [term.encode() for term in ordered]
    return {
        "term_hashes": np.array([_hash(term) for term in ordered], np.uint64),
        "term_names": np.frombuffer(b"".join(names), np.uint8),
        "term_name_ends": np.cumsum([len(name) for name in names], dtype=np.int64),
        "posting_ends": np.cumsum([len(chunks_of[term]) for term in ordered], dtype=np.int64),
        "posting_chunks": _joined(chunks_of[term] for term in ordered),
        "posting_counts": _joined(counts_of[term] for term in ordered),
        "lengths": np.array([sum(terms.values()) for terms in counts], np.int32),
    }


class Lexicon:
    """Answers which chunks of a scope hold a term; looks at no chunk outside the scope."""

    def __init__(self, sections: Mapping[str, npt.NDArray[Any]]) -> None:
        self._hashes = sections["term_hashes"]
        self._names = sections["term_names"]
        self._name_ends = sections["term_name_ends"]
        self._ends = sections["posting_ends"]
        self._chunks = sections["posting_chunks"]
        self._counts = sections["posting_counts"]
        self._lengths = sections["lengths"]

    def postings(self, terms: Sequence[str], scope: Scope) -> list[Postings]:
        edges = np.frombuffer(scope.edges, np.int32) if scope.edges else _NOTHING
        return [self._within(term, edges) for term in terms]

    def _within(self, term: str, edges: npt.NDArray[np.int32]) -> Postings:
        """Item by item, even where all items are asked for: the work is the same whatever lies
        between them (Enterprise §10.1). So it is for a term that is nowhere: no time may tell
        whether it stands in an item outside the scope."""
        start, end = self._place(term)
        chunks, counts = self._chunks[start:end], self._counts[start:end]
        cuts = np.searchsorted(chunks, edges)
        within = numbers_of(cuts[::2], cuts[1::2])
        chunks, counts = chunks[within], counts[within]
        return Postings(chunks, counts, self._lengths[chunks])

    def _place(self, term: str) -> tuple[int, int]:
        """Where the postings of a term begin and end; nothing, if there are none. Terms
        with one hash stand side by side, in order of their names."""
        wanted, name = np.uint64(_hash(term)), term.encode()
        place = int(np.searchsorted(self._hashes, wanted))
        while place < len(self._hashes) and self._hashes[place] == wanted:
            start = int(self._name_ends[place - 1]) if place else 0
            if self._names[start : int(self._name_ends[place])].tobytes() == name:
                return int(self._ends[place - 1]) if place else 0, int(self._ends[place])
            place += 1
        return 0, 0


def numbers_of(starts: npt.NDArray[Any], ends: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
    """The numbers of half-open ranges, one after the other. No step is made for each range: how
    many there are depends on what lies between them, and time must not tell (Enterprise §10.1)."""
    lengths = np.subtract(ends, starts, dtype=np.int64)
    before = np.cumsum(lengths) - lengths
    numbers: npt.NDArray[np.int64] = np.arange(lengths.sum()) + np.repeat(starts - before, lengths)
    return numbers


def _joined(parts: Any) -> npt.NDArray[np.int32]:
    arrays = [np.frombuffer(part, np.int32) for part in parts]
    return np.concatenate(arrays) if arrays else _NOTHING


def _hash(term: str) -> int:
    return int.from_bytes(hashlib.blake2b(term.encode(), digest_size=8).digest(), "little")
