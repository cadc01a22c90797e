"""One query against one scope: the keyword ranking, the vector ranking, and both as one.

Every number comes from the scope's own chunks (docs/decisions/0008), so a search in a scope
equals a search of a bundle that holds nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from tipstaff.domain.retrieval import Found, Method, RetrievalOptions
from tipstaff.domain.scope import Scope
from tipstaff.embed.whole_numbers import cosine
from tipstaff.lexical.analysis import query_terms
from tipstaff.lexical.bm25 import best
from tipstaff.lexical.bm25 import scores as bm25_scores
from tipstaff.store.store import OpenIndex

EmbedQuery = Callable[[str], npt.NDArray[np.int16]]
Scores = dict[int, float]

# How far down each ranking is read; scores are scaled between the first and this place.
DEPTH = 100
# Cormack, Clarke and Büttcher's constant: how little the first places differ.
_RRF_RANK = 60


def rank(
    query: str, *, index: OpenIndex, scope: Scope, options: RetrievalOptions, embed: EmbedQuery
) -> list[Found]:
    """The passages of a scope, best first, as deep as both rankings were read."""
    depth = max(DEPTH, options.top_k)
    keyword = {} if options.method is Method.VECTOR else _by_keyword(query, index, scope)
    vector: Scores = {}
    if options.method is not Method.KEYWORD:
        wanted = embed(query)
        nearest = index.nearest(wanted, scope, depth)
        vector = _pairs(nearest.chunks, cosine(nearest.dots))
    joined = _joined(keyword, vector, options, depth)
    order = sorted(joined, key=lambda number: (-joined[number], number))
    if options.method is Method.HYBRID:
        _complete(vector, order, wanted, index)
    chunks = index.chunks(order)
    return [
        Found(
            number=number,
            chunk=chunk,
            keyword_score=None if options.method is Method.VECTOR else keyword.get(number, 0.0),
            vector_score=None if options.method is Method.KEYWORD else vector[number],
            hybrid_score=joined[number] if options.method is Method.HYBRID else None,
            queries=(query,),
        )
        for number, chunk in zip(order, chunks, strict=True)
        if joined[number] >= options.min_chunk_score
    ]


def ranking_name(options: RetrievalOptions) -> str:
    """As the transparency extension names it."""
    if options.method is Method.VECTOR:
        return "cosine"
    if options.method is Method.KEYWORD:
        return "bm25"
    return "rrf" if options.fusion == "rrf" else "hybrid"


def _by_keyword(query: str, index: OpenIndex, scope: Scope) -> Scores:
    postings = index.postings(query_terms(query), scope)
    chunks, values = bm25_scores(
        postings, chunk_count=scope.chunk_count, total_length=scope.total_length
    )
    return _pairs(chunks, values)


def _joined(keyword: Scores, vector: Scores, options: RetrievalOptions, depth: int) -> Scores:
    """One score a passage, from the first places of each ranking."""
    first_keyword = _first(keyword, depth)
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
    if highest == lowest:
        return dict.fromkeys(scores, 1.0)
    return {number: (value - lowest) / (highest - lowest) for number, value in scores.items()}


def _by_rank(scores: Scores, *, whole: bool) -> Scores:  # noqa: ARG001 (one shape for both)
    order = sorted(scores, key=lambda number: (-scores[number], number))
    return {number: (_RRF_RANK + 1) / (_RRF_RANK + place) for place, number in enumerate(order, 1)}


def _first(scores: Scores, depth: int) -> Scores:
    if len(scores) <= depth:
        return scores
    numbers = np.fromiter(scores, np.int32, len(scores))
    values = np.fromiter(scores.values(), np.float64, len(scores))
    return {int(numbers[at]): float(values[at]) for at in best(numbers, values, depth)}


def _complete(
    vector: Scores, order: Sequence[int], wanted: npt.NDArray[np.int16], index: OpenIndex
) -> None:
    """The similarity of passages that only the keywords found, so that every score is shown."""
    missing = [number for number in order if number not in vector]
    if missing:
        rows = index.vectors(missing).astype(np.int64)
        vector |= _pairs(np.array(missing), cosine(rows @ wanted.astype(np.int64)))


def _pairs(numbers: npt.NDArray[np.int32], values: npt.NDArray[np.float64]) -> Scores:
    return dict(zip(numbers.tolist(), values.tolist(), strict=True))
