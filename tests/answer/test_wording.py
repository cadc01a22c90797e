"""The asker's words said back: in grammar, within bounds, never as citations."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tipstaff.answer.gate import gap_of
from tipstaff.answer.question import understand
from tipstaff.answer.wording import asked_about, ended, listed, said_back, without_marks


@pytest.mark.parametrize(
    ("query", "about"),
    [
        ("What is the share price of the mill?", "the share price of the mill"),
        ("What was Mr Pell's answer?", "Mr Pell's answer"),
        ("Who is the landlord?", "the landlord"),
        ("How large is Unit 4?", "the question “How large is Unit 4?”"),
        ("Who is responsible?", "the question “Who is responsible?”"),
        ("List the repairs.", "the question “List the repairs.”"),
        ("which roof leaks", "the question “Which roof leaks?”"),
    ],
)
def test_a_thing_is_named_and_any_other_question_is_quoted(query: str, about: str) -> None:
    assert asked_about(understand(query).parts[0]) == about


def test_a_gap_ends_with_one_mark() -> None:
    quoted = gap_of(understand("How large is Unit 4?").parts[0])
    assert quoted.description.endswith("the question “How large is Unit 4?”")
    named = gap_of(understand("What is the rent?").parts[0])
    assert named.description.endswith("information about the rent.")
    assert ended("So it is") == "So it is."


@given(st.text(alphabet="ab []\x00\x1b\u202e\n", max_size=400))
def test_what_is_said_back_is_one_short_line_without_marks(text: str) -> None:
    said = said_back(text)
    assert len(said) <= 160
    assert not set(said) & set("\x00\x1b\u202e\n")
    assert "[[" not in said
    assert "]]" not in said


def test_marks_lose_their_second_bracket() -> None:
    assert without_marks("see [[lease:L3]] and [[[x]]]") == "see [lease:L3] and [x]"


def test_a_list_ends_with_and() -> None:
    assert listed(["a"]) == "a"
    assert listed(["a", "b", "c"]) == "a, b and c"
