"""Tables that answer by themselves: the row by its label or its time, the column by its header."""

from __future__ import annotations

from tests.answer.asked import asked
from tests.conftest import BundleMaker
from tipstaff.domain.classification import Classification

_STAFF = b"""# Staff

| Group | Sept 30, 2025 | June 30, 2025 | Sept 30, 2024 |
|---|---|---|---|
| Employees | 593 | 585 | 561 |
| Contractors | 41 | 38 | 52 |
"""
_LOAD = b"time_utc,requests,p99_ms\n15:00,1248,7850\n15:15,1105,7610\n15:30,1020,7400\n"
_VISITS = b"""# Schedule of visits

| procedure | week_4 | week_8 | week_16 |
|---|---|---|---|
| Blood drawn (mL) | 18 | 25 | 30 |
| Visit length (minutes) | 60 | 90 | 105 |
"""


def test_a_row_with_two_columns_that_fit_shows_both(make_bundle: BundleMaker) -> None:
    folder = make_bundle({"staff.md": _STAFF})
    response = asked(folder, "How many employees were there at the end of September?")
    assert response.classification is Classification.GROUNDED
    assert "Employees, Sept 30, 2025: 593" in response.text
    assert "Employees, Sept 30, 2024: 561" in response.text
    assert "585" not in response.text


def test_the_noun_behind_a_quarter_is_what_is_asked_for(make_bundle: BundleMaker) -> None:
    text = (
        b"# Year\n\n| Item | Q2 | Q3 |\n|---|---|---|\n| Revenue | 474 | 486 |\n| Tax | 5 | 6 |\n"
    )
    response = asked(make_bundle({"year.md": text}), "What was the Q3 revenue?")
    assert "Revenue, Q3: 486" in response.text


def test_a_row_is_found_by_its_time_of_day(make_bundle: BundleMaker) -> None:
    response = asked(make_bundle({"load.csv": _LOAD}), "What was the p99 latency at 15:15?")
    assert "7610" in response.text
    assert "7850" not in response.text


def test_what_is_done_with_a_quantity_does_not_tell_rows_apart(make_bundle: BundleMaker) -> None:
    folder = make_bundle({"visits.md": _VISITS})
    response = asked(folder, "How much blood is taken at the week 8 visit?")
    assert "Blood drawn (mL), week_8: 25" in response.text


def test_a_row_of_something_else_is_not_taken_for_an_unknown_word(
    make_bundle: BundleMaker,
) -> None:
    folder = make_bundle({"visits.md": _VISITS})
    response = asked(folder, "How much urine is taken at the week 8 visit?")
    assert response.classification in (Classification.ABSTENTION, Classification.PARTIAL)
