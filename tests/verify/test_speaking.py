"""A quotation that stands alone tells who said it, where that is known."""

from __future__ import annotations

import pytest

from tipstaff.verify.evidence_text import EvidenceText
from tipstaff.verify.speaking import with_speaker

ADA = EvidenceText("I can't do that. The first week is yours.", author="Ada Byron")
MAX = EvidenceText("Then nothing is signed today.", author="Max Ode")
REPORT = EvidenceText("The second gauge, held beside my own, showed less.", writer="Dr Ida Falk")


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ('"I can\'t do that."', 'Ada Byron: "I can\'t do that."'),
        (
            "“I can't do that. The first week is yours.”",
            "Ada Byron: “I can't do that. The first week is yours.”",
        ),
        ('"Then nothing is signed today"', 'Max Ode: "Then nothing is signed today"'),
        ('Ada Byron: "I can\'t do that."', 'Ada Byron: "I can\'t do that."'),
        ("Ada Byron cannot do that", "Ada Byron cannot do that"),
        # Of two who speak nobody is put before both.
        ('"The first week is yours." "Then nothing is signed today."',) * 2,
        (
            '"The second gauge, held beside my own, showed less."',
            'In the paper of Dr Ida Falk: "The second gauge, held beside my own, showed less."',
        ),
        # Whoever wrote a paper says nothing of themselves here.
        ('"The second gauge"', '"The second gauge"'),
    ],
)
def test_a_bare_quotation_has_its_speaker(said: str, told: str) -> None:
    assert with_speaker(said, [ADA, MAX, REPORT]) == told


@pytest.mark.parametrize(
    ("quoted", "told"),
    [
        (
            "we will pay the whole bill ourselves",
            'Ida said "we will pay the whole bill ourselves".',
        ),
        (
            "We will not take our pump back.",
            'The maker wrote to us: "We will not take our pump back."',
        ),
    ],
)
def test_what_somebody_quotes_another_has_said(quoted: str, told: str) -> None:
    assert with_speaker(f'"{quoted}"', [EvidenceText(told, author="Max Ode")]) == f'"{quoted}"'
