"""Shares and totals that a question asks for, from cells that it names."""

from __future__ import annotations

import pytest

from tests.answer.interrogating import ask
from tests.conftest import BundleMaker
from tipstaff.answer.growth import Change, change_asked
from tipstaff.domain.classification import Classification

_METRICS = b"""time,publish_attempts,publish_failures,latency_ms
14:15,306,97,212
14:30,1012,921,640
14:45,2154,2018,7900
"""
_COSTS = b"""# Costs

| Item | Cost ($) | Hours |
|---|---|---|
| Roof | 1,000 | 10 |
| Floor | 2,500 | 30 |
| Total | 3,500 | 40 |
"""


def test_a_share_is_worked_out_from_two_cells_of_the_row(make_bundle: BundleMaker) -> None:
    folder = make_bundle({"metrics.csv": _METRICS})
    response = ask(folder, "What share of the publish attempts at 14:30 failed?")
    assert response.classification is Classification.INFERRED
    assert response.inferences[0].reasoning == "921 / 1012 = 91.0%"


def test_strict_grounding_works_out_no_share(make_bundle: BundleMaker) -> None:
    folder = make_bundle({"metrics.csv": _METRICS})
    question = "What share of the publish attempts at 14:30 failed?"
    assert ask(folder, question, grounding="strict").inferences == ()


def test_a_column_is_added_up_with_its_working(make_bundle: BundleMaker) -> None:
    folder = make_bundle({"metrics.csv": _METRICS})
    response = ask(folder, "How many publish failures were there in total?", reader="none")
    assert response.inferences[0].reasoning == "97 + 921 + 2018 = 3,036"


def test_a_total_that_the_table_gives_is_restated_and_not_calculated(
    make_bundle: BundleMaker,
) -> None:
    folder = make_bundle({"costs.md": _COSTS})
    response = ask(folder, "How many hours in total?", reader="none")
    assert response.classification is Classification.GROUNDED
    assert "Total, Hours: 40" in response.text


def test_nothing_is_added_up_for_rows_that_the_table_does_not_tell_apart(
    make_bundle: BundleMaker,
) -> None:
    folder = make_bundle({"metrics.csv": _METRICS})
    question = "How many publish failures of scanners were there in total?"
    assert ask(folder, question, reader="none").inferences == ()


def test_a_share_that_cannot_be_worked_out_is_a_gap(make_bundle: BundleMaker) -> None:
    folder = make_bundle({"metrics.csv": _METRICS})
    response = ask(folder, "What share of the publish attempts came from scanners?")
    assert response.classification is Classification.ABSTENTION


_RESULTS = b"""# Results

Figures in thousands ($ thousands).

| Item | Q1 2025 | Q2 2025 | Change |
|---|---|---|---|
| Flour sales | 400 | 450 | 12.5% |
| Grain cost | 200 | 190 | -5% |

The mill had 25 employees in Q2 2025.
"""


@pytest.mark.parametrize(
    ("question", "said", "working"),
    [
        (
            "By how much did flour sales grow from Q1 2025 to Q2 2025?",
            "it rose by 50 ($ thousands), which is 12.5 percent",
            "450 − 400 = 50 ($ thousands); 50 / 400 = 12.5%",
        ),
        (
            "By what percentage did the grain cost fall between Q1 2025 and Q2 2025?",
            "it fell by 10 ($ thousands), which is 5.0 percent",
            "190 − 200 = -10 ($ thousands); 10 / 200 = 5.0%",
        ),
    ],
)
def test_a_change_between_two_times_is_worked_out(
    make_bundle: BundleMaker, question: str, said: str, working: str
) -> None:
    response = ask(make_bundle({"results.md": _RESULTS}), question, reader="none")
    assert response.classification is Classification.INFERRED
    assert said in response.text
    assert response.inferences[0].reasoning == working


