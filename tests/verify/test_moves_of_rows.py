"""What a row has rises or falls by its own times, by the row before it or by a word of it; what is
said of both rows is so in both."""

from __future__ import annotations

import pytest

from tipstaff.domain.classification import Support
from tipstaff.verify.evidence_text import EvidenceText
from tipstaff.verify.support import check_support


def row(*cells: tuple[str, str]) -> EvidenceText:
    return EvidenceText("; ".join(f"{head}: {words}" for head, words in cells), cells=cells)


BILL = [row(("Household", "Typical household"), ("Now", "$32.92"), ("From July 2025", "$35.62"))]
DRAINS = [row(("Head", "Drainage"), ("2023", "£7,400"), ("2024", "£6,940"))]
CHANGED = [row(("Head", "Drainage"), ("Costs", "£6,940"), ("Remark", "fell since last year"))]
FIRMS = [row(("", "Days to shipment"), ("We", "11"), ("Hallmere", "6"), ("OrrinPace", "4"))]
LOAD = [
    row(("time", "14:30"), ("requests", "690")),
    row(("time", "14:45"), ("requests", "1290")),
    row(("time", "15:00"), ("requests", "1248")),
]
TASKS = [
    row(("Action", "Rename the setting"), ("Owner", "Ada Byron"), ("State", "Done")),
    row(("Action", "Clear the cache"), ("Owner", "Ada Byron"), ("State", "Open")),
    row(("Action", "Add the alert"), ("Owner", "Max Pike"), ("State", "Done")),
    row(("Action", "Write the note"), ("Owner", "Max Pike"), ("State", "Done")),
]


@pytest.mark.parametrize(
    ("true", "false", "evidence"),
    [
        (
            "The typical household pays $35.62 from July 2025.",
            "What the typical household pays falls to $35.62 from July 2025.",
            BILL,
        ),
        ("Drainage fell to £6,940 in 2024.", "Drainage rose to £6,940 in 2024.", DRAINS),
        ("Drainage costs fell to £6,940.", "Drainage costs rose to £6,940.", CHANGED),
        ("OrrinPace: 4 days to shipment.", "OrrinPace: 4 days to shipment, down from 6.", FIRMS),
        ("Requests rose to 1290 at 14:45.", "Requests fell to 1290 at 14:45.", LOAD),
        ("Requests fell to 1248 at 15:00.", "Requests rose to 1248 at 15:00.", LOAD),
    ],
)
def test_a_row_moves_as_it_does(true: str, false: str, evidence: list[EvidenceText]) -> None:
    assert check_support(true, [evidence]).support is not Support.UNVERIFIED
    assert check_support(false, [evidence]).support is Support.UNVERIFIED


def test_what_is_said_of_both_is_so_in_both() -> None:
    assert check_support("Both actions are done.", [TASKS[2:]]).support is not Support.UNVERIFIED
    assert check_support("Both actions are done.", [TASKS[:2]]).support is Support.UNVERIFIED


def test_a_list_keeps_its_order() -> None:
    told = [EvidenceText("The sites come up in this order: Monterrey, Columbus, Rotterdam.")]
    true = "Monterrey comes up first, then Columbus, then Rotterdam."
    false = "The sites come up in this order: Rotterdam, Columbus, Monterrey."
    assert check_support(true, [told]).support is not Support.UNVERIFIED
    assert check_support(false, [told]).support is Support.UNVERIFIED
