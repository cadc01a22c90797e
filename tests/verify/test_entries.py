"""Of two entries that a code, a number, a place in a list or a moment tells apart, one does not
have what the other has: for each lie a true sentence that is let be."""

from __future__ import annotations

import pytest

from tipstaff.domain.classification import Support
from tipstaff.verify.evidence_text import EvidenceText
from tipstaff.verify.plainly_other import refuses_unsaid
from tipstaff.verify.support import check_support
from tipstaff.verify.turned_in_place import turned_in_place


def row(*cells: tuple[str, str]) -> EvidenceText:
    return EvidenceText("; ".join(f"{head}: {words}" for head, words in cells), cells=cells)


def texts(*sentences: str) -> list[EvidenceText]:
    return [EvidenceText(one, block=1) for one in sentences]


CREDITS = texts(
    "KR-40216 (£9,300, the second delivery of tiles) stays due on 3 March.",
    "KR-40261 (£1,120, the sealing) we have cancelled after the inspection, whatever they say.",
)
VARIATIONS = texts(
    "Variation 1 (painting the railings, £2,400): dropped by the contractor, no charge.",
    "Variation 2 (drain cover, £310): accepted at the site meeting of May.",
)
LOTS = texts(
    "Lot 12 is a walnut desk with two drawers, valued at £1,450.",
    "Lot 21 is a walnut desk with four drawers, valued at £2,900.",
)
RATES = texts(
    "The fee is £6.10 for a day, and £7.40 for a day at the weekend.",
    "Until 30 June the fees were £5.20 and £6.30.",
)
SWITCH = [
    row(
        ("id", "0044"),
        ("at", "2025-03-08 22:15"),
        ("text", "valve closed after the leak test (7 Mar 08:00 - 8 Mar 21:00)"),
    )
]
GAUGES = [
    row(("reader", "I. Osei"), ("level", "4.2"), ("remark", "same gauge two hours later; dim"))
]
LETTER = texts("Ms Tanaka acknowledged it on the tenth.", "She wrote that the board notes it.")
COSTS = texts(
    "Where the delay is the tenant's fault, the landlord shall also make good half of the rent."
)
AGENT = texts("The Trust took no part in that survey and is not answerable for it.")
CALL = texts("The agency says that Mr Falk wrote first, on 2 May, to ask for a later day.")


def withheld(statement: str, evidence: list[EvidenceText]) -> bool:
    return bool(turned_in_place(statement, [evidence])) or (
        check_support(statement, [evidence]).support in (Support.UNVERIFIED, Support.WEAK)
    )


@pytest.mark.parametrize(
    ("lie", "truth", "evidence"),
    [
        (
            "Invoice KR-40216 has been cancelled after the inspection, whatever they say",
            "Invoice KR-40261 has been cancelled after the inspection, whatever they say",
            CREDITS,
        ),
        (
            "Variation 1, painting the railings, was accepted at the site meeting of May",
            "Variation 2, a drain cover, was accepted at the site meeting of May",
            VARIATIONS,
        ),
        (
            "Lot 12 is a walnut desk with two drawers, valued at £2,900",
            "Lot 12 is a walnut desk with two drawers, valued at £1,450",
            LOTS,
        ),
        (
            "Until 30 June the fee for a day at the weekend was £5.20",
            "Until 30 June the fees were £5.20 and £6.30",
            RATES,
        ),
        (
            "The valve was closed on 7 March 2025 at 22:15, after the leak test",
            "The valve was closed on 8 March 2025 at 22:15, after the leak test",
            SWITCH,
        ),
        (
            "Mr Osei repaired the same gauge two hours later",
            "Mr Osei read 4.2 on the same gauge two hours later",
            GAUGES,
        ),
        ("Ms Tanaka turned the notice down on the tenth", "Ms Tanaka acknowledged it", LETTER),
        (
            "In every case the landlord shall also make good half of the rent",
            "Where the delay is the tenant's fault, the landlord shall make good half of the rent",
            COSTS,
        ),
        (
            "The Trust took no part in the survey, but is answerable for it",
            "The Trust took no part in the survey and is not answerable for it",
            AGENT,
        ),
        (
            "The agency says that Ms Osei wrote to Mr Falk first, on 2 May, to ask for a later day",
            "The agency says that Mr Falk wrote first, on 2 May, to ask for a later day",
            CALL,
        ),
    ],
)
def test_what_one_entry_has_is_not_said_of_the_other(
    lie: str, truth: str, evidence: list[EvidenceText]
) -> None:
    assert withheld(lie, evidence)
    assert not withheld(truth, evidence)


@pytest.mark.parametrize(
    ("told", "unsaid"),
    [
        ("Ms Tanaka acknowledged it", True),
        ("Ms Tanaka would not accept the notice", False),
        ("Asked for more time, the board said no", False),
    ],
)
def test_nothing_was_turned_down_where_nothing_says_no(told: str, unsaid: bool) -> None:
    assert refuses_unsaid("Ms Tanaka turned the notice down", told) is unsaid


def test_a_row_is_not_of_its_neighbour() -> None:
    tank = EvidenceText(
        "name: settling tank; status: delayed; expected: 2025-07-21",
        cells=(("name", "settling tank"), ("status", "delayed"), ("expected", "2025-07-21")),
        nearby="name: buffer tank status: shell complete",
    )
    assert withheld("The buffer tank is delayed and expected on 2025-07-21", [tank])
    assert not withheld("The settling tank is delayed and expected on 2025-07-21", [tank])


def test_two_codes_do_not_change_places() -> None:
    batch = row(
        ("cause", "Steel batch 71-K certified again"),
        ("days", "32"),
        ("remark", "papers delivered were for batch 71-R"),
    )
    text = "32 days are for steel batch {}, certified again since the papers were for batch {}"
    assert withheld(text.format("71-R", "71-K"), [batch])
    assert not withheld(text.format("71-K", "71-R"), [batch])


def test_what_a_remark_has_to_come_has_not_been_done() -> None:
    credit = row(
        ("buyer", "Lindq Import"),
        ("credit given", "0.00"),
        ("remarks", "Destroyed on 1 July. Credit of 5,121.60 to be given against the certificate"),
    )
    lie = "Lindq Import has already been credited with the 5,121.60"
    assert withheld(lie, [credit])
    assert not withheld("A credit of 5,121.60 is to be given to Lindq Import", [credit])


def test_whoever_is_told_something_is_nobody_else() -> None:
    mail = [EvidenceText("It is what the buyer told Pieter; we have nothing on paper.")]
    assert withheld("It rests on what the buyer told Harriet, with nothing on paper", mail)
