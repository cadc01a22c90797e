"""The strategies of Enterprise §5: how many searches, when they stop, and what is said."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest

from tests.retrieve.small_index import LEASE, index_of, searcher
from tipstaff.domain.retrieval import RetrievalOptions, Strategy
from tipstaff.domain.scope import Scope
from tipstaff.errors import ContextTooLarge, UsageError
from tipstaff.retrieve.auto_strategy import chosen_strategy

INDEX = index_of(LEASE)
SIMPLE = "What is the monthly rent?"
SEVERAL = "What is the deposit and who pays for the roof?"
COMPREHENSIVE = "List everything that was said about repairs"


def options(strategy: Strategy, **more: object) -> RetrievalOptions:
    return RetrievalOptions(strategy=strategy, **more)  # type: ignore[arg-type]


def test_single_pass_searches_once() -> None:
    done = searcher(INDEX).search("monthly rent warehouse", options(Strategy.SINGLE_PASS, top_k=3))
    assert (done.iterations, done.sub_queries, len(done.found)) == (1, (), 3)
    assert [one.rank for one in done.found] == [1, 2, 3]
    assert done.found[0].chunk.chunk_id == "lease-1"


def test_a_search_that_hit_little_is_made_again_with_other_words() -> None:
    """TIP §10.2.2: a second pass with a reformulated query."""
    done = searcher(INDEX).search("What about the zebra?", options(Strategy.SINGLE_PASS))
    assert done.iterations == 2
    assert done.sub_queries == ("zebra",)
    assert any("second" in note for note in done.notes)


@pytest.mark.parametrize("strategy", [Strategy.SINGLE_PASS, Strategy.MULTI_PASS])
def test_a_query_without_words_is_not_made_again_with_none(strategy: Strategy) -> None:
    done = searcher(INDEX).search("????", options(strategy))
    assert (done.iterations, done.sub_queries) == (1, ())


def test_exhaustive_says_that_it_takes_more_than_was_asked_for() -> None:
    done = searcher(INDEX).search(SIMPLE, options(Strategy.EXHAUSTIVE, top_k=3))
    assert len(done.found) == 10
    assert any("top_k" in note for note in done.notes)
    done = searcher(INDEX).search(SIMPLE, options(Strategy.EXHAUSTIVE, top_k=10))
    assert done.notes == ()


def test_multi_pass_searches_for_each_aspect() -> None:
    done = searcher(INDEX).search(SEVERAL, options(Strategy.MULTI_PASS, top_k=4))
    assert done.sub_queries == ("What is the deposit", "who pays for the roof")
    ids = [one.chunk.chunk_id for one in done.found]
    assert {"lease-4", "letters-1"} <= set(ids)
    assert len(ids) == len(set(ids)) == 4


def test_multi_pass_ranks_by_relevance_to_the_original_question() -> None:
    whole = searcher(INDEX).search(SEVERAL, options(Strategy.SINGLE_PASS, top_k=10))
    true = {one.number: one.score for one in whole.found}
    done = searcher(INDEX).search(SEVERAL, options(Strategy.MULTI_PASS, top_k=4))
    assert [one.score for one in done.found] == [true[one.number] for one in done.found]
    assert all(a.score >= b.score for a, b in itertools.pairwise(done.found))


def test_multi_pass_says_which_aspect_found_a_passage() -> None:
    done = searcher(INDEX).search(SEVERAL, options(Strategy.MULTI_PASS))
    assert all(set(one.queries) <= set(done.sub_queries) for one in done.found)


def test_a_model_may_take_the_question_apart_within_the_limit() -> None:
    def split(_query: str, _limit: int) -> list[str]:
        return ["roof", " roof ", "", "rent", "heating"]

    done = searcher(INDEX, decompose=split).search(
        SIMPLE, options(Strategy.MULTI_PASS, max_sub_queries=2)
    )
    assert done.sub_queries == ("roof", "rent")


def test_a_question_without_two_aspects_is_searched_once_and_that_is_said() -> None:
    done = searcher(INDEX).search("rent", options(Strategy.MULTI_PASS))
    assert (done.requested, done.strategy) == (Strategy.MULTI_PASS, Strategy.SINGLE_PASS)
    assert any("multi_pass" in note for note in done.notes)


def test_exhaustive_takes_every_passage_in_order_without_scores() -> None:
    done = searcher(INDEX).search(SIMPLE, options(Strategy.EXHAUSTIVE, top_k=1))
    assert [one.number for one in done.found] == list(range(10))
    assert not any(one.is_scored for one in done.found)


def test_exhaustive_is_refused_where_it_does_not_fit() -> None:
    with pytest.raises(ContextTooLarge):
        searcher(INDEX).search(SIMPLE, options(Strategy.EXHAUSTIVE, window_tokens=499))
    done = searcher(INDEX).search(SIMPLE, options(Strategy.EXHAUSTIVE, window_tokens=500))
    assert len(done.found) == 10


def test_exhaustive_counts_only_what_may_be_seen() -> None:
    one = replace(searcher(INDEX), scope=Scope(INDEX.items[:1]))
    done = one.search(SIMPLE, options(Strategy.EXHAUSTIVE, window_tokens=200))
    assert {found.chunk.item_id for found in done.found} == {"lease"}


def test_iterative_looks_for_what_was_not_found() -> None:
    done = searcher(INDEX).search(SEVERAL, options(Strategy.ITERATIVE, top_k=1, max_iterations=5))
    assert done.iterations == len(done.sub_queries) + 1 >= 2
    assert done.ceiling is None
    assert done.summary().retrieval_budget_exhausted is None


def test_iterative_makes_at_least_one_further_pass() -> None:
    done = searcher(INDEX).search(SIMPLE, options(Strategy.ITERATIVE))
    assert done.iterations >= 2


def test_iterative_stops_at_its_number_of_rounds() -> None:
    done = searcher(INDEX).search(SEVERAL, options(Strategy.ITERATIVE, top_k=1, max_iterations=1))
    assert (done.iterations, done.ceiling) == (1, "max_iterations")
    assert done.summary().retrieval_budget_exhausted is True


def test_iterative_stops_when_its_time_is_over() -> None:
    seconds = itertools.count(step=6.0)
    done = searcher(INDEX, clock=lambda: next(seconds)).search(
        SEVERAL, options(Strategy.ITERATIVE, top_k=1, max_time_s=5.0)
    )
    assert (done.iterations, done.ceiling) == (1, "max_retrieval_time")


def test_iterative_stops_when_enough_passages_were_evaluated() -> None:
    done = searcher(INDEX).search(
        SEVERAL, options(Strategy.ITERATIVE, top_k=1, max_chunks_evaluated=7)
    )
    assert (done.evaluated, done.ceiling) == (7, "max_chunks_evaluated")


def test_a_last_round_that_was_cut_short_is_said() -> None:
    done = searcher(INDEX).search("rent", options(Strategy.ITERATIVE, max_chunks_evaluated=7))
    assert (done.iterations, done.ceiling) == (1, "max_chunks_evaluated")


def test_never_more_than_five_rounds_are_made_and_that_is_said() -> None:
    questions = "What is " + "? What is ".join(f"zebra{n} rent" for n in range(9)) + "?"
    done = searcher(INDEX).search(
        questions, options(Strategy.ITERATIVE, top_k=1, max_iterations=50)
    )
    assert done.iterations == 5
    assert any("max_iterations" in note for note in done.notes)


@pytest.mark.parametrize(
    ("tokens", "query", "expected"),
    [
        (31_000, SIMPLE, Strategy.EXHAUSTIVE),
        (31_000, SEVERAL, Strategy.EXHAUSTIVE),
        (31_000, COMPREHENSIVE, Strategy.EXHAUSTIVE),
        (100_000, SIMPLE, Strategy.SINGLE_PASS),
        (100_000, SEVERAL, Strategy.MULTI_PASS),
        (300_000, SIMPLE, Strategy.SINGLE_PASS),
        (300_000, SEVERAL, Strategy.MULTI_PASS),
        (300_000, COMPREHENSIVE, Strategy.ITERATIVE),
    ],
)
def test_auto_follows_the_table_of_section_5_4(tokens: int, query: str, expected: Strategy) -> None:
    chosen, why = chosen_strategy(query, tokens=tokens, options=options(Strategy.AUTO))
    assert chosen is expected
    assert why.startswith(str(expected))


def test_auto_never_chooses_what_would_be_refused() -> None:
    chosen, _ = chosen_strategy(
        SIMPLE, tokens=31_000, options=options(Strategy.AUTO, window_tokens=8_000)
    )
    assert chosen is Strategy.SINGLE_PASS


def test_auto_says_what_it_chose_and_why() -> None:
    done = searcher(INDEX).search(SIMPLE, options(Strategy.AUTO))
    assert (done.requested, done.strategy) == (Strategy.AUTO, Strategy.EXHAUSTIVE)
    assert done.notes[0].startswith("exhaustive: ")


@pytest.mark.parametrize("strategy", list(Strategy))
def test_the_time_of_every_strategy_is_told(strategy: Strategy) -> None:
    seconds = itertools.count()
    done = searcher(INDEX, clock=lambda: float(next(seconds))).search(SIMPLE, options(strategy))
    assert done.time_ms >= 1000


@pytest.mark.parametrize(
    "wrong",
    [
        {"fusion": "sum"},
        {"min_chunk_score": 1.5},
        {"top_k": 0},
        {"max_sub_queries": 0},
        {"max_iterations": 0},
    ],
)
def test_options_that_make_no_sense_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(UsageError):
        RetrievalOptions(**wrong)  # type: ignore[arg-type]
