"""From a ranking to a result: ranked again if wanted, different from each other, with
neighbours."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from tipstaff.domain.retrieval import Found, RetrievalOptions, ranked
from tipstaff.domain.scope import Scope
from tipstaff.embed.whole_numbers import cosine
from tipstaff.retrieve.reranker import Reranker
from tipstaff.store.store import OpenIndex

# How many passages a reranker reads for each that is wanted.
_RERANKED_PER_RESULT = 3


def select(
    query: str,
    found: Sequence[Found],
    *,
    index: OpenIndex,
    scope: Scope,
    options: RetrievalOptions,
    reranker: Reranker | None,
) -> tuple[Found, ...]:
    """The passages that are used, best first, at most `top_k` and their neighbours."""
    candidates = found
    if reranker is not None:
        candidates = _reranked(query, found[: options.top_k * _RERANKED_PER_RESULT], reranker)
    if options.diversity > 0:
        candidates = _diverse(candidates, index, options)
    chosen = ranked(list(candidates[: options.top_k]))
    return chosen + _beside(chosen, index, scope, options.neighbours)


def _reranked(query: str, found: Sequence[Found], reranker: Reranker) -> list[Found]:
    texts = [f"{one.chunk.context}\n{one.chunk.text}".strip() for one in found]
    scored = [
        replace(one, rerank_score=min(max(score, 0.0), 1.0))
        for one, score in zip(found, reranker.scores(query, texts), strict=True)
    ]
    return sorted(scored, key=lambda one: (-one.score, one.number))


def _diverse(found: Sequence[Found], index: OpenIndex, options: RetrievalOptions) -> list[Found]:
    """Maximal marginal relevance: what a passage adds to those above it."""
    left = list(found[: max(100, options.top_k)])
    if not left:
        return left
    vectors = index.vectors([one.number for one in left]).astype(np.int64)
    alike = cosine(vectors @ vectors.T)
    rows = list(range(len(left)))
    chosen: list[int] = []
    while rows and len(chosen) < options.top_k:
        gains = [
            (
                (1 - options.diversity) * left[row].score
                - options.diversity * max((alike[row][other] for other in chosen), default=0.0),
                -row,
            )
            for row in rows
        ]
        row = -max(gains)[1]
        chosen.append(row)
        rows.remove(row)
    return [left[row] for row in chosen]


def _beside(
    chosen: Sequence[Found], index: OpenIndex, scope: Scope, distance: int
) -> tuple[Found, ...]:
    """The passages just before and after, of the same item, that were not found themselves."""
    if distance == 0:
        return ()
    taken = {one.number for one in chosen}
    wanted: dict[int, str] = {}
    for one in chosen:
        item = scope.item_of(one.number)
        for number in range(one.number - distance, one.number + distance + 1):
            inside = item.first <= number < item.first + item.chunks
            if inside and number not in taken:
                wanted.setdefault(number, one.chunk.chunk_id)
    chunks = index.chunks(list(wanted))
    return tuple(
        Found(number=number, chunk=chunk, rank=len(chosen) + place, beside=wanted[number])
        for place, (number, chunk) in enumerate(zip(wanted, chunks, strict=True), start=1)
    )
