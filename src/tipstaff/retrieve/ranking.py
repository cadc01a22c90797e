"""One query against one scope: the keyword ranking, the vector ranking, and both as one.

Every number comes from the scope's own chunks (docs/decisions/0008), so a search in a scope
equals a search of a bundle that holds nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import overload

import numpy as np
import numpy.typing as npt

from tipstaff.domain.retrieval import Found, Method, RetrievalOptions
from tipstaff.domain.scope import Scope
from tipstaff.embed.whole_numbers import cosine
from tipstaff.lexical.analysis import query_terms
from tipstaff.lexical.bm25 import best
from tipstaff.lexical.bm25 import scores as bm25_scores
from tipstaff.store.store import OpenIndex

Wanted = npt.NDArray[np.int16]
EmbedQuery = Callable[[str], Wanted]
Scores = dict[int, float]

# How far down each ranking is read; scores are scaled between the first and this place.
DEPTH = 100
# Cormack, Clarke and Büttcher's constant: how little the first places differ.
_RRF_RANK = 60


def rank(
    query: str,
    *,
    index: OpenIndex,
    scope: Scope,
    options: RetrievalOptions,
    embed: EmbedQuery,
    also: Collection[int] = (),
) -> Ranking:
    """The passages of a scope, best first, as deep as both rankings were read; and those of
    `also`, wherever they stand."""
    depth = max(DEPTH, options.top_k)
    keyword = _NO_HITS if options.method is Method.VECTOR else _by_keyword(query, index, scope)
    vector: Scores = {}
    wanted = None
    if options.method is not Method.KEYWORD:
        wanted = embed(query)
        nearest = index.nearest(wanted, scope, depth)
        vector = _pairs(nearest.chunks, cosine(nearest.dots))
    joined = _joined(keyword, vector, options, depth)
    if also:
        extra = _beyond(also, keyword, wanted, index=index, method=options.method)
        joined = extra | joined
    order = [number for number in joined if joined[number] >= options.min_chunk_score]
    order.sort(key=lambda number: (-joined[number], number))
    if wanted is not None:
        vector |= _similarities([number for number in order if number not in vector], wanted, index)
    return Ranking(
        query=query,
        source=index,
        order=order,
        keyword=None if options.method is Method.VECTOR else keyword.of(order),
        vector=None if options.method is Method.KEYWORD else vector,
        hybrid=joined if options.method is Method.HYBRID else None,
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Ranking(Sequence[Found]):
    """Passages in order. Their words are read when they are asked for: a search reads two
    hundred places and uses ten."""

    query: str
    source: OpenIndex
    order: Sequence[int]
    keyword: Scores | None
    vector: Scores | None
    hybrid: Scores | None

    def __len__(self) -> int:
        return len(self.order)

    @overload
    def __getitem__(self, place: int) -> Found: ...
    @overload
    def __getitem__(self, place: slice) -> list[Found]: ...
    def __getitem__(self, place: int | slice) -> Found | list[Found]:
        if isinstance(place, int):
            return self._found([self.order[place]])[0]
        return self._found(self.order[place])

    def __iter__(self) -> Iterator[Found]:
        return iter(self[:])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and self[:] == list(other)

    __hash__ = None  # type: ignore[assignment]  # it equals lists, which have none

    def reaches(self, *, keyword: float, vector: float, within: int) -> bool:
        """Whether one of the first passages scores as much by its words or by its meaning."""
        by_word, by_meaning = self.keyword or {}, self.vector or {}
        return any(
            by_word.get(number, 0.0) >= keyword or by_meaning.get(number, 0.0) >= vector
            for number in self.order[:within]
        )

    def _found(self, numbers: Sequence[int]) -> list[Found]:
        chunks = self.source.chunks(numbers)
        return [
            Found(
                number=number,
                chunk=chunk,
                keyword_score=None if self.keyword is None else self.keyword[number],
                vector_score=None if self.vector is None else self.vector[number],
                hybrid_score=None if self.hybrid is None else self.hybrid[number],
                queries=(self.query,),
            )
            for number, chunk in zip(numbers, chunks, strict=True)
        ]


@dataclass(frozen=True, slots=True)
class KeywordHits:
    """Every chunk with any of the terms, ascending, and its score; kept as arrays, because in a
    large bundle a common word has tens of thousands of them."""

    chunks: npt.NDArray[np.int32]
    values: npt.NDArray[np.float64]

    def first(self, depth: int) -> Scores:
        chosen = best(self.chunks, self.values, depth)
        return _pairs(self.chunks[chosen], self.values[chosen])

    def of(self, numbers: Sequence[int]) -> Scores:
        """The scores of these chunks, 0 where no term occurs."""
        if not len(self.chunks):
            return dict.fromkeys(numbers, 0.0)
        wanted = np.array(numbers, np.int32)
        places = np.minimum(np.searchsorted(self.chunks, wanted), len(self.chunks) - 1)
        values = np.where(self.chunks[places] == wanted, self.values[places], 0.0)
        return _pairs(wanted, values)


_NO_HITS = KeywordHits(np.empty(0, np.int32), np.empty(0, np.float64))


def ranking_name(options: RetrievalOptions) -> str:
    """As the transparency extension names it."""
    if options.method is Method.VECTOR:
        return "cosine"
    if options.method is Method.KEYWORD:
        return "bm25"
    return "rrf" if options.fusion == "rrf" else "hybrid"


def _by_keyword(query: str, index: OpenIndex, scope: Scope) -> KeywordHits:
    postings = index.postings(query_terms(query), scope)
    chunks, values = bm25_scores(
        postings, chunk_count=scope.chunk_count, total_length=scope.total_length
    )
    return KeywordHits(chunks, values)


def _joined(keyword: KeywordHits, vector: Scores, options: RetrievalOptions, depth: int) -> Scores:
    """One score a passage, from the first places of each ranking."""
    first_keyword = keyword.first(depth)
    if options.method is Method.KEYWORD:
        return first_keyword
    if options.method is Method.VECTOR:
        return vector
    weights = ((first_keyword, 1 - options.vector_weight), (vector, options.vector_weight))
    fuse = _by_rank if options.fusion == "rrf" else _scaled
    joined: Scores = {}
    for scores, weight in weights:
        for number, value in fuse(scores, whole=len(scores) < depth).items():
            joined[number] = joined.get(number, 0.0) + weight * value
    return joined


def _scaled(scores: Scores, *, whole: bool) -> Scores:
    """From 0 to 1 between the last and the first place. Where the ranking holds every passage
    that it found at all, nothing was cut off and 0 stays 0."""
    if not scores:
        return {}
    highest = max(scores.values())
    lowest = min(scores.values()) if not whole else 0.0
    if highest == 0:
        return scores  # a query that resembles nothing: no passage is the best of them
    if highest == lowest:
        return dict.fromkeys(scores, 1.0)
    return {number: (value - lowest) / (highest - lowest) for number, value in scores.items()}


def _by_rank(scores: Scores, *, whole: bool) -> Scores:  # noqa: ARG001 (one shape for both)
    order = sorted(scores, key=lambda number: (-scores[number], number))
    return {number: (_RRF_RANK + 1) / (_RRF_RANK + place) for place, number in enumerate(order, 1)}


def _beyond(
    numbers: Collection[int],
    keyword: KeywordHits,
    wanted: Wanted | None,
    *,
    index: OpenIndex,
    method: Method,
) -> Scores:
    """The scores of passages that stand too far down to be read: in a joined ranking 0, as for
    any passage that neither half has among its first."""
    if method is Method.HYBRID:
        return dict.fromkeys(numbers, 0.0)
    if wanted is None:
        return keyword.of(list(numbers))
    return _similarities(list(numbers), wanted, index)


def _similarities(numbers: Sequence[int], wanted: Wanted, index: OpenIndex) -> Scores:
    """Of passages that only the keywords found, so that every score is shown."""
    if not numbers:
        return {}
    rows = index.vectors(numbers).astype(np.int64)
    return _pairs(np.array(numbers), cosine(rows @ wanted.astype(np.int64)))


def _pairs(numbers: npt.NDArray[np.int32], values: npt.NDArray[np.float64]) -> Scores:
    return dict(zip(numbers.tolist(), values.tolist(), strict=True))
