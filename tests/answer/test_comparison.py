"""Comparisons: both sides by one measure, a missing side named."""

from __future__ import annotations

from tests.answer.interrogating import ask
from tests.conftest import BundleMaker
from tipstaff.domain.classification import Classification

_STATEMENT = """# Statement

## What you owe

Your service charge for 2023, as certified, was £18,200. Your service charge for 2024 is £23,450.

## Expenditure

| Head | 2023 (£) | 2024 budget (£) | 2024 actual (£) |
|---|---|---|---|
| Refuse | 30,150 | 31,500 | 33,900 |
| Drainage | 7,400 | 7,600 | 6,940 |
""".encode()


def test_like_sentences_are_compared_and_the_difference_is_worked_out(
    make_bundle: BundleMaker,
) -> None:
    folder = make_bundle({"statement.md": _STATEMENT})
    response = ask(folder, "How does the service charge for 2024 compare with the one for 2023?")
    assert response.classification is Classification.INFERRED
    assert "£23,450" in response.text
    assert "£18,200" in response.text
    assert response.inferences[0].reasoning == "£23,450 − £18,200 = £5,250"


def test_strict_grounding_calculates_nothing(make_bundle: BundleMaker) -> None:
    folder = make_bundle({"statement.md": _STATEMENT})
    question = "How does the service charge for 2024 compare with the one for 2023?"
    response = ask(folder, question, grounding="strict")
    assert response.classification is Classification.GROUNDED
    assert response.inferences == ()


def test_a_row_with_two_cells_for_one_year_is_shown_whole(make_bundle: BundleMaker) -> None:
    folder = make_bundle({"statement.md": _STATEMENT})
    response = ask(folder, "How does the cost of drainage in 2024 compare with 2023?")
    assert "7,600" in response.text
    assert "6,940" in response.text
    assert response.inferences == ()


def test_a_side_that_occurs_nowhere_is_named(make_bundle: BundleMaker) -> None:
    folder = make_bundle({"statement.md": _STATEMENT})
    response = ask(folder, "How does the service charge for 2024 compare with Foxglove Mews?")
    assert response.classification is Classification.PARTIAL
    assert any("Foxglove" in gap.topic for gap in response.gaps)


def test_two_names_of_which_one_is_unknown_are_not_compared(make_bundle: BundleMaker) -> None:
    folder = make_bundle({"statement.md": _STATEMENT})
    response = ask(folder, "How does Drainage compare to Foxglove Mews?")
    assert response.classification is Classification.ABSTENTION


_HARBOUR = b"""# Harbour

The mooring fee is $310 a month.

The new crane costs $84,000.
"""


def test_one_figure_is_not_both_sides(make_bundle: BundleMaker) -> None:
    folder = make_bundle({"harbour.md": _HARBOUR})
    response = ask(folder, "Compare the licence fee with the cost of the new crane.")
    assert response.inferences == ()
    assert response.text.count("$84,000") == 1
    assert any("licence fee" in gap.topic for gap in response.gaps)


def test_so_much_a_month_is_not_set_off_against_so_much_in_all(make_bundle: BundleMaker) -> None:
    folder = make_bundle({"harbour.md": _HARBOUR})
    response = ask(folder, "How does the mooring fee compare with the cost of the new crane?")
    assert "$310" in response.text
    assert "$84,000" in response.text
    assert response.inferences == ()
