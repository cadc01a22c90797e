"""BM25 beside another implementation, and its own promises."""

from __future__ import annotations

import itertools
from collections import Counter

import bm25s
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tipstaff.domain.scope import IndexedItem, Scope
from tipstaff.lexical.bm25 import K1, B, best, scores
from tipstaff.store.lexicon import Lexicon, lexicon_sections

WORDS = [f"w{number}" for number in range(12)]
corpora = st.lists(
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=30), min_size=2, max_size=25
)
queries = st.lists(st.sampled_from([*WORDS, "unheard"]), min_size=1, max_size=6, unique=True)


def ours(corpus: list[list[str]], query: list[str]) -> dict[int, float]:
    item = IndexedItem(
        id="a",
        type="document",
        title="a",
        first=0,
        chunks=len(corpus),
        length=sum(map(len, corpus)),
        tokens=0,
    )
    scope = Scope((item,))
    lexicon = Lexicon(lexicon_sections([dict(Counter(words)) for words in corpus]))
    chunks, values = scores(
        lexicon.postings(sorted(query), scope),
        chunk_count=scope.chunk_count,
        total_length=scope.total_length,
    )
    return dict(zip(chunks.tolist(), values.tolist(), strict=True))


def theirs(corpus: list[list[str]], query: list[str]) -> list[float]:
    other = bm25s.BM25(method="lucene", k1=K1, b=B)
    other.index(corpus, show_progress=False)
    found: list[float] = other.get_scores([word for word in query if word != "unheard"]).tolist()
    return found


@settings(max_examples=150)
@given(corpora, queries)
def test_scores_are_proportional_to_another_implementations(
    corpus: list[list[str]], query: list[str]
) -> None:
    if not any(word in words for words in corpus for word in query):
        assert ours(corpus, query) == {}
        return
    # Theirs knows only words that occur.
    known = [word for word in query if any(word in words for words in corpus)]
    expected, found = theirs(corpus, known), ours(corpus, query)
    assert set(found) == {number for number, value in enumerate(expected) if value > 0}
    ratios = [expected[number] / value for number, value in found.items()]
    assert ratios == pytest.approx([ratios[0]] * len(ratios), rel=1e-4)


@settings(max_examples=150)
@given(corpora, queries)
def test_the_ranking_is_another_implementations(corpus: list[list[str]], query: list[str]) -> None:
    known = [word for word in query if any(word in words for words in corpus)]
    found = ours(corpus, query)
    if not known:
        return
    expected = theirs(corpus, known)
    order = sorted(found, key=lambda number: (-found[number], number))
    # Theirs are 32-bit floats: equal ones may differ in the last place.
    values = [expected[number] for number in order]
    assert all(a >= b - 1e-4 for a, b in itertools.pairwise(values))


@given(corpora, queries)
def test_scores_lie_between_0_and_1(corpus: list[list[str]], query: list[str]) -> None:
    assert all(0 < value <= 1 for value in ours(corpus, query).values())


def test_equal_values_stand_in_the_order_of_their_chunks() -> None:
    chunks = np.array([9, 4, 7, 1], np.int32)
    assert chunks[best(chunks, np.array([1.0, 2.0, 2.0, 1.0]), 3)].tolist() == [4, 7, 1]
