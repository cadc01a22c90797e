"""Confidence intervals against published and hand-worked figures."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tipstaff.eval.intervals import Count, bootstrap, wilson


@pytest.mark.parametrize(
    ("hits", "total", "low", "high"),
    [
        # Newcombe 1998, table I, method 3 (Wilson): 81/263, 15/148, 0/20, 1/29.
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0000, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilson_gives_newcombes_figures(hits: int, total: int, low: float, high: float) -> None:
    found = wilson(Count(hits, total))
    assert found == pytest.approx((low, high), abs=0.00005)


def test_without_observations_anything_is_possible() -> None:
    assert wilson(Count(0, 0)) == (0.0, 1.0)
    assert bootstrap([]) == (0.0, 1.0)


def test_claims_of_one_response_are_not_taken_for_independent() -> None:
    """Twenty responses of fifty claims, each all right or all wrong, are twenty observations."""
    low, high = bootstrap([Count(50, 50)] * 10 + [Count(0, 50)] * 10)
    assert low < 0.35
    assert high > 0.65
    assert wilson(Count(500, 1000))[0] > 0.46


def test_independent_claims_are_as_sure_as_they_are_many() -> None:
    counts = [Count(hits, 10) for hits in (8, 9, 10, 7, 9, 8, 9, 10, 9, 8, 9, 9)]
    low, high = bootstrap(counts)
    assert 0.8 < low < 0.875 < high < 0.95


def test_few_queries_and_queries_that_are_all_alike_claim_no_certainty() -> None:
    assert bootstrap([Count(40, 40)]) == wilson(Count(1, 1))
    assert bootstrap([Count(1, 2)]) == pytest.approx((0.0546, 0.9454), abs=0.0001)
    assert bootstrap([Count(2, 2)] * 20) == wilson(Count(20, 20))
    assert bootstrap([Count(0, 2)] * 20) == wilson(Count(0, 20))
    assert bootstrap([Count(1, 2)] * 20) == wilson(Count(10, 20))


counted = st.tuples(st.integers(0, 9), st.integers(0, 9)).map(lambda p: Count(min(p), max(p)))


@given(st.lists(counted, max_size=12))
def test_it_is_the_same_every_time(counts: list[Count]) -> None:
    assert bootstrap(counts) == bootstrap(list(reversed(counts)))


@given(st.integers(0, 60), st.integers(1, 60))
def test_more_of_the_same_is_surer(hits: int, total: int) -> None:
    count = Count(min(hits, total), total)
    more = Count(count.hits * 4, count.total * 4)
    low, high = wilson(count)
    lower, higher = wilson(more)
    assert higher - lower < high - low
