"""Questions that lean on those before them (TIP §8.1.4)."""

from __future__ import annotations

import pytest

from tests.answer.asked import asked
from tests.conftest import BundleMaker
from tipstaff.answer.follow_up import resolved


@pytest.mark.parametrize(
    ("before", "query", "meant"),
    [
        ("What was the revenue in Q3 2025?", "And in Q4?", "What was the revenue in Q4?"),
        ("What was the revenue?", "And in 2024?", "What was the revenue in 2024?"),
        ("What did Ada Byron say?", "What about Ines Holt?", "What did Ines Holt say?"),
        ("How long is the lease of the shop?", "And of the cellar?",
         "How long is the lease of the cellar?"),
    ],
)  # fmt: skip
def test_an_elliptic_question_is_the_last_one_with_one_thing_exchanged(
    before: str, query: str, meant: str
) -> None:
    assert resolved(query, [before]) == meant


def test_a_pronoun_is_about_what_was_asked_before() -> None:
    meant = resolved("Who approved it?", ["What is the marketing budget?"])
    assert "marketing budget" in meant


def test_a_question_of_its_own_is_left_alone() -> None:
    question = "Who approved the lease of the cellar?"
    assert resolved(question, ["What is the marketing budget?"]) == question


def test_without_a_question_before_there_is_nothing_to_lean_on() -> None:
    assert resolved("And in Q4?", []) == "And in Q4?"


def test_the_session_answers_the_follow_up(make_bundle: BundleMaker) -> None:
    table = (
        b"# Revenue\n\n| Quarter | Revenue |\n|---|---|\n| Q3 2025 | $340 |\n| Q4 2025 | $410 |\n"
    )
    folder = make_bundle({"revenue.md": table})
    said = asked(folder, "What was the revenue in Q3 2025?", "And in Q4 2025?")
    assert "$410" in said.text
    assert "$340" not in said.text
