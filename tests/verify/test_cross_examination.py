"""The reader is asked for a fact that a statement has: another answer withholds it."""

from __future__ import annotations

import asyncio

import pytest

from tipstaff.contracts.support_checkers import faults_of
from tipstaff.domain.classification import Support
from tipstaff.errors import UsageError
from tipstaff.settings import DEFAULTS
from tipstaff.verify.cross_examination import cross_examiner

LINEN = (
    "Clean linen is delivered seven days a week: to St Brannock's by 06:30, to Mill Lane by 06:45 "
    "and to Corrie General by 07:15."
)
STATION = "Station: Summit; Volunteers: 6; Hours: 385; Boats assisted: 514"
AUDIT = ["Lead auditor: Dr Helena Voss.", "Second auditor: Simon Achterberg."]
STATEMENTS = [
    ("Mill Lane is to be supplied by 06:45.", "Mill Lane is to be supplied by 07:15.", [LINEN]),
    ("The Summit station recorded 385 hours.", "The Summit station recorded 514 hours.", [STATION]),
    ("Dr Helena Voss was the lead auditor.", "Simon Achterberg was the lead auditor.", AUDIT),
]


def said(statement: str, passages: list[str]) -> Support:
    return asyncio.run(cross_examiner(model="").check(statement, passages))


@pytest.mark.parametrize(("true", "false", "passages"), STATEMENTS)
def test_another_fact_of_the_kind_is_found(true: str, false: str, passages: list[str]) -> None:
    assert said(true, passages) is Support.ENTAILED
    assert said(false, passages) is Support.UNVERIFIED


def test_what_was_worked_out_or_has_rivals_in_the_statement_is_not_asked_for() -> None:
    rows = ["Item: Rent; 2024: £90; 2025: £120"]
    assert said("Rent rose by £30.", rows) is Support.ENTAILED
    assert said("Rent rose from £90 to £120.", rows) is Support.ENTAILED


def test_a_reader_that_is_not_there_is_known_at_once() -> None:
    for name in ("none", "nobody"):
        with pytest.raises(UsageError):
            cross_examiner(model=name)


def test_it_keeps_the_promises_of_a_checker_and_is_a_default() -> None:
    assert faults_of(cross_examiner(model="")) == []
    assert "reader" in DEFAULTS.support_checker.split(", ")
