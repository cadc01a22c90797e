"""What a retelling may do with the words of a paper, and what it may not: in fields that no draft
for tuning is from."""

from __future__ import annotations

import pytest

from tipstaff.domain.classification import Support
from tipstaff.verify.evidence_text import EvidenceText
from tipstaff.verify.support import check_support

SILO = EvidenceText("Grain in silo 4 is kept below 14 percent moisture.", "Harvest plan | Storage")
FERRY = [
    EvidenceText("The refit has to be finished by May."),
    EvidenceText("If it is not, we hire a second ferry from 3 June."),
]
BELL = EvidenceText("The fire bell rang at 09:12.")
CHORUS = [
    EvidenceText("The totals exclude guests."),
    EvidenceText("In spring there were 31 guests, of whom 12 were singing in the choir."),
]
LIMIT = [
    EvidenceText("The fee for a mooring may not exceed the fee of the year before."),
    EvidenceText("Fuel surcharges are outside this limit."),
]
CHECK = EvidenceText(
    "Item: Brakes tested; State: Not done",
    "Inspection | Item | State",
    cells=(("Item", "Brakes tested"), ("State", "Not done")),
)
CHAT = EvidenceText("11:40 <mokafor> level 2", "#harbour | mokafor", author="mokafor")
BUDGET = EvidenceText(
    "Item: Seeds; Last year: $4,100; This year: $4,600; Change: $500",
    "Farm budget | Item | Last year | This year | Change",
    cells=(
        ("Item", "Seeds"), ("Last year", "$4,100"), ("This year", "$4,600"), ("Change", "$500"),
    ),
)  # fmt: skip
SURVEY = EvidenceText(
    "The beams are sound.", "Barn", paper="barn-survey\nI inspected the barn as your surveyor."
)
SPONGE = EvidenceText(
    "The valve is opened when the tank is full.\nThe valve is not opened at night."
)
PROMISE = EvidenceText(
    "The council intends, without being obliged to do so, to plant the verge before autumn."
)
LABELS = EvidenceText("The label on the red tap was wrong and the label on the blue tap is right.")
GATE = EvidenceText("Visitors on foot are let in only while the bridge is up.")
RATE = EvidenceText('In rule 8 the words "6 percent" replace the words "5 percent".')
GAUGE = EvidenceText("It watches the pressure of the whole network, of which Dale is a part.")
DRAFT = EvidenceText("The yard has one crane.", "Yard plan, draft 2")


@pytest.mark.parametrize(
    ("statement", "evidence"),
    [
        ("Moisture of grain in silo 4 is specified at below 14 percent.", [SILO]),
        ("If the refit is not finished by May, a second ferry is hired from 3 June.", FERRY),
        ("The fire bell did not ring until 09:12.", [BELL]),
        ("There were 31 guests in spring, 12 of whom sang in the choir.", CHORUS),
        ("Fuel surcharges fall outside the limit on the mooring fee.", LIMIT),
        ("The brakes were not tested.", [CHECK]),
        ("Okafor set level 2 at 11:40.", [CHAT]),
        ("Seeds cost $4,600 this year, $500 more than last year.", [BUDGET]),
        ("The surveyor considers the beams sound.", [SURVEY]),
    ],
)
def test_what_is_retold_in_other_words_is_kept(
    statement: str, evidence: list[EvidenceText]
) -> None:
    verdict = check_support(statement, [evidence])
    assert verdict.support is not Support.UNVERIFIED, verdict.reason


@pytest.mark.parametrize(
    ("statement", "evidence"),
    [
        ("The fire bell did not ring.", [BELL]),
        ("The brakes were tested.", [CHECK]),
        ("Seeds cost $4,600 this year, $500 less than last year.", [BUDGET]),
        ("The valve is also opened at night.", [SPONGE]),
        ("The council is obliged to plant the verge.", [PROMISE]),
        ("The council planted the verge before autumn.", [PROMISE]),
        ("The label on the blue tap was wrong too.", [LABELS]),
        ("Visitors on foot are let in as well.", [GATE]),
        ("The rate in rule 8 falls to 6 percent.", [RATE]),
        ("It watches only the pressure of Dale.", [GAUGE]),
        ("The yard has two cranes.", [DRAFT]),
    ],
)
def test_what_the_same_words_do_not_say_is_withheld(
    statement: str, evidence: list[EvidenceText]
) -> None:
    assert check_support(statement, [evidence]).support is Support.UNVERIFIED
