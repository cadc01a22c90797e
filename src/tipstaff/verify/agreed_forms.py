"""What two texts deny or lack in other words and mean alike: "at no charge" and "free of charge",
"excluding VAT" and "without VAT". Where both say so, neither is held against the other."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from tipstaff.verify.evidence_text import EvidenceText
from tipstaff.verify.statement import Statement, read_statement

_TAX = r"(?:VAT|GST|(?:sales |value[- ]added )?tax(?:es)?)"
_FORMS = (
    (
        re.compile(
            r"\b(?:free of (?:any )?charges?|"
            r"(?:for|is|are|was|were|be|remains?|stays?) free\b(?! of)|"
            r"free(?= (?:training|parking|entry|of charge))|"
            r"(?:at no|without|with no|no) (?:any |extra |further |additional )?"
            r"(?:charge|cost|fee)|"
            r"costs? (?:you |them |us )?nothing|(?:is|are|was|were) not charged)",
            re.IGNORECASE,
        ),
        "gratis",
    ),
    (
        re.compile(
            rf"\b(?:excluding|excludes?|without|exclusive of|before|net of|"
            rf"(?:but )?not (?:counting|including)?)\s*(?:the )?{_TAX}\b|"
            rf"\b{_TAX} (?:is )?excluded\b",
            re.IGNORECASE,
        ),
        "untaxed",
    ),
)  # fmt: skip


def in_agreed_forms(
    statement: Statement, units: Sequence[EvidenceText]
) -> tuple[Statement, Sequence[EvidenceText]]:
    """Both with one word for what both of them say."""
    for form, word in _FORMS:
        if form.search(statement.plain) and any(form.search(unit.text) for unit in units):
            statement = read_statement(form.sub(word, statement.text))
            units = [
                replace(unit, text=form.sub(word, unit.text)) if not unit.is_row else unit
                for unit in units
            ]
    return statement, units
