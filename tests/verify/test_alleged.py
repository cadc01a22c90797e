"""What a place only says that somebody says, what another remark of a row says, one side of a
contrast and an exception that nobody made are not told as facts; what is true beside them is."""

from __future__ import annotations

import pytest

from tests.verify.one_place import claim_of
from tipstaff.verify.evidence_text import EvidenceText
from tipstaff.verify.joined import contrasted
from tipstaff.verify.sentence_check import Witness, check_sentence
from tipstaff.verify.sentence_stream import DraftedSentence

MAIL = [
    EvidenceText(
        "You say a courier copy was handed in at our registered office at 15:20 on the 11th.",
        author="Gareth Price",
    ),
    EvidenceText("Reception has no entry for it.", author="Gareth Price"),
]
REMARKS = (
    "Customer ticket 5521 says the portal clock ran slow. Customer's covering letter bears the "
    "date of 9 December"
)
ROW = [
    EvidenceText(
        f"block: N-14; accepted: 2025-12-08; remarks: {REMARKS}",
        cells=(("block", "N-14"), ("accepted", "2025-12-08"), ("remarks", REMARKS)),
    )
]
PUMPS = [
    EvidenceText(
        f"tag: {tag}; item: {item}; alarm_fitted: {fitted}",
        cells=(("tag", tag), ("item", item), ("alarm_fitted", fitted)),
    )
    for tag, item, fitted in (("P2", "sump pump", "false"), ("P3", "drain pump", "true"))
]
NOT_COUNTED = [
    EvidenceText("Interruptions by these causes do not count:"),
    EvidenceText("(c) cleaning, up to 4.5 hours in any week;"),
]


@pytest.mark.parametrize(
    ("lie", "evidence"),
    [
        ("A courier copy was handed in at the registered office at 15:20 on the 11th", MAIL),
        ("Gareth Price says that a courier copy was handed in at the registered office", MAIL),
        ("Customer ticket 5521 bears the date of 9 December", ROW),
        ("The sump pump P2 has its alarm while the drain pump P3 lacks one", PUMPS),
        ("Cleaning does not count, except for up to 4.5 hours in any week", NOT_COUNTED),
    ],
)
def test_it_is_not_told_as_a_fact(lie: str, evidence: list[EvidenceText]) -> None:
    assert claim_of(lie, evidence) is None


@pytest.mark.parametrize(
    ("true", "evidence"),
    [
        ("Reception has no entry for the courier copy", MAIL),
        ("The customer's covering letter on N-14 bears the date of 9 December", ROW),
        ("Customer ticket 5521 on N-14 says the portal clock ran slow", ROW),
        ("The sump pump P2 has no alarm", PUMPS),
        ("Cleaning up to 4.5 hours in any week does not count", NOT_COUNTED),
    ],
)
def test_what_is_true_beside_it_is(true: str, evidence: list[EvidenceText]) -> None:
    assert claim_of(true, evidence) is not None


def test_a_header_with_a_question_mark_is_no_statement_without_its_value() -> None:
    asked: list[str] = []

    def search(statement: str) -> tuple[()]:
        asked.append(statement)
        return ()

    witness = Witness(
        look_up=lambda _citation: "",
        search=search,
        names={},
        known_terms=frozenset(),
        known_figures=frozenset(),
    )
    cut = DraftedSentence("Aircraft SK-03: Highest pack 296, Above 300?", "")
    assert check_sentence(cut, witness).removed is not None
    assert asked == []


def test_of_a_contrast_both_sides_are_known() -> None:
    assert contrasted("P2 has its alarm while P3 lacks one") == (
        "P2 has its alarm",
        "P3 lacks one",
    )
    assert contrasted("The pump of the block ran while wet") == ()
