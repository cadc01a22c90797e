"""Sums that a synthesis states are done again, and hardly anything matches by chance."""

from __future__ import annotations

import pytest

from tipstaff.facts.quantities import quantities
from tipstaff.synthesis.arithmetic import counted, recomputed
from tipstaff.synthesis.claims import claims_of
from tipstaff.synthesis.columns import from_columns
from tipstaff.synthesis.totals import wrong_totals
from tipstaff.verify.evidence_text import EvidenceText
from tipstaff.verify.statement import Statement


def _again(said: str, *basis: str, place: int = 0) -> str:
    return recomputed(quantities(said)[place], said, basis)


@pytest.mark.parametrize(
    ("said", "basis", "working"),
    [
        ("£19,201", ["£18,200 may rise by 5.5 percent"], "£18,200 plus 5.5 percent = £19,201"),
        ("$102.9 billion", ["$45.9B", "$37.8B", "$19.2B"], "$45.9B + $37.8B + $19.2B"),
        ("121.6%", ["from $7.4 million to $16.4 million"], "$7.4 million to $16.4 million"),
        ("fifteen minutes", ["at 14:16 a user", "the alert at 14:31"], "14:16 to 14:31"),
        ("three days", ["2024-10-04 and 2024-10-07"], "2024-10-04 to 2024-10-07"),
        ("$104.7 million", ["a 17.2% stake at $18 million"], "$18 million by 17.2%"),
    ],
)
def test_a_figure_that_follows_has_its_working(said: str, basis: list[str], working: str) -> None:
    assert working in _again(said, *basis)


@pytest.mark.parametrize(
    ("said", "basis"),
    [
        ("71 percent", ["six days, four days, 22 percent, 14 percent, 17 percent, 310,000"]),
        ("£19,210", ["£18,200 may rise by 5.5 percent"]),
        ("about 14,000 euros", ["11,480 attempts failed", "2,917 accounts"]),
        ("$5", ["$2 and $3 and $4 and $6"]),
    ],
)
def test_a_figure_that_does_not_follow_has_none(said: str, basis: list[str]) -> None:
    assert _again(said, *basis) == ""


def test_rows_are_counted() -> None:
    (five,) = quantities("five milestones")
    assert counted(five, 5) == "5 are listed there"
    assert counted(five, 6) == ""


def _row(*cells: tuple[str, str]) -> EvidenceText:
    return EvidenceText("; ".join(f"{head}: {words}" for head, words in cells), cells=cells)


ROWS = [
    _row(("Region", "U.S. West"), ("Share", "39.0%"), ("Customers", "32")),
    _row(("Region", "U.S. South"), ("Share", "50.0%"), ("Customers", "36")),
    _row(("Region", "Europe"), ("Share", "11.0%"), ("Customers", "12")),
    _row(("Region", "Total"), ("Share", "100%"), ("Customers", "80")),
]


def _from_rows(said: str, place: int = 0) -> str:
    statement = Statement(said)
    return from_columns(statement.figures[place], statement, ROWS)


def test_the_rows_that_a_claim_names_are_added_up() -> None:
    assert _from_rows("The U.S. makes up 89% of it.") == "share: 39.0% + 50.0% = 89%"
    assert _from_rows("The U.S. makes up 88% of it.") == ""


def test_a_share_is_taken_of_the_total_of_its_column() -> None:
    assert "12 of 80 (customers) = 15%" in _from_rows("Europe has 15% of the customers.")
    assert _from_rows("Europe has 17% of the customers.") == ""


def _wrong(text: str) -> list[str]:
    return list(wrong_totals(claims_of(text, {})).values())


TABLE = "| Part | Amount |\n|---|---|\n| Roof | $40 |\n| Wall | $60 |\n| **Total** | **{}** |\n"


def test_a_total_that_the_rows_above_do_not_add_up_to_is_found() -> None:
    assert _wrong(TABLE.format("$110")) == ["The rows above add up to 100, not to $110."]
    assert _wrong(TABLE.format("$100")) == []


def test_a_total_behind_a_subtotal_is_right() -> None:
    rows = "| Part | Amount |\n|---|---|\n| A | $40 |\n| B | $60 |\n| Base | $100 |\n| C | $15 |\n"
    assert _wrong(rows + "| Total | $115 |\n") == []


def test_a_change_that_its_own_figures_do_not_make_is_found() -> None:
    assert _wrong("Sales grew from $7.4 million to $16.4 million, or 121.6 percent.\n") == []
    (why,) = _wrong("Sales grew from $7.4 million to $16.4 million, or 151.6 percent.\n")
    assert why == "From $7.4 million to $16.4 million is 121.6 percent, not 151.6 percent."


def test_a_yearly_rate_is_no_change_from_end_to_end() -> None:
    text = "It grew from $99.1 billion to $201.3 billion, a CAGR of 15.2 percent.\n"
    assert _wrong(text) == []
