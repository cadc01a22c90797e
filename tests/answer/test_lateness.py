"""How late something was, from the dates of one row or sentence."""

from __future__ import annotations

import pytest

from tests.answer.interrogating import ask
from tests.conftest import BundleMaker
from tipstaff.domain.classification import Classification

_LEDGER = b"""invoice,description,amount,due,paid_on
A-1,Rent,100,2024-03-25,2024-03-25
A-2,Insurance premium,240,2024-04-02,2024-04-10
A-3,Cleaning,30,2024-05-06,2024-05-01
"""
_NOTE = b"# Note\n\nThe annual report was due on 30 April 2024 and was submitted on 14 May 2024.\n"


@pytest.mark.parametrize(
    ("question", "said", "working"),
    [
        (
            "How many days late was the insurance premium paid?",
            "8 days late",
            "from 2024-04-02 (due) to 2024-04-10 (done): 8 days",
        ),
        (
            "How many days early was the cleaning paid?",
            "5 days early",
            "from 2024-05-06 (due) to 2024-05-01 (done): 5 days",
        ),
    ],
)
@pytest.mark.parametrize("reader", ["minilm", "none"])
def test_the_days_between_two_dates_of_a_row_are_worked_out(
    make_bundle: BundleMaker, question: str, said: str, working: str, reader: str
) -> None:
    response = ask(make_bundle({"ledger.csv": _LEDGER}), question, reader=reader)
    assert response.classification is Classification.INFERRED
    assert said in response.text
    assert response.inferences[0].reasoning == working


def test_the_days_between_two_dates_of_a_sentence_are_worked_out(make_bundle: BundleMaker) -> None:
    response = ask(make_bundle({"note.md": _NOTE}), "How late was the annual report submitted?")
    assert "14 days late" in response.text


def test_nothing_is_worked_out_for_what_no_row_names(make_bundle: BundleMaker) -> None:
    folder = make_bundle({"ledger.csv": _LEDGER})
    assert ask(folder, "How many days late was the gardening paid?").inferences == ()


def test_nothing_is_worked_out_where_several_rows_may_be_meant(make_bundle: BundleMaker) -> None:
    twice = _LEDGER + b"A-4,Insurance premium,250,2024-10-02,2024-10-05\n"
    folder = make_bundle({"ledger.csv": twice})
    assert ask(folder, "How many days late was the insurance premium paid?").inferences == ()


def test_strict_grounding_works_out_no_days(make_bundle: BundleMaker) -> None:
    folder = make_bundle({"ledger.csv": _LEDGER})
    question = "How many days late was the insurance premium paid?"
    assert ask(folder, question, grounding="strict").inferences == ()
