"""Namesakes, rows by their letters, bounds from either side: what is one and what is another."""

from __future__ import annotations

import pytest

from tipstaff.domain.classification import Support
from tipstaff.verify.evidence_text import EvidenceText
from tipstaff.verify.measures import said_by_unit
from tipstaff.verify.support import check_support
from tipstaff.verify.synonyms import written_apart

OVEN = EvidenceText(
    "I bake six trays of rye bread, and a larger oven would be louder.",
    surroundings="Talk with the bakers | Emil Hauk",
    author="Emil Hauk",
)
PLANS = [
    EvidenceText(f"Plan: {letter}; Method: {method}; Cost: {cost}",
                 cells=(("Plan", letter), ("Method", method), ("Cost", cost)))
    for letter, method, cost in (("A", "Gravel filter", "£38,000"), ("B", "Reed bed", "£41,000"))
]  # fmt: skip
COSTS = [
    EvidenceText("The work on the chimney was done by Frey and cost 22,300 euros."),
    EvidenceText("A new oven cost 6,120 euros, and the old one had served for 31 years."),
    EvidenceText("Smaller repairs came to 3,450 euros."),
]
CLEAN = [
    EvidenceText("Please do not print that the flour is mouldy."),
    EvidenceText("What comes out of the mill is sound, and the laboratory confirms it."),
]
HEATING = EvidenceText(
    "loads, oven heating; may switch off: false",
    cells=(("", "loads, oven heating"), ("may switch off", "false")),
)
FLIGHTS = EvidenceText("No deliveries take place with wind above 45 km/h or daylight below 90 lux.")
LOAD = EvidenceText("A single crate on the hoist may not exceed 900 kilograms.")
FROM_TO = EvidenceText("A loaf rises from 46 to 49 pence.")
WALK = EvidenceText("My helper Pasang does it in one hour and ten minutes.")
DAYS = EvidenceText("The chimney was closed between 16 and 27 June and swept for 300 euros.")
SHARE = EvidenceText("The guild has promised to pay 60% of the cost.")
PUPILS = EvidenceText("The guild plans a course with 16 pupils and four masters.")
MONTHS = [
    EvidenceText(f"Month: {month}; 2024: {before}; 2025: {now}",
                 surroundings="Guests by month",
                 cells=(("Month", month), ("2024", before), ("2025", now)))
    for month, before, now in (("August", "1,641", "1,587"), ("September", "755", "902"))
]  # fmt: skip
MOTION = EvidenceText(
    "The motion was rejected, six votes to one. Cats remain banned from the mill."
)


@pytest.mark.parametrize(
    ("statement", "evidence"),
    [
        ("Emil Hauk bakes six trays of rye bread.", [OVEN]),
        ("Emil Hauk fears that a larger oven would be louder.", [OVEN]),
        ("Plan B is a reed bed.", PLANS),
        ("Smaller repairs came to 3,450 euros.", COSTS),
        ("The laboratory confirms that what comes out of the mill is sound.", CLEAN),
        ("Oven heating may not be switched off.", [HEATING]),
        ("Daylight must be at least 90 lux.", [FLIGHTS]),
        ("A single crate may weigh no more than 900 kg.", [LOAD]),
        ("A loaf will cost 49 pence, up from 46 pence.", [FROM_TO]),
        ("Pasang does it in 70 minutes.", [WALK]),
        ("The chimney was closed from 16 to 27 June.", [DAYS]),
        ("The guild has promised to pay 60 per cent of the cost.", [SHARE]),
        ("Sixteen pupils and four masters are planned.", [PUPILS]),
        ("September 2025 had more guests than September 2024, 902 against 755.", MONTHS),
        ("The motion to allow cats was rejected by six votes to one.", [MOTION]),
    ],
)
def test_what_is_said_of_the_right_one_leaves(statement: str, evidence: list[EvidenceText]) -> None:
    assert check_support(statement, [evidence]).support is not Support.UNVERIFIED


@pytest.mark.parametrize(
    ("statement", "evidence"),
    [
        ("Judith Hauk bakes six trays of rye bread.", [OVEN]),
        ("Judith Hauk said that a larger oven would be louder.", [OVEN]),
        ("Plan A is a reed bed.", PLANS),
        ("Smaller repairs came to 22,300 euros.", COSTS),
        ("The laboratory does not confirm that the flour is sound.", CLEAN),
        ("Oven heating may be switched off.", [HEATING]),
        ("Daylight must be at most 90 lux.", [FLIGHTS]),
        ("A single crate must weigh at least 900 kg.", [LOAD]),
        ("A loaf will cost 46 pence, up from 49 pence.", [FROM_TO]),
        ("Pasang does it in 80 minutes.", [WALK]),
        ("The chimney was closed from 17 to 27 June.", [DAYS]),
        ("August 2025 had more guests than August 2024, 1,641 against 1,587.", MONTHS),
        ("September 2025 had fewer guests than September 2024, 902 against 755.", MONTHS),
        ("Cats are allowed in the mill.", [MOTION]),
    ],
)
def test_what_is_said_of_another_is_withheld(statement: str, evidence: list[EvidenceText]) -> None:
    assert check_support(statement, [evidence]).support is Support.UNVERIFIED


def test_a_unit_says_how_it_is_measured_and_nothing_else() -> None:
    text = "The crate weighs 40 kg."
    assert "weigh" in said_by_unit(text, text.index(" kg"))
    assert "temperatur" not in said_by_unit(text, text.index(" kg"))


def test_words_written_apart_are_the_word_written_as_one() -> None:
    assert written_apart(["time", "zone"], frozenset(["timezon"])) == {"time", "zone"}
    assert written_apart(["wastewater"], frozenset(["waste", "water"])) == {"wastewater"}
    assert not written_apart(["time", "table"], frozenset(["timezon"]))