def test_a_change_that_the_context_states_is_not_worked_out(make_bundle: BundleMaker) -> None:
    text = b"# Note\n\nThe rent rose by 4 percent from 2023 to 2024.\n\nRent 2023: 100.\n"
    folder = make_bundle({"note.md": text})
    response = ask(folder, "By how much did the rent rise from 2023 to 2024?", reader="none")
    assert response.classification is Classification.GROUNDED
    assert "4 percent" in response.text


def test_the_figure_of_one_time_is_no_answer_to_a_change(make_bundle: BundleMaker) -> None:
    folder = make_bundle({"results.md": _RESULTS})
    response = ask(folder, "By how much did flour sales grow from Q2 2025 to Q3 2025?")
    assert response.classification in (Classification.PARTIAL, Classification.ABSTENTION)
    assert "no figure for flour sales in Q3 2025" in response.text


def test_strict_grounding_works_out_no_change(make_bundle: BundleMaker) -> None:
    folder = make_bundle({"results.md": _RESULTS})
    question = "By how much did flour sales grow from Q1 2025 to Q2 2025?"
    assert ask(folder, question, grounding="strict").inferences == ()


def test_so_much_per_head_is_one_figure_divided_by_the_other(make_bundle: BundleMaker) -> None:
    folder = make_bundle({"results.md": _RESULTS})
    response = ask(folder, "What were the flour sales per employee in Q2 2025?")
    assert response.inferences[0].reasoning == "450 / 25 = 18 ($ thousands)"


def test_a_rate_that_the_context_states_is_not_divided_again(make_bundle: BundleMaker) -> None:
    text = b"# Terms\n\nThe fee is 30 pounds per volunteer.\n\nThere were 12 volunteers.\n"
    response = ask(make_bundle({"terms.md": text}), "What is the fee per volunteer?")
    assert response.inferences == ()
    assert "30 pounds per volunteer" in response.text


def test_what_is_named_is_added_up_from_its_rows(make_bundle: BundleMaker) -> None:
    folder = make_bundle({"costs.md": _COSTS})
    response = ask(folder, "What do the roof and the floor cost together?", reader="none")
    assert response.inferences[0].reasoning == "1,000 + 2,500 = 3,500"


def test_nothing_is_added_up_if_one_of_the_named_things_has_no_row(
    make_bundle: BundleMaker,
) -> None:
    folder = make_bundle({"costs.md": _COSTS})
    response = ask(folder, "What do the roof and the doors cost together?", reader="none")
    assert response.inferences == ()


def test_an_average_leaves_the_total_out(make_bundle: BundleMaker) -> None:
    folder = make_bundle({"costs.md": _COSTS})
    response = ask(folder, "What is the average cost?", reader="none")
    assert response.inferences[0].reasoning == "(1,000 + 2,500) / 2 = 1,750"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("How much did rent rise in 2024?", Change("rent", "2023", "2024")),
        ("By how much did it fall from May to June 2024?", Change("it", "May 2024", "June 2024")),
        ("How much has the rent increased since 2019?", Change("the rent")),
        (
            "How many percent did sales grow from Q3 2024 to Q3 2025?",
            Change("sales", "Q3 2024", "Q3 2025"),
        ),
        ("What percentage did rent rise in 2024?", Change("rent", "2023", "2024")),
        ("How much is the rent?", None),
    ],
)
def test_the_times_of_a_change_are_those_of_the_question(text: str, found: Change | None) -> None:
    assert change_asked(text) == found


_INVOICES = b"""invoice,description,amount_gbp,outstanding_gbp
1,Rent,22800,7500
2,Service charge,9600,0
3,Rent,22800,11400
"""


def test_only_the_rows_that_a_question_names_are_added_up(make_bundle: BundleMaker) -> None:
    folder = make_bundle({"invoices.csv": _INVOICES})
    response = ask(folder, "How much rent is outstanding in total?", reader="none")
    assert response.inferences[0].reasoning == "7500 + 11400 = 18,900"


def test_a_word_that_picks_one_row_adds_up_nothing(make_bundle: BundleMaker) -> None:
    folder = make_bundle({"invoices.csv": _INVOICES})
    question = "How much service charge is outstanding in total?"
    assert ask(folder, question, reader="none").inferences == ()
