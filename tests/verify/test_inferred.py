"""A label of inference is no leave: what is inferred is held against its place like anything else,
and a sum is one of all that it names."""

from __future__ import annotations

import pytest

from tests.verify.one_place import claim_of
from tipstaff.domain.classification import Support
from tipstaff.verify.evidence_text import EvidenceText


def row(*cells: tuple[str, str]) -> EvidenceText:
    return EvidenceText("; ".join(f"{head}: {words}" for head, words in cells), cells=cells)


ARMS = EvidenceText("The 40 mg arm is tested first and the 20 mg arm only if the first succeeds.")
BLIND = EvidenceText("The investigator breaks the blind and tells the sponsor within 24 hours.")
HELD = [
    row(("supplier", "Corder"), ("due", "7,500"), ("paid", "400")),
    row(("supplier", "Ledwell"), ("due", "7,500"), ("paid", "900")),
    row(("supplier", "Tamar"), ("due", "11,400"), ("paid", "200")),
]
SHARES = row(("", "Share of loggers"), ("We", "17%"), ("Corder", "22%"), ("Ledwell", "14%"))
PARTS = EvidenceText("The roof costs £5,000, the wall £7,000 and the gate £900.")


def support_of(statement: str, *evidence: EvidenceText) -> Support:
    claim = claim_of(statement, evidence)
    return claim.support if claim else Support.UNVERIFIED


@pytest.mark.parametrize(
    ("true", "false", "evidence"),
    [
        (
            "It follows that the 40 mg arm is tested first",
            "It follows that the 20 mg arm is tested first and the 40 mg arm only if it succeeds",
            [ARMS],
        ),
        (
            "This suggests that the investigator breaks the blind",
            "This suggests that the investigator never breaks the blind",
            [BLIND],
        ),
        (
            "It can be calculated that £26,400 is due in all",
            "It can be calculated that £18,900 is due in all",
            HELD,
        ),
        (
            "It can be calculated that Corder and Tamar are due £18,900 together",
            "It can be calculated that Corder and Ledwell are due £18,900 together",
            HELD,
        ),
        (
            "It can be calculated that Corder and Ledwell together have a share of 36 percent",
            "It can be calculated that Corder and Ledwell together have a share of 39 percent",
            [SHARES],
        ),
        (
            "It can be calculated that the roof and the wall together cost £12,000",
            "It can be calculated that the roof and the gate together cost £12,000",
            [PARTS],
        ),
    ],
)
def test_a_label_makes_nothing_true(true: str, false: str, evidence: list[EvidenceText]) -> None:
    assert support_of(true, *evidence) is Support.INFERRED
    assert support_of(false, *evidence) is Support.UNVERIFIED
