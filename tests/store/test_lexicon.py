"""Terms and where they occur, against a dictionary; and the same for equally similar passages."""

from __future__ import annotations

from dataclasses import astuple

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tipstaff.domain.scope import IndexedItem, Scope
from tipstaff.lexical.bm25 import best
from tipstaff.store import lexicon
from tipstaff.store.lexicon import Lexicon, lexicon_sections, numbers_of
from tipstaff.store.ties import Answer, nearest_in_order

words = st.text("abcé漢0-", min_size=1, max_size=3)
chunk_terms = st.dictionaries(words, st.integers(1, 9), max_size=5)
indexes = st.lists(st.lists(chunk_terms, max_size=4), max_size=6)


def items_of(bundle: list[list[dict[str, int]]]) -> list[IndexedItem]:
    items, first = [], 0
    for number, chunks in enumerate(bundle):
        items.append(
            IndexedItem(
                id=f"item-{number}",
                type="document",
                title="",
                first=first,
                chunks=len(chunks),
                length=sum(sum(terms.values()) for terms in chunks),
                tokens=0,
            )
        )
        first += len(chunks)
    return items


def expected(
    counts: list[dict[str, int]], scope: Scope, term: str
) -> tuple[list[int], list[int], list[int]]:
    held = [
        number
        for low, high in scope.ranges()
        for number in range(low, high)
        if term in counts[number]
    ]
    return (
        held,
        [counts[number][term] for number in held],
        [sum(counts[number].values()) for number in held],
    )


@given(indexes, st.sets(st.integers(0, 5)), st.lists(words, max_size=4))
def test_postings_are_those_of_the_scope(
    bundle: list[list[dict[str, int]]], chosen: set[int], asked: list[str]
) -> None:
    counts = [terms for chunks in bundle for terms in chunks]
    scope = Scope(tuple(item for n, item in enumerate(items_of(bundle)) if n in chosen))
    found = Lexicon(lexicon_sections(counts)).postings(asked, scope)
    for term, postings in zip(asked, found, strict=True):
        assert tuple(part.tolist() for part in astuple(postings)) == expected(counts, scope, term)


@given(indexes, st.lists(words, max_size=4))
def test_terms_whose_hashes_are_equal_are_told_apart_by_name(
    bundle: list[list[dict[str, int]]], asked: list[str]
) -> None:
    counts = [terms for chunks in bundle for terms in chunks]
    scope = Scope(tuple(items_of(bundle)))
    original = lexicon._hash
    lexicon._hash = len  # type: ignore[assignment]
    try:
        found = Lexicon(lexicon_sections(counts)).postings(asked, scope)
    finally:
        lexicon._hash = original
    for term, postings in zip(asked, found, strict=True):
        assert tuple(part.tolist() for part in astuple(postings)) == expected(counts, scope, term)


@given(st.lists(st.integers(-3, 3), max_size=40), st.integers(1, 12), st.randoms())
def test_equally_similar_passages_come_in_order_whatever_the_searcher_returns(
    values: list[int], limit: int, chance: object
) -> None:
    """A searcher may return any of those that tie, in any order."""
    dots = np.array(values, np.float64)
    numbers = np.arange(len(values), dtype=np.int32)

    def ask(count: int) -> Answer:
        mixed = [*range(len(values))]
        chance.shuffle(mixed)  # type: ignore[attr-defined]
        mixed.sort(key=lambda number: -values[number])
        chosen = np.array(mixed[:count], np.intp)
        return numbers[chosen], dots[chosen]

    found = nearest_in_order(ask, limit=limit, chunk_count=len(values))
    assert found.chunks.tolist() == numbers[best(numbers, dots, limit)].tolist()


@given(st.lists(st.tuples(st.integers(0, 50), st.integers(0, 9)), max_size=12))
def test_the_numbers_of_ranges_are_those_of_each_in_turn(pairs: list[tuple[int, int]]) -> None:
    starts = np.array([start for start, _ in pairs], np.int32)
    ends = np.array([start + length for start, length in pairs], np.int32)
    expected = [number for start, length in pairs for number in range(start, start + length)]
    assert numbers_of(starts, ends).tolist() == expected
