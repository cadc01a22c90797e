"""What every store promises, whatever keeps its data.

`faults_of(store)` is empty for a good store. It writes under tenants of its own and removes
what it wrote. The promise that matters most is the scope's: a search that may see some items
equals, bit for bit, a search of an index that holds nothing else (Enterprise §3.5, §10.1).
"""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import astuple

import numpy as np
import numpy.typing as npt

from tipstaff.contracts.index_samples import (
    chance_of,
    index_contents,
    part_of,
    query_text,
    query_vector,
)
from tipstaff.domain.retrieval import Method, RetrievalOptions
from tipstaff.domain.scope import Filter, Scope
from tipstaff.lexical.bm25 import best
from tipstaff.retrieve.ranking import rank
from tipstaff.store.store import IndexContents, IndexKey, OpenIndex, Store

TENANT = "contract"
OTHER_TENANT = "contract / ../Ünlike"
_TEZ = "Tez №1: a 'quoted'; name"
_WRITERS = 4

Row = tuple[object, ...]


def faults_of(store: Store, *, seed: int = 0, cases: int = 30) -> list[str]:
    """Every broken promise, in words; the suite's only entry."""
    checks: list[Callable[[Store, random.Random], Iterator[str]]] = [
        _unknown,
        _round_trip,
        _empty,
        _written_twice,
        _several_writers,
        _removal,
        _tenants,
    ]
    faults: list[str] = []
    try:
        for check in checks:
            faults += check(store, chance_of(seed))
            _clear(store)
        for case in range(cases):
            faults += _facts(store, chance_of(seed + case))
            if store.scope_exact:
                faults += _scope(store, chance_of(seed + case))
            _clear(store)
    finally:
        _clear(store)
    return faults


def scope_faults(
    whole: OpenIndex,
    part: OpenIndex,
    item_ids: Collection[str],
    *,
    query: str,
    vector: npt.NDArray[np.int16],
    options: RetrievalOptions,
) -> list[str]:
    """Whether searching `whole` in the scope of some items equals searching `part`, an index of
    these items alone: the same chunks, in the same order, with the same bits in every score."""
    scope = Filter(item_ids=item_ids).scope(whole.items)
    inside = ranked_rows(whole, scope, query=query, vector=vector, options=options)
    alone = ranked_rows(part, Scope(part.items), query=query, vector=vector, options=options)
    if inside == alone:
        return []
    return [f"{query!r} in {sorted(item_ids)} by {options.method}: {inside[:3]} and {alone[:3]}"]


def ranked_rows(
    index: OpenIndex,
    scope: Scope,
    *,
    query: str,
    vector: npt.NDArray[np.int16],
    options: RetrievalOptions,
) -> list[Row]:
    """A ranking as what may be compared between indexes: all but the chunks' numbers."""
    found = rank(query, index=index, scope=scope, options=options, embed=lambda _: vector)
    return [
        (
            one.chunk,
            *(
                None if score is None else score.hex()
                for score in (one.keyword_score, one.vector_score, one.hybrid_score)
            ),
        )
        for one in found
    ]


def options_by_chance(chance: random.Random) -> RetrievalOptions:
    return RetrievalOptions(
        method=chance.choice((Method.HYBRID, Method.HYBRID, Method.VECTOR, Method.KEYWORD)),
        fusion=chance.choice(("weighted", "rrf")),
        vector_weight=chance.choice((0.0, 0.3, 0.5, 0.7, 1.0)),
        top_k=chance.choice((1, 10, 150)),
        min_chunk_score=chance.choice((0.0, 0.0, 0.3)),
    )


def _unknown(store: Store, chance: random.Random) -> Iterator[str]:
    if store.open(_key("nothing")) is not None:
        yield "an index that was never written is there"
    store.write(_key(), index_contents(chance))
    if store.open(_key("nothing")) is not None:
        yield "an index that was never written is there, once another one of its tez is"


def _round_trip(store: Store, chance: random.Random) -> Iterator[str]:
    contents = index_contents(chance)
    index = _written(store, contents)
    every = range(len(contents.chunks))
    if index.items != contents.items:
        yield "items change"
    if (index.embedder, index.dimensions) != (contents.embedder, contents.vectors.shape[1]):
        yield "the embedder's name or its dimensions change"
    backwards = [*reversed(every)]
    if index.chunks(backwards) != [contents.chunks[number] for number in backwards]:
        yield "chunks change, or come in another order than asked for"
    vectors = index.vectors(backwards)
    if vectors.dtype != np.int16 or not np.array_equal(vectors, contents.vectors[backwards]):
        yield "vectors change, or come in another order than asked for"
    if index.chunks([]) != [] or index.vectors([]).shape != (0, index.dimensions):
        yield "no chunks asked for, and some given"


def _empty(store: Store, chance: random.Random) -> Iterator[str]:
    contents = part_of(index_contents(chance), ())
    index = _written(store, contents)
    if index.items or len(index.nearest(query_vector(chance), Scope(()), 5).chunks):
        yield "an index of nothing holds something"
    if any(len(entry.chunks) for entry in index.postings(["w1"], Scope(()))):
        yield "an index of nothing has terms"


def _written_twice(store: Store, chance: random.Random) -> Iterator[str]:
    contents = index_contents(chance)
    before = _written(store, contents)
    store.write(_key(), contents)
    after = store.open(_key())
    every = range(len(contents.chunks))
    if after is None:
        yield "an index that is written again is lost"
        return
    for index in (before, after):
        if index.items != contents.items or index.chunks(every) != list(contents.chunks):
            yield "an index that is written again changes"


