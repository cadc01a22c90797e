"""From a ranking to a result: diversity, neighbours, a reranker."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from tests.retrieve.small_index import LEASE, index_of, searcher
from tipstaff.domain.retrieval import RetrievalOptions, Strategy
from tipstaff.domain.scope import Scope
from tipstaff.errors import UsageError
from tipstaff.retrieve.reranker import reranker_named

INDEX = index_of(LEASE)


class Longest:
    """Likes long passages, beyond all measure."""

    name = "longest"

    def __init__(self) -> None:
        self.read: list[str] = []

    def scores(self, query: str, passages: Sequence[str]) -> list[float]:  # noqa: ARG002
        self.read += passages
        return [len(passage) / 60 for passage in passages]


def test_a_reranker_decides_and_its_scores_stay_in_bounds() -> None:
    reranker = Longest()
    done = searcher(INDEX, reranker=reranker).search("the roof", RetrievalOptions(top_k=3))
    assert len(reranker.read) == 9
    assert done.reranker == "longest"
    scores = [one.rerank_score for one in done.found]
    assert all(score is not None and 0 <= score <= 1 for score in scores)
    assert [one.score for one in done.found] == scores == sorted(scores, reverse=True)  # type: ignore[type-var]
    assert all(one.trace(done.method).reranked for one in done.found)


def test_an_unknown_reranker_is_refused() -> None:
    assert reranker_named("none") is None
    with pytest.raises(UsageError):
        reranker_named("nosuch")


def test_diversity_prefers_a_passage_that_adds_something() -> None:
    index = index_of(
        {
            "notes": [
                "The roof leaks at the north gutter.",
                "The roof leaks at the north gutter again.",
                "Roof repairs cost 18,500 euros.",
            ]
        }
    )
    plain = searcher(index).search("roof leaks", RetrievalOptions(top_k=2))
    diverse = searcher(index).search("roof leaks", RetrievalOptions(top_k=2, diversity=0.7))
    assert [one.number for one in plain.found] == [0, 1]
    assert [one.number for one in diverse.found] == [0, 2]


def test_neighbours_come_behind_and_say_beside_whom_they_stand() -> None:
    done = searcher(INDEX).search("surveyor water damage", RetrievalOptions(top_k=1, neighbours=1))
    first, beside = done.found
    assert first.chunk.chunk_id == "survey-report-1"
    assert (beside.chunk.chunk_id, beside.beside, beside.rank) == (
        "survey-report-2",
        "survey-report-1",
        2,
    )
    assert not beside.is_scored


@pytest.mark.parametrize("strategy", [Strategy.SINGLE_PASS, Strategy.MULTI_PASS])
def test_neighbours_never_leave_the_scope(strategy: Strategy) -> None:
    only = replace(searcher(INDEX), scope=Scope(INDEX.items[1:2]))
    done = only.search(
        "What about the roof and what about the heating?",
        RetrievalOptions(strategy=strategy, top_k=3, neighbours=5),
    )
    assert {one.chunk.item_id for one in done.found} == {"survey-report"}
