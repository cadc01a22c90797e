"""A row is repeated by its values with their own headers, and by nothing else."""

from __future__ import annotations

import pytest

from tipstaff.verify.evidence_text import EvidenceText
from tipstaff.verify.row_words import is_in_row_words


def _row(*cells: tuple[str, str], above: str = "Workshops") -> EvidenceText:
    text = "; ".join(f"{head}: {words}" for head, words in cells)
    heads = " | ".join((above, *(head for head, _ in cells)))
    return EvidenceText(text, surroundings=heads, cells=cells)


HEXHAM = _row(
    ("Workshop", "Hexham"), ("Repaired", "1,480"), ("Second repairs", "74"), ("Technicians", "11")
)
WREN = _row(
    ("Model", "Wren 3"), ("Sold 2023", "6,000"), ("Sold 2024", "21,000"),
    ("Returned 2023", "540"), ("Returned 2024", "1,050"), above="Devices",
)  # fmt: skip


@pytest.mark.parametrize(
    ("statement", "row"),
    [
        ("Hexham had 74 second repairs and 11 technicians", HEXHAM),
        ("Of the Wren 3, 540 devices were returned in 2023 and 1,050 in 2024", WREN),
        ("In 2024, 21,000 Wren 3 devices were sold", WREN),
    ],
)
def test_values_with_their_own_headers_repeat_a_row(statement: str, row: EvidenceText) -> None:
    assert is_in_row_words(statement, [[row]])


@pytest.mark.parametrize(
    ("statement", "row"),
    [
        ("Hexham had 11 second repairs and 74 technicians", HEXHAM),
        ("Hexham had 75 second repairs", HEXHAM),
        ("Lodz had 74 second repairs", HEXHAM),
        ("Hexham had more than 74 second repairs", HEXHAM),
        ("Of the Wren 3, 1,050 devices were returned in 2023 and 540 in 2024", WREN),
        ("In 2023, 21,000 Wren 3 devices were sold", WREN),
        ("Of the Wren 3, 540 devices were not returned in 2023", WREN),
        ("Returns of the Wren 3 fell from 1,050 to 540", WREN),
        ("Hexham had under 74 second repairs", HEXHAM),
        ("Hexham had 74 second repairs per technician", HEXHAM),
        ("Hexham had £74 in second repairs", HEXHAM),
        ("The profit of Hexham was 1,200", _row(("Site", "Hexham"), ("Profit", "(1,200)"))),
        ("The revenue of Hexham was 740", _row(("Site", "Hexham"), ("Revenue (£000)", "740"))),
        (
            "The Mill is approved at a cost of £90,000",
            _row(("Project", "Mill"), ("Status", "not approved"), ("Cost", "£90,000")),
        ),
    ],
)
def test_other_values_headers_and_words_do_not(statement: str, row: EvidenceText) -> None:
    assert not is_in_row_words(statement, [[row]])


def test_several_rows_are_told_one_after_the_other() -> None:
    rows = [
        _row(("Site", "Leeds"), ("Enrolled", "48")),
        _row(("Site", "Edinburgh"), ("Enrolled", "36")),
    ]
    assert is_in_row_words("Leeds had 48 enrolled and Edinburgh 36 enrolled", [rows])
    assert not is_in_row_words("Leeds had 36 enrolled and Edinburgh 48 enrolled", [rows])
