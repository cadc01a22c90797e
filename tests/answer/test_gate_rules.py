"""What the gate rules out, however likely it looks, and what it must not rule out."""

from __future__ import annotations

import pytest

from tests.answer.interrogating import ask
from tests.conftest import BundleMaker
from tipstaff.answer.question import QueryType, query_type
from tipstaff.domain.classification import Classification

_NOTICE = b"""# Notice

| Household | Bill ($) |
|---|---|
| Typical household | 32.92 |
| Large household | 51.72 |

All examples leave out parking, which is billed by the county.
"""


@pytest.mark.parametrize("reader", ["minilm", "none"])
def test_what_a_document_says_it_leaves_out_is_not_answered_from_it(
    make_bundle: BundleMaker, reader: str
) -> None:
    folder = make_bundle({"notice.md": _NOTICE})
    question = "How much does the county bill a typical household for parking?"
    assert ask(folder, question, reader=reader).classification is Classification.ABSTENTION


@pytest.mark.parametrize("reader", ["minilm", "none"])
def test_what_is_not_left_out_is_answered(make_bundle: BundleMaker, reader: str) -> None:
    folder = make_bundle({"notice.md": _NOTICE})
    response = ask(folder, "What is the bill of a typical household?", reader=reader)
    assert "32.92" in response.text
    assert response.classification is Classification.GROUNDED


@pytest.mark.parametrize("reader", ["minilm", "none"])
def test_a_question_that_is_reported_answers_nothing(make_bundle: BundleMaker, reader: str) -> None:
    text = b"# Mail\n\nMr Hale has asked me what the increase would be with losses of 15 percent.\n"
    folder = make_bundle({"mail.md": text})
    response = ask(folder, "What would the increase be with losses of 15 percent?", reader=reader)
    assert response.classification is not Classification.GROUNDED


@pytest.mark.parametrize("reader", ["minilm", "none"])
def test_one_case_is_no_answer_to_what_is_usual(make_bundle: BundleMaker, reader: str) -> None:
    text = b"# Plan\n\nThe town detects leaks in water pipes with microphones.\n"
    folder = make_bundle({"plan.md": text})
    question = "How do towns usually detect leaks in water pipes?"
    assert ask(folder, question, reader=reader).classification is not Classification.GROUNDED
    said = ask(folder, "How does the town detect leaks in water pipes?", reader=reader)
    assert said.classification is Classification.GROUNDED


def test_a_sentence_without_a_time_has_that_of_the_one_before(make_bundle: BundleMaker) -> None:
    text = (
        b"# Minutes of 11 March 2025\n\nThe crew worked through the night of 2 February. "
        b"The burst left the households without water for nine hours.\n"
    )
    folder = make_bundle({"minutes.md": text})
    response = ask(folder, "How long were the households without water in February?")
    assert response.classification is Classification.GROUNDED
    assert "nine hours" in response.text


def test_a_question_in_other_words_is_answered(make_bundle: BundleMaker) -> None:
    text = (
        b"# Letter\n\nThe supplier may end the contract with six weeks' notice. The price is fixed "
        b"until May.\n"
    )
    folder = make_bundle({"letter.md": text})
    response = ask(folder, "How much warning must the vendor give to terminate the agreement?")
    assert "six weeks" in response.text


def test_a_year_that_recurs_makes_no_list() -> None:
    assert query_type("What does the tenant pay each year?") is QueryType.FACTUAL
    assert query_type("What does each tenant pay?") is QueryType.AGGREGATION
