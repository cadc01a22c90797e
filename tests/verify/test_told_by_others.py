"""What newer readings of drafts found: verbs that are denied, rows still open, whose account it is,
labels under a denial, figures of another month's row or with another column's unit."""

from __future__ import annotations

import pytest

from tipstaff.domain.classification import Support
from tipstaff.verify.evidence_text import EvidenceText
from tipstaff.verify.framing import without_strange_head
from tipstaff.verify.support import check_support

REPEATED = [
    EvidenceText("Item 17 was signed on 21 August, before the update."),
    EvidenceText("It was not repeated."),
    EvidenceText("The checklist did not say that it had to be."),
]
SAID = EvidenceText(
    "Hamish Rook says your Bea Szalai asked him for a generator at about half past seven.",
    author="Odile Farrant",
)
TILL = EvidenceText("The till had sold 41 for that tour. Not settled; he is to report back.")


def row(**cells: str) -> EvidenceText:
    named = tuple((head.replace("_", " "), words) for head, words in cells.items())
    return EvidenceText("; ".join(f"{head}: {words}" for head, words in named), cells=named)


RETRAIN = row(Action="Retrain all seven pilots on recall", State_at_9_Sept="Planned; two done")
AIR = [
    row(date="2025-12-09", peak_co2_ppm="2210", radon="529", remark="Commissioning test of fan"),
    row(date="2025-11-09", peak_co2_ppm="11860", radon="821", remark="Wall alarm; cave cleared"),
]


def held(statement: str, *evidence: EvidenceText) -> bool:
    return check_support(statement, [[*evidence]]).support is not Support.UNVERIFIED


def test_what_was_not_repeated_was_not() -> None:
    assert not held("Item 17 was repeated, although the checklist did not say so.", *REPEATED)
    assert held("Item 17 was not repeated.", *REPEATED)


def test_what_a_row_plans_has_not_been_done() -> None:
    assert not held("All seven pilots had been retrained on recall by 9 September.", RETRAIN)
    assert held("To retrain all seven pilots on recall is planned.", RETRAIN)


def test_nobodys_own_account_is_told_by_another() -> None:
    lie = "It is Bea Szalai's own account that she asked Hamish Rook for a generator."
    assert not held(lie, SAID)
    assert held("Hamish Rook says that Bea Szalai asked him for a generator.", SAID)


def test_a_label_that_is_only_denied_is_left_out() -> None:
    said = "**Settled:** The till had sold 41 for that tour."
    assert without_strange_head(said, [TILL]) == "The till had sold 41 for that tour."
    other = "**Not settled:** The till had sold 41 for that tour."
    assert "41" in without_strange_head(other, [TILL])


@pytest.mark.parametrize(
    "lie",
    [
        "Radon was 821 when the fan was tested in December and 529 when the alarm went off.",
        "Radon was 821 ppm on 9 November 2025.",
    ],
)
def test_a_figure_keeps_its_row_and_its_unit(lie: str) -> None:
    assert not held(lie, *AIR)
    assert held("Radon was 821 on 9 November 2025.", *AIR)
