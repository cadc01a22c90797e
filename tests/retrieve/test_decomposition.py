"""A question into its aspects, by grammar."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tipstaff.retrieve.decomposition import aspects, keywords, sub_queries


def test_a_comparison_asks_about_each_side_and_about_both() -> None:
    question = "Compare the lease with the amendment"
    assert aspects(question, limit=5) == ["the lease", "the amendment", question]


def test_a_comparison_of_two_periods_keeps_its_subject() -> None:
    found = aspects("Compare revenue in Q3 with Q4", limit=5)
    assert found[:2] == ["revenue in Q3", "revenue in Q4"]


@pytest.mark.parametrize(
    "question",
    [
        "What is the difference between the lease and the amendment?",
        "How does the lease differ from the amendment?",
        "the lease versus the amendment",
    ],
)
def test_other_ways_to_compare_are_understood(question: str) -> None:
    assert aspects(question, limit=5)[:2] == ["the lease", "the amendment"]


def test_two_questions_are_two_aspects() -> None:
    assert aspects("What is the rent and who pays it?", limit=5) == [
        "What is the rent",
        "who pays it",
    ]


def test_a_list_asks_about_each_of_its_members() -> None:
    found = aspects("the revenue, margin and headcount of Meridian", limit=5)
    assert found == aspects("the revenue, margin, and headcount of Meridian", limit=5)
    assert len(found) == 3
    assert all(part.endswith("of Meridian") for part in found)


def test_one_question_is_one_aspect() -> None:
    assert aspects("What is the rent?", limit=5) == ["What is the rent"]


def test_there_are_never_more_aspects_than_allowed() -> None:
    question = "What is a? What is b? What is c? What is d?"
    assert len(aspects(question, limit=2)) == 2


def test_a_question_of_one_aspect_is_asked_again_by_its_key_words() -> None:
    assert sub_queries("What is the monthly rent?", limit=5) == [
        "What is the monthly rent",
        "monthly rent",
    ]


def test_key_words_of_stop_words_are_those_words() -> None:
    assert keywords("who is it") == "who is it"


def test_a_long_text_is_not_taken_apart() -> None:
    """The grammar looks at every beginning with every end; in a pasted page that takes minutes."""
    text = "word " * 150 + "and the revenue, margin and headcount of Meridian"
    assert aspects(text, limit=5) == [text]
    page = "compare a, b of c to d " * 5_000
    assert aspects(page, limit=5) == [page.strip()]


def test_line_breaks_in_a_question_are_spaces() -> None:
    assert aspects("Compare\nthe lease  with\tthe amendment", limit=2) == [
        "the lease",
        "the amendment",
    ]


def test_a_query_without_words_is_no_sub_query() -> None:
    assert sub_queries("???", limit=5) == []


@given(st.text(max_size=120), st.integers(1, 6))
def test_any_text_is_taken_apart_within_the_limit(text: str, limit: int) -> None:
    found = aspects(text, limit=limit)
    assert len(found) <= limit
    assert len(set(found)) == len(found)
    assert all(part.strip() for part in found)
