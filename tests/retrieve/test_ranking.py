"""One ranking from two: what is read, what is shown, what equals what."""

from __future__ import annotations

import pytest

from tests.retrieve.small_index import LEASE, embed, index_of
from tipstaff.domain.retrieval import Found, Method, RetrievalOptions
from tipstaff.domain.scope import Filter, Scope
from tipstaff.retrieve.ranking import Ranking, rank, ranking_name

INDEX = index_of(LEASE)


def ranking(query: str, *, scope: Scope | None = None, **options: object) -> Ranking:
    return rank(
        query,
        index=INDEX,
        scope=scope or Scope(INDEX.items),
        options=RetrievalOptions(**options),  # type: ignore[arg-type]
        embed=embed,
    )


def test_the_passage_that_speaks_of_it_comes_first() -> None:
    assert ranking("monthly rent of the warehouse")[0].chunk.chunk_id == "lease-1"


@pytest.mark.parametrize("method", list(Method))
@pytest.mark.parametrize("fusion", ["weighted", "rrf"])
def test_every_score_lies_between_0_and_1(method: Method, fusion: str) -> None:
    for one in ranking("who pays for the roof", method=method, fusion=fusion):
        for score in (one.keyword_score, one.vector_score, one.hybrid_score):
            assert score is None or 0 <= score <= 1


@pytest.mark.parametrize("method", [Method.HYBRID, Method.VECTOR])
def test_a_query_that_resembles_nothing_scores_nothing(method: Method) -> None:
    assert {one.score for one in ranking("????", method=method)} <= {0.0}


def test_only_the_scores_of_the_method_are_shown() -> None:
    keyword = ranking("roof", method=Method.KEYWORD)[0]
    assert (keyword.vector_score, keyword.hybrid_score) == (None, None)
    vector = ranking("roof", method=Method.VECTOR)[0]
    assert (vector.keyword_score, vector.hybrid_score) == (None, None)
    assert None not in (
        (one := ranking("roof")[0]).keyword_score,
        one.vector_score,
        one.hybrid_score,
    )


def test_a_ranking_reads_the_words_of_those_passages_only_that_are_taken() -> None:
    read: list[int] = []

    class Watching:
        def __getattr__(self, name: str) -> object:
            return getattr(INDEX, name)

        def chunks(self, numbers: list[int]) -> object:
            read.extend(numbers)
            return INDEX.chunks(numbers)

    found = rank(
        "roof",
        index=Watching(),  # type: ignore[arg-type]
        scope=Scope(INDEX.items),
        options=RetrievalOptions(),
        embed=embed,
    )
    assert len(found) == 10
    assert read == []
    assert [one.number for one in found[:2]] == read


def test_a_ranking_equals_the_list_of_its_passages() -> None:
    found = ranking("roof")
    assert found == list(found)
    assert found == ranking("roof")
    assert found != ranking("rent")


def test_a_search_in_a_scope_equals_a_search_of_that_scope_alone() -> None:
    some = {"lease": LEASE["lease"], "letters": LEASE["letters"]}
    alone = index_of(some)
    inside = ranking("notice given too late", scope=Filter(item_ids=set(some)).scope(INDEX.items))
    outside = rank(
        "notice given too late",
        index=alone,
        scope=Scope(alone.items),
        options=RetrievalOptions(),
        embed=embed,
    )

    def shown(found: Ranking) -> list[tuple[object, ...]]:
        return [(o.chunk.chunk_id, o.keyword_score, o.vector_score, o.hybrid_score) for o in found]

    assert shown(inside) == shown(outside)


@pytest.mark.parametrize("method", list(Method))
def test_weak_passages_are_left_out(method: Method) -> None:
    every = ranking("water damage below the gutters", method=method)
    strong = ranking("water damage below the gutters", method=method, min_chunk_score=0.3)
    assert 0 < len(strong) < len(every)
    assert all(one.score >= 0.3 for one in strong)
    assert strong == [one for one in every if one.score >= 0.3]


@pytest.mark.parametrize("method", list(Method))
def test_a_passage_that_is_asked_for_is_scored_wherever_it_stands(method: Method) -> None:
    found = rank(
        "lunch",
        index=INDEX,
        scope=Scope(INDEX.items),
        options=RetrievalOptions(method=method),
        embed=embed,
        also=[0],
    )
    one = next(one for one in found if one.number == 0)
    assert isinstance(one, Found)
    assert one.score == pytest.approx(0, abs=0.3)
    assert one.keyword_score in (None, 0.0)


def test_rankings_have_the_names_of_the_extension() -> None:
    names = {
        ranking_name(RetrievalOptions(method=method, fusion=fusion))
        for method in Method
        for fusion in ("weighted", "rrf")
    }
    assert names == {"cosine", "bm25", "hybrid", "rrf"}
