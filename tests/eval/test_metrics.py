"""The five metrics as Enterprise §8.3 defines them, on examples worked by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.eval.samples import abstained, answered
from tipstaff.domain.classification import Classification
from tipstaff.eval.intervals import Count
from tipstaff.eval.metrics import METRICS, Measured, measure
from tipstaff.eval.observation import Observed
from tipstaff.eval.thresholds import NOTHING_ANSWERED, RECOMMENDED, below, read_thresholds


def counts(measured: Measured) -> dict[str, tuple[int, int]]:
    return {name: (one.count.hits, one.count.total) for name, one in measured.metrics.items()}


def test_each_metric_is_the_pooled_share_of_its_formula() -> None:
    measured = measure(
        [
            answered(
                "a",
                chunks=[True, True, False, True],
                claims=[True, False],
                citations=[True, True, False],
                needs=["x", "y"],
                cites=["x", "z"],
            ),
            answered(
                "b", chunks=[True], claims=[True, True], citations=[True], needs=["y"], cites=["y"]
            ),
            abstained("c", answerable=False),
            answered("d", answerable=False, chunks=[], claims=[], citations=[]),
        ]
    )
    assert counts(measured) == {
        "relevance": (4, 5),
        "faithfulness": (3, 4),
        "citation_accuracy": (3, 4),
        "completeness": (2, 3),
        "abstention_rate": (1, 2),
    }
    assert measured.values == {
        "relevance": 0.8,
        "faithfulness": 0.75,
        "citation_accuracy": 0.75,
        "completeness": 0.6667,
        "abstention_rate": 0.5,
    }
    assert measured.query_count == 4


def test_false_abstentions_and_false_answers_are_counted_apart() -> None:
    measured = measure(
        [
            abstained("has-one", answerable=True),
            answered("has-one-too"),
            answered("has-none", answerable=False),
            abstained("has-none-too", answerable=False),
            abstained("has-none-either", answerable=False),
        ]
    )
    assert measured.false_abstentions.count == Count(1, 2)
    assert measured.false_answers.count == Count(1, 3)


def test_what_was_not_there_to_be_counted_has_no_value() -> None:
    measured = measure([abstained("a", answerable=False)])
    assert measured.values == {"abstention_rate": 1.0}
    assert all(measured.metrics[name].value is None for name in METRICS[:-1])


def test_one_that_always_abstains_and_one_that_always_answers_are_told_apart() -> None:
    names = [(f"q{number}", number % 2 == 0) for number in range(20)]
    silent = measure([abstained(name, answerable=has) for name, has in names])
    talkative = measure([answered(name, answerable=has) for name, has in names])
    assert silent.values == {"completeness": 0.0, "abstention_rate": 1.0}
    assert silent.false_abstentions.count == Count(10, 10)
    assert silent.false_answers.count == Count(0, 10)
    assert talkative.values["abstention_rate"] == 0.0
    assert talkative.values["completeness"] == 1.0
    assert talkative.false_abstentions.count == Count(0, 10)
    assert talkative.false_answers.count == Count(10, 10)
    assert below(silent, RECOMMENDED)
    assert below(talkative, RECOMMENDED) == ["abstention_rate 0.00 is below 0.80"]


def test_silence_fails_even_where_nobody_noted_relevant_items() -> None:
    """Nothing said is nothing false: without this, silence would pass with no metric but one."""
    measured = measure(
        [abstained("a", answerable=True, needs=()), abstained("b", answerable=False)]
    )
    assert measured.values == {"abstention_rate": 1.0}
    assert below(measured, RECOMMENDED) == [NOTHING_ANSWERED]


def test_an_abstention_that_the_author_accepts_is_no_failure() -> None:
    measured = measure([abstained("a", answerable=True, acceptable=["partial", "abstention"])])
    assert measured.false_abstentions.count == Count(0, 1)
    assert measured.metrics["completeness"].value is None


def test_a_partial_answer_is_a_correct_abstention_only_where_it_is_accepted() -> None:
    partial = Classification.PARTIAL
    accepted = answered("a", answerable=False, classification=partial, acceptable=["partial"])
    assert measure([accepted]).values["abstention_rate"] == 1.0
    refused = answered("a", answerable=False, classification=partial)
    assert measure([refused]).values["abstention_rate"] == 0.0


def test_expected_words_are_looked_for_in_answers_alone() -> None:
    words = [("91,200", "91 200"), ("a year",)]
    measured = measure(
        [
            answered("right", expected=words, text="It is £91,200 A YEAR."),
            answered("half", expected=words, text="It is £91,200."),
            abstained("none", answerable=True),
        ]
    )
    assert measured.expected_words.count == Count(1, 2)


def test_units_that_nobody_judged_are_left_out_and_counted() -> None:
    one = answered("a", claims=[True, False])
    measured = measure([one], lambda _, unit: unit.by_rules if unit.kind == "claim" else None)
    assert measured.metrics["faithfulness"].count == Count(1, 2)
    assert measured.metrics["relevance"].value is None
    assert measured.unjudged == 2


marks = st.lists(st.booleans(), max_size=5)
some_observed = st.builds(
    answered,
    st.text("abc", min_size=1, max_size=8),
    chunks=marks,
    claims=marks,
    citations=marks,
    needs=st.lists(st.sampled_from("xyz"), unique=True),
    cites=st.lists(st.sampled_from("xyz"), unique=True),
    answerable=st.booleans(),
    classification=st.sampled_from(Classification),
)


@given(st.lists(some_observed, max_size=8))
def test_values_lie_in_their_intervals_and_these_between_0_and_1(observed: list[Observed]) -> None:
    measured = measure(observed)
    for metric in (*measured.metrics.values(), measured.false_answers, measured.false_abstentions):
        low, high = metric.interval
        assert 0 <= low <= high <= 1
        if metric.count.share is not None:
            assert low <= metric.count.share <= high


@given(st.data())
def test_the_order_of_queries_changes_nothing(data: st.DataObject) -> None:
    observed = data.draw(st.lists(some_observed, max_size=14))
    assert measure(data.draw(st.permutations(observed))) == measure(observed)


@given(st.lists(some_observed, min_size=1, max_size=6), marks.filter(lambda m: False in m))
def test_a_claim_that_turns_out_right_never_lowers_faithfulness(
    observed: list[Observed], claims: list[bool]
) -> None:
    worse = measure([*observed, answered("more", claims=claims)])
    better_marks = list(claims)
    better_marks[claims.index(False)] = True
    better = measure([*observed, answered("more", claims=better_marks)])
    assert better.values["faithfulness"] > worse.values["faithfulness"]


def test_thresholds_are_those_of_section_8_6() -> None:
    assert read_thresholds([]) == {
        "citation_accuracy": 0.95,
        "faithfulness": 0.90,
        "relevance": 0.80,
        "completeness": 0.70,
        "abstention_rate": 0.80,
    }


def test_a_metric_at_its_threshold_meets_it() -> None:
    measured = measure([answered("a", chunks=[True] * 4 + [False])])
    assert measured.values["relevance"] == 0.8
    assert below(measured, RECOMMENDED) == []
    assert below(measured, {"relevance": 0.81}) == ["relevance 0.80 is below 0.81"]


@pytest.mark.parametrize("wrong", ["relevance", "relevance=2", "speed=0.5", "relevance=nan"])
def test_a_threshold_that_is_none_is_refused(wrong: str) -> None:
    with pytest.raises(Exception, match="--threshold takes NAME=VALUE"):
        read_thresholds([wrong])
