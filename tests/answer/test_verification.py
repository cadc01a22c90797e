"""Yes, no, no longer, or silence."""

from __future__ import annotations

import pytest

from tests.answer.interrogating import ask
from tests.conftest import BundleMaker
from tipstaff.domain.classification import Classification

_REGISTER = b"""# Risk register

| ID | Risk | Owner |
|---|---|---|
| R-01 | The data is wrong | Ada Byron |
| R-02 | The module breaks | (none) |
| R-03 | The peak is missed | Grace Hopper |
"""


@pytest.mark.parametrize(
    ("sentence", "lead"),
    [
        ("The club used 14,200 cubic metres of water in 2024 and 16,900 in 2023.", "The context"),
        ("The club used less water in 2024 than in 2023.", "No,"),
        ("The club used more water in 2024 than in 2023.", "Yes,"),
    ],
)
def test_a_comparison_is_affirmed_by_one_that_goes_the_same_way(
    make_bundle: BundleMaker, sentence: str, lead: str
) -> None:
    folder = make_bundle({"year.md": f"# Year\n\n{sentence}\n".encode()})
    response = ask(folder, "Was more water used by the club in 2024 than in 2023?")
    assert response.text.startswith(lead)


@pytest.mark.parametrize(
    ("sentence", "question", "lead"),
    [
        (
            "The lease allows deliveries to the shop before five in the morning.",
            "Does the lease allow deliveries to the shop before five?",
            "Yes,",
        ),
        (
            "The lease does not allow deliveries to the shop on Sundays.",
            "Does the lease allow deliveries to the shop on Sundays?",
            "No,",
        ),
        (
            "We followed the wrong idea that the stopped replica was the cause of the outage.",
            "Was the stopped replica the cause of the outage?",
            "No,",
        ),
        (
            "The contingency for the project is set at 15 percent.",
            "Is the contingency for the project set at 12 percent?",
            "No,",
        ),
    ],
)
def test_a_claim_is_affirmed_or_denied_in_the_words_of_the_context(
    make_bundle: BundleMaker, sentence: str, question: str, lead: str
) -> None:
    folder = make_bundle({"paper.md": f"# Paper\n\n{sentence}\n".encode()})
    response = ask(folder, question)
    assert response.text.startswith(lead)
    assert sentence in response.text


def test_a_replaced_value_is_shown_with_the_new_one(make_bundle: BundleMaker) -> None:
    folder = make_bundle(
        {
            "budget.md": b"# Budget\n\nThe contingency rate replaces the 12 percent of October.\n",
            "mail.md": b"# Mail\n\nI am setting the contingency rate at 15 percent.\n",
        }
    )
    response = ask(folder, "Is the contingency rate set at 12 percent?")
    assert response.text.startswith("No longer;")
    assert "15 percent" in response.text


def test_a_condition_settles_nothing(make_bundle: BundleMaker) -> None:
    text = b"# Note\n\nShould the board approve the project, the costs will be capitalised.\n"
    response = ask(make_bundle({"note.md": text}), "Did the board approve the project?")
    assert response.classification in (Classification.PARTIAL, Classification.ABSTENTION)


def test_what_was_deferred_was_not_approved(make_bundle: BundleMaker) -> None:
    text = b"# Board: project\n\nThe decision is deferred to the meeting of 4 December.\n"
    response = ask(make_bundle({"minutes.md": text}), "Did the board approve the project?")
    assert response.text.startswith("No,")
    assert "deferred" in response.text


def test_the_thing_that_nobody_owns_is_found_in_its_table(make_bundle: BundleMaker) -> None:
    folder = make_bundle({"register.md": _REGISTER})
    response = ask(folder, "Is there a risk in the register that nobody looks after?")
    assert "R-02" in response.text
    assert "R-01" not in response.text


def test_silence_is_an_abstention(make_bundle: BundleMaker) -> None:
    folder = make_bundle({"register.md": _REGISTER})
    response = ask(folder, "Is the warehouse heated in winter?")
    assert response.classification is Classification.ABSTENTION
