"""Statements in other words: what is supported passes, what is not is withheld and says why."""

from __future__ import annotations

import pytest

from tipstaff.domain.classification import Support
from tipstaff.verify.evidence_text import EvidenceText
from tipstaff.verify.support import check_support

REVENUE = EvidenceText(
    "Meridian Corp's revenue for the third quarter of 2025 was $48.62 million, an increase of 9.1 "
    "percent on the $44.56 million of the third quarter of 2024.",
    "Third Quarter 2025 Financial Report | Quarterly results",
)
DECISION = EvidenceText(
    "The decision on the project is deferred to the meeting of 4 December 2025."
)
NOTICE = EvidenceText("The tenant must give notice of sixty days before leaving the premises.")
TABLE = EvidenceText("Segment: Revenue; Q3 2025: 48,620", "Revenue by segment ($ thousands)")


@pytest.mark.parametrize(
    ("statement", "evidence"),
    [
        ("Meridian's Q3 2025 revenue was $48.62 million, up 9.1%.", REVENUE),
        ("Revenue rose by 9.1 percent in the third quarter of 2025.", REVENUE),
        ("Revenue was $48,620,000 in Q3 2025.", REVENUE),
        ("Q3 2025 revenue was $48.62 million.", TABLE),
        ("The decision on the project was deferred to 4 December 2025.", DECISION),
        ("The tenant must give 60 days of notice before leaving.", NOTICE),
    ],
)
def test_true_statements_are_entailed(statement: str, evidence: EvidenceText) -> None:
    assert check_support(statement, [[evidence]]).support is Support.ENTAILED


@pytest.mark.parametrize(
    ("statement", "evidence", "reason"),
    [
        ("Q3 revenue was $47.48 million.", REVENUE, "figure"),
        ("Q3 revenue was 48.62 percent.", REVENUE, "figure"),
        ("Revenue fell 9.1 percent in Q3 2025.", REVENUE, "opposite"),
        ("Revenue did not increase in the third quarter.", REVENUE, "deny"),
        ("Q4 revenue was $48.62 million.", REVENUE, "time"),
        ("Acme's revenue for Q3 was $48.62 million.", REVENUE, "name"),
        ("The decision on the project was deferred to 5 December 2025.", DECISION, "time"),
        ("The decision on the project is not deferred to 4 December 2025.", DECISION, "deny"),
        (
            "The strong performance was driven by leadership and by marketing.",
            REVENUE,
            "do not say",
        ),
        ('It says "revenue in the third quarter was $48.62 million".', REVENUE, "quotation"),
        ("The tenant must give notice of sixty weeks before leaving.", NOTICE, "figure"),
    ],
)
def test_false_statements_are_withheld(statement: str, evidence: EvidenceText, reason: str) -> None:
    verdict = check_support(statement, [[evidence]])
    assert verdict.support is Support.UNVERIFIED
    assert reason in verdict.reason


def test_a_quotation_that_stands_there_is_quoted() -> None:
    statement = 'It says "revenue for the third quarter of 2025 was $48.62 million".'
    assert check_support(statement, [[REVENUE]]).support is Support.QUOTED


def test_what_stands_far_apart_does_not_support_together() -> None:
    units = [
        EvidenceText("The cutover is planned for 20 June 2026."),
        *(EvidenceText(f"Paragraph {number} is about something else.") for number in range(6)),
        EvidenceText("The audit is planned for 14 July 2026."),
    ]
    assert check_support("The cutover is planned for 20 June 2026.", [units]).support is (
        Support.ENTAILED
    )
    verdict = check_support("The cutover is planned for 14 July 2026.", [units])
    assert verdict.support is Support.UNVERIFIED
