"""Shares and totals that a question asks for, from cells that it names."""

from __future__ import annotations

from tests.answer.interrogating import ask
from tests.conftest import BundleMaker
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
