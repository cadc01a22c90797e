"""Numbers and days that are spelled out."""

from __future__ import annotations

from decimal import Decimal

import pytest

from tipstaff.facts.periods import outside_dates, periods
from tipstaff.facts.quantities import Measure, only_figure, quantities


@pytest.mark.parametrize(
    ("words", "value"),
    [
        ("four thousand three hundred and eighty", 4380),
        ("two hundred and ten", 210),
        ("eleven and a half thousand", 11_500),
        ("one million two hundred thousand", 1_200_000),
        ("fifty-six", 56),
        ("a hundred", 100),
    ],
)
def test_a_spelled_number_is_one_figure(words: str, value: int) -> None:
    assert [one.value for one in quantities(f"It came to {words}, he said.")] == [Decimal(value)]


def test_numbers_that_stand_side_by_side_stay_apart() -> None:
    text = "five and six, eleven and a half thousand and seven and a half thousand"
    assert [one.value for one in quantities(text)] == [5, 6, 11_500, 7_500]


def test_a_spelled_sum_has_its_currency() -> None:
    (figure,) = quantities("six thousand pounds as a gesture")
    assert (figure.measure, figure.unit) == (Measure.MONEY, "GBP")


def test_a_spelled_day_is_a_time_and_no_duration() -> None:
    text = "until the sheeting on the twenty-second of April"
    assert quantities(text) == []
    assert periods(text) == {"d22", "m04"}


def test_the_numbers_of_dates_and_times_are_no_figures_of_a_claim() -> None:
    text = "At 14:30 on 6 November 2025 there were 12 people."
    assert [one.text for one in outside_dates(quantities(text), text)] == ["12"]


def test_a_cell_is_a_figure_only_if_it_is_nothing_else() -> None:
    found = only_figure("2018")
    assert found is not None
    assert found.value == 2018
    assert only_figure("2025-06-27") is None
    assert only_figure("12 of 40") is None


def test_a_figure_that_is_given_as_about_right_may_be_rounded() -> None:
    (exact,) = quantities("412 square metres")
    (rough,) = quantities("about 410 square metres")
    (other,) = quantities("410 square metres")
    assert rough.agrees_with(exact)
    assert not other.agrees_with(exact)
