"""How much goes before a model: whole, passages, or three tiers (TIP §10.2)."""

from __future__ import annotations

import pytest

from tests.retrieve.small_index import LEASE, index_of, searcher
from tipstaff.domain.retrieval import RetrievalOptions
from tipstaff.domain.scope import Scope
from tipstaff.retrieve.loading import LoadedContext, load, loading_strategy_for, named_items
from tipstaff.store.embedded import EmbeddedIndex

SUMMARIES = {"lease": "What the tenant owes.", "letters": "Who wrote what."}
SMALL = index_of(LEASE, tokens=50)
SMALL_TOKENS = Scope(SMALL.items).tokens
MEDIUM = index_of(LEASE, tokens=5_000)
LARGE = index_of(LEASE, tokens=60_000, summaries=SUMMARIES)


def loaded(index: EmbeddedIndex, query: str, *, window: int, reserved: int = 0) -> LoadedContext:
    return load(
        searcher(index).search(query, RetrievalOptions(top_k=3)),
        index=index,
        scope=Scope(index.items),
        window_tokens=window,
        reserved_tokens=reserved,
    )


@pytest.mark.parametrize(
    ("tokens", "window", "expected"),
    [
        (32_767, 200_000, "full"),
        (32_768, 200_000, "rag"),
        (4_000, 8_000, "rag"),
        (3_999, 8_000, "full"),
        (500_000, 1_000_000, "rag"),
        (500_001, 1_000_000, "tiered"),
    ],
)
def test_the_bounds_follow_the_specification_and_the_window(
    tokens: int, window: int, expected: str
) -> None:
    assert loading_strategy_for(context_tokens=tokens, window_tokens=window) == expected


def test_a_small_context_is_loaded_whole() -> None:
    context = loaded(SMALL, "the roof", window=128_000)
    assert (context.strategy, len(context.whole), context.passages) == ("full", 10, ())


def test_of_a_medium_context_the_found_passages_are_loaded() -> None:
    context = loaded(MEDIUM, "the roof", window=128_000)
    assert (context.strategy, len(context.passages), context.whole) == ("rag", 3, ())


def test_what_does_not_fit_is_not_loaded() -> None:
    context = loaded(MEDIUM, "the roof", window=12_000, reserved=1_000)
    assert (context.strategy, len(context.passages)) == ("rag", 2)
    assert context.tokens <= 11_000


def test_of_a_large_context_summaries_are_always_loaded() -> None:
    context = loaded(LARGE, "the roof", window=1_000_000)
    assert context.strategy == "tiered"
    assert {item.id: text for item, text in context.summaries} == SUMMARIES
    assert len(context.passages) == 3
    assert context.whole == ()


def test_an_item_that_is_named_is_loaded_whole() -> None:
    context = loaded(LARGE, "What does the survey report say?", window=1_000_000)
    seen = {chunk.chunk_id for chunk in (*context.passages, *context.whole)}
    assert {"survey-report-1", "survey-report-2", "survey-report-3"} <= seen
    assert context.cut == ()
    assert not {c.chunk_id for c in context.passages} & {c.chunk_id for c in context.whole}


def test_a_named_item_that_does_not_fit_is_cut_and_that_is_said() -> None:
    context = loaded(LARGE, "What does the survey report say?", window=270_000)
    assert context.cut == ("survey-report",)
    assert context.tokens <= 270_000


def test_summaries_take_their_room_from_the_passages() -> None:
    full = loaded(LARGE, "the roof", window=180_000)
    assert len(full.passages) == 2  # three would fit without the summaries
    assert full.tokens <= 180_000


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("What does the survey-report say?", ["survey-report"]),
        ("Summarise the Survey Report.", ["survey-report"]),
        ("survey_report", ["survey-report"]),
        ("Did the surveyor report it?", []),
        ("What do the letters say?", ["letters"]),
        ("Is the lease long?", []),  # a common short word names nothing
    ],
)
def test_items_are_named_by_id_or_title(query: str, expected: list[str]) -> None:
    assert [item.id for item in named_items(query, LARGE.items)] == expected


def test_the_context_alone_is_measured_whatever_else_stands_in_the_window() -> None:
    """TIP §10.2.1: what is below the bound is loaded whole where it fits."""
    reserved = 5 * SMALL_TOKENS
    context = loaded(SMALL, "the roof", window=reserved + SMALL_TOKENS, reserved=reserved)
    assert (context.strategy, len(context.whole)) == ("full", 10)
    context = loaded(SMALL, "the roof", window=reserved + SMALL_TOKENS, reserved=reserved + 1)
    assert (context.strategy, len(context.passages)) == ("rag", 3)
