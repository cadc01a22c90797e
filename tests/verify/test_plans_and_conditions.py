"""What a plan only names has not come to pass, and what holds if something is so does not hold."""

from __future__ import annotations

import pytest

from tipstaff.domain.classification import Support
from tipstaff.verify.evidence_text import EvidenceText
from tipstaff.verify.support import check_support


def _row(heading: str, *cells: tuple[str, str]) -> EvidenceText:
    text = "; ".join(f"{head}: {words}" for head, words in cells)
    return EvidenceText(text, heading, cells=cells)


def _text(words: str, heading: str = "") -> EvidenceText:
    return EvidenceText(words, heading, block=1)


def _holds(statement: str, *units: EvidenceText) -> bool:
    return check_support(statement, [list(units)]).support is not Support.UNVERIFIED


SIGNED = _row(
    "Plan | Milestones", ("Milestone", "Contract signed"), ("Date", "5 May"), ("Owner", "Ada Byron")
)
ADVICE = _row(
    "Minutes | Actions", ("Action", "Inspect the boiler"), ("Who", "Ada Byron"), ("By", "5 May")
)
LEDGER = _row("Ledger", ("item", "Contract signed"), ("due", "5 May"), ("paid_on", "4 May"))
RELEASED = _text("Eight trainers released for six weeks from 1 June.", "Plan | Dependencies")
WENT = _text("The pack went to the office on 20 October.", "Plan | Open points")
ISSUED = _text("The board issued the permit on 4 May.", "Report | Next steps")


@pytest.mark.parametrize(
    ("true", "false", "unit"),
    [
        (
            "Ada Byron owns the milestone of 5 May, contract signed.",
            "Ada Byron signed the contract on 5 May.",
            SIGNED,
        ),
        (
            "Ada Byron has an action to inspect the boiler by 5 May.",
            "Ada Byron inspected the boiler by 5 May.",
            ADVICE,
        ),
        (
            "Eight trainers are to be released for six weeks from 1 June.",
            "Eight trainers were released for six weeks from 1 June.",
            RELEASED,
        ),
        (
            "Eight trainers are to be released for six weeks from 1 June.",
            "Eight trainers have been released for six weeks from 1 June.",
            RELEASED,
        ),
    ],
)
def test_what_a_plan_names_has_not_come_to_pass(true: str, false: str, unit: EvidenceText) -> None:
    assert _holds(true, unit)
    assert not _holds(false, unit)


@pytest.mark.parametrize(
    ("statement", "unit"),
    [
        ("The pack went to the office on 20 October.", WENT),
        ("The board issued the permit on 4 May.", ISSUED),
        ("The contract was signed.", LEDGER),
    ],
)
def test_what_stands_in_a_plan_and_happened_is_said(statement: str, unit: EvidenceText) -> None:
    assert _holds(statement, unit)


PAUSED = _text("Intake is paused for review by the board if two guests fall ill on one day.")
CRATES = _text("If the panel stays at home, a photograph takes its place, and three crates travel.")
FALLS = _text("If protests are received for more than half of all houses the proposal falls.")
TRUE = _text("All of the following have to be true: no defect is open; every link has been tested.")


@pytest.mark.parametrize(
    ("true", "false", "unit"),
    [
        (
            "Intake is paused for review by the board if two guests fall ill.",
            "Intake is paused for review by the board.",
            PAUSED,
        ),
        (
            "If the panel stays at home, three crates travel.",
            "Three crates travel.",
            CRATES,
        ),
        (
            "The proposal falls if protests are received for more than half of all houses.",
            "The proposal falls.",
            FALLS,
        ),
        ("Every link must have been tested.", "Every link has been tested.", TRUE),
    ],
)
def test_what_is_so_in_one_case_is_not_so(true: str, false: str, unit: EvidenceText) -> None:
    assert _holds(true, unit)
    assert not _holds(false, unit)


def test_of_whom_it_holds_is_not_in_which_case() -> None:
    told = [
        EvidenceText(
            "If a claim under clause 9 is then open, the owner (but not the tenant) may give that "
            "notice up to 30 June 2026."
        )
    ]
    lie = "The owner, but not the tenant, may give that notice up to 30 June 2026"
    assert check_support(lie, [told]).support is Support.UNVERIFIED
    truth = f"If a claim under clause 9 is then open, {lie[0].lower()}{lie[1:]}"
    assert check_support(truth, [told]).support is not Support.UNVERIFIED