def _several_writers(store: Store, chance: random.Random) -> Iterator[str]:
    contents = index_contents(chance)
    other = index_contents(chance)
    jobs = [(_key(), contents), (_key("other"), other)] * _WRITERS
    with ThreadPoolExecutor(len(jobs)) as pool:
        for done in [pool.submit(store.write, *job) for job in jobs]:
            if problem := done.exception():
                yield f"several writers: {problem!r}"
    for key, expected in jobs[:2]:
        index = store.open(key)
        if index is None or index.chunks(range(len(expected.chunks))) != list(expected.chunks):
            yield "several writers at once leave something else than one of them"


def _removal(store: Store, chance: random.Random) -> Iterator[str]:
    digests = ("one", "two", "three")
    for digest in digests:
        store.write(_key(digest), index_contents(chance))
    if store.remove(tenant=TENANT, tez_id=_TEZ, keep="two") != 2:
        yield "removal does not say how many it removed"
    if [store.open(_key(digest)) is not None for digest in digests] != [False, True, False]:
        yield "removal leaves what it should remove, or removes what it should keep"
    if store.remove(tenant=TENANT, tez_id="another tez") or store.open(_key("two")) is None:
        yield "removing one tez touches another"
    if store.remove(tenant=TENANT, tez_id=_TEZ) != 1 or store.open(_key("two")) is not None:
        yield "without a version to keep, removal keeps one"


def _tenants(store: Store, chance: random.Random) -> Iterator[str]:
    """Enterprise §6.2.1: the same tez of two tenants is two things."""
    mine, theirs = index_contents(chance), index_contents(chance)
    store.write(_key(), mine)
    if store.open(_key(tenant=OTHER_TENANT)) is not None:
        yield "a tenant sees another one's index"
    store.write(_key(tenant=OTHER_TENANT), theirs)
    for tenant, expected in ((TENANT, mine), (OTHER_TENANT, theirs)):
        index = store.open(_key(tenant=tenant))
        if index is None or index.chunks(range(len(expected.chunks))) != list(expected.chunks):
            yield "what one tenant writes changes another one's index"
    store.remove(tenant=OTHER_TENANT, tez_id=_TEZ)
    if store.open(_key()) is None:
        yield "what one tenant removes is gone for another"


def _facts(store: Store, chance: random.Random) -> Iterator[str]:
    """Postings and similarity, against the same worked out by hand, in filtered scopes."""
    contents = index_contents(chance, most_chunks=chance.choice((3, 12, 40)))
    index = _written(store, contents)
    for chosen in (
        Filter(),
        Filter(item_types={"email", "data"}),
        Filter(metadata={"source": "desk"}),
        Filter(item_ids={"item-0", "item-2", "item-3"}),
    ):
        scope = chosen.scope(index.items)
        yield from _postings(index, contents, scope)
        for limit in (1, 5, 100):
            query = query_vector(chance)
            yield from _nearest(store, index, contents, scope, query=query, limit=limit)


def _postings(index: OpenIndex, contents: IndexContents, scope: Scope) -> Iterator[str]:
    terms = ["w0", "w999", "w3"]
    numbers = _numbers(scope)
    for term, found in zip(terms, index.postings(terms, scope), strict=True):
        holding = [number for number in numbers if term in contents.counts[number]]
        expected = (
            holding,
            [contents.counts[number][term] for number in holding],
            [sum(contents.counts[number].values()) for number in holding],
        )
        if tuple(part.tolist() for part in astuple(found)) != expected:
            yield f"postings of {term!r} are not those of the scope"


def _nearest(
    store: Store,
    index: OpenIndex,
    contents: IndexContents,
    scope: Scope,
    *,
    query: npt.NDArray[np.int16],
    limit: int,
) -> Iterator[str]:
    found = index.nearest(query, scope, limit)
    numbers = np.array(_numbers(scope), np.int64)
    dots = contents.vectors.astype(np.int64) @ query.astype(np.int64)
    chosen = numbers[best(numbers, dots[numbers], limit)]
    if found.dots.tolist() != dots[found.chunks].tolist():
        yield "products with the query are not exact"
    if not {*found.chunks.tolist()} <= {*numbers.tolist()} or len(found.chunks) > limit:
        yield "the nearest are outside the scope, or more than asked for"
    if store.scope_exact and found.chunks.tolist() != chosen.tolist():
        yield "the nearest are others, or equal ones are not in order"
    order = sorted(found.chunks.tolist(), key=lambda number: (-dots[number], number))
    if found.chunks.tolist() != order:
        yield "the nearest are not in order"


def _scope(store: Store, chance: random.Random) -> Iterator[str]:
    contents = index_contents(chance, most_chunks=chance.choice((3, 12, 40)))
    ids = {item.id for item in contents.items if chance.random() < 0.5}
    whole = _written(store, contents)
    part = _written(store, part_of(contents, ids), _key("part"))
    for _ in range(3):
        yield from scope_faults(
            whole,
            part,
            ids,
            query=query_text(chance),
            vector=query_vector(chance),
            options=options_by_chance(chance),
        )


def _numbers(scope: Scope) -> list[int]:
    return [
        number for item in scope.items for number in range(item.first, item.first + item.chunks)
    ]


def _key(digest: str = "digest", *, tenant: str = TENANT) -> IndexKey:
    return IndexKey(tenant=tenant, tez_id=_TEZ, digest=digest)


def _written(store: Store, contents: IndexContents, key: IndexKey | None = None) -> OpenIndex:
    store.write(key or _key(), contents)
    index = store.open(key or _key())
    if index is None:
        raise AssertionError("an index was written and is not there")
    return index


def _clear(store: Store) -> None:
    for tenant in (TENANT, OTHER_TENANT):
        store.remove(tenant=tenant, tez_id=_TEZ)
