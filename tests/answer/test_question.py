"""Questions taken apart: type, kind of answer, whose words, and how long it takes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tipstaff.answer.question import AnswerKind, QueryType, understand


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("What was the rent in March?", QueryType.FACTUAL),
        ("Is the rent due on the first day?", QueryType.VERIFICATION),
        ("Compare the lease with the survey.", QueryType.COMPARISON),
        ("Which topics are missing?", QueryType.GAP_ANALYSIS),
        ("Where does the synthesis get the figure of $38,000?", QueryType.CITATION_CHECK),
        ("Where does the 71 percent come from?", QueryType.CITATION_CHECK),
        ("Where did the replacement coach come from?", QueryType.FACTUAL),
        ("What speaks against repairing the roof?", QueryType.COUNTER_ARGUMENT),
        ("Why does he withhold rent?", QueryType.EXPLANATORY),
        ("List the repairs with their cost.", QueryType.AGGREGATION),
    ],
)
def test_a_query_is_of_one_of_the_eight_types(query: str, expected: QueryType) -> None:
    assert understand(query).parts[0].type is expected


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("How much did the roof cost?", AnswerKind.MONEY),
        ("How many trusses are rotten?", AnswerKind.COUNT),
        ("What percentage was paid?", AnswerKind.PERCENT),
        ("When is it due?", AnswerKind.DATE),
        ("How long was the mill closed?", AnswerKind.DURATION),
        ("Who repairs the roof?", AnswerKind.PERSON),
        ("Where is the mill?", AnswerKind.PLACE),
        ("Why is it late?", AnswerKind.REASON),
        ("Is it late?", AnswerKind.YES_NO),
        ("What does the survey cover?", AnswerKind.ANY),
    ],
)
def test_the_kind_of_answer_is_told_by_the_question(query: str, expected: AnswerKind) -> None:
    assert understand(query).parts[0].kind is expected


def test_two_questions_are_two_parts_and_an_introduction_is_none() -> None:
    assert len(understand("When is rent due, and who repairs the roof?").parts) == 2
    (part,) = understand("Some say May and others June. Which month is it?").parts
    assert part.text == "Some say May and others June. Which month is it?"


def test_whose_words_are_asked_for_is_a_person_never_a_document() -> None:
    part = understand("What did Mr Pell say about the roof?").parts[0]
    assert (part.attributed_to, part.topic) == ("Mr Pell", "the roof")
    assert understand("What does the lease say about the roof?").parts[0].attributed_to is None
    assert understand("What is the state of the roof?").parts[0].attributed_to is None


@given(st.text(min_size=1, max_size=200))
def test_every_text_has_a_part(query: str) -> None:
    assert understand(query).parts


@pytest.mark.parametrize(
    ("query", "whose"),
    [
        ("What is Ada Byron's position on the roof?", "Ada Byron"),
        ("What did Ada Byron say about the roof?", "Ada Byron"),
        # A cash position is nobody's view, and two questions are nobody's name.
        ("What is Meridian's cash and debt position?", None),
        ("What did Marketing spend in March and what does it ask for?", None),
    ],
)
def test_whose_words_are_asked_for(query: str, whose: str | None) -> None:
    assert understand(query).parts[0].attributed_to == whose
