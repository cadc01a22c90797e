"""Whose figure it is, of things that are told apart by a number; which end of a month; what an
entry of a log says was done."""

from __future__ import annotations

import pytest

from tipstaff.verify.evidence_text import EvidenceText
from tipstaff.verify.numbered_figures import is_of_other_number
from tipstaff.verify.support import check_support
from tipstaff.verify.timing import is_of_other_end

INVOICES = EvidenceText(
    "The second invoice, £18,640, remains unpaid. The first, £12,760, was paid on 14 November."
)


def row(*cells: tuple[str, str]) -> EvidenceText:
    return EvidenceText("; ".join(f"{head}: {words}" for head, words in cells), cells=cells)


CERTIFICATES = [
    row(("certificate", "1"), ("certified_gbp", "61480")),
    row(("certificate", "2"), ("certified_gbp", "118905")),
]


@pytest.mark.parametrize(
    ("said", "other"),
    [
        ("The first invoice, £18,640, was paid and the second, £12,760, remains unpaid", True),
        ("The first invoice of £12,760 was paid on 14 November", False),
        ("The second invoice, £18,640, remains unpaid", False),
        ("£18,640 for the second invoice and £12,760 for the first are due", False),
        ("The first meeting was on 14 November", False),
    ],
)
def test_the_firsts_figure_is_not_the_seconds(said: str, other: bool) -> None:
    assert is_of_other_number(said, [INVOICES]) is other


@pytest.mark.parametrize(
    ("said", "other"),
    [
        ("Certificate 1 is for £118,905 and certificate 2 is for £61,480", True),
        ("Certificate 1 is for £61,480 and certificate 2 is for £118,905", False),
        ("Certificate 2 is for £118,905", False),
        ("Clause 2 is about £61,480", False),
    ],
)
def test_a_row_is_of_the_number_under_its_header(said: str, other: bool) -> None:
    assert is_of_other_number(said, CERTIFICATES) is other


@pytest.mark.parametrize(
    ("said", "told", "other"),
    [
        ("by the end of February 2026", "returns it by 13 February 2026", True),
        ("by the end of February 2026", "returns it by 28 February 2026", False),
        ("by the end of February", "returns it by the end of February", False),
        ("at the start of May", "from May 1 on", False),
        ("at the start of May", "from 20 May on", True),
        ("by the end of February", "nothing is said of it", False),
    ],
)
def test_the_end_of_a_month_is_no_other_day_of_it(said: str, told: str, other: bool) -> None:
    assert is_of_other_end(said, told) is other


def test_an_entry_of_a_log_says_what_was_done() -> None:
    entry = row(
        ("date", "2025-09-18"),
        ("by", "R. Dacombe"),
        ("entry", "Letter of claim received, 38,750 pounds and 24 days."),
    )
    told = "The letter of claim for 38,750 pounds was {} by R. Dacombe on 18 September 2025"
    received, returned = (
        check_support(told.format(verb), [[entry]]).support.value
        for verb in ("received", "returned")
    )
    assert received == "entailed"
    assert returned != "entailed"


def test_a_row_of_a_payment_does_not_say_that_it_was_paid_back() -> None:
    entry = row(("date", "2026-02-12"), ("payee", "Averill Stoke LLP"), ("amount", "4750.00"))
    told = "{} 4750.00 on 2026-02-12"
    assert check_support(told.format("Averill Stoke LLP refunded"), [[entry]]).support.value != (
        "entailed"
    )
