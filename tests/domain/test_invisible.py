"""What nobody sees, and what only looks like it."""

from __future__ import annotations

import pytest

from tipstaff.answer.prompt import data
from tipstaff.domain.document import Span
from tipstaff.domain.invisible import invisible_spans, without_invisible

UNSEEN = [
    0x200B, 0x2060, 0x17B4, 0x17B5, 0x180B, 0x180D, 0x180E, 0x1BCA0, 0x1BCA3, 0x1D173, 0x1D17A,
    0xE0041, 0xE0080, 0xE00FF, 0xE0100, 0xE01F0, 0xE0FFF,
]  # fmt: skip


@pytest.mark.parametrize("code", UNSEEN)
def test_what_nobody_sees_is_found_and_goes_before_no_model(code: int) -> None:
    text = f"ig{chr(code)}nore"
    assert list(invisible_spans(text)) == [Span(2, 3)]
    assert without_invisible(text) == "ignore"
    assert "ignore" in data(text, "<<§>>")


def test_a_soft_hyphen_is_honest_but_goes_before_no_model() -> None:
    """Files full of them are not warned of."""
    text = "The pay\u00adment is due."
    assert list(invisible_spans(text)) == []
    assert "The payment is due." in data(text, "<<§>>")


@pytest.mark.parametrize("text", ["می\u200cخواهم", "👩\u200d👧", "ក្រុម", "ᠮᠣᠩᠭᠣᠯ", "𝄞", "naïve"])
def test_what_scripts_need_stays(text: str) -> None:
    assert without_invisible(text) == text
