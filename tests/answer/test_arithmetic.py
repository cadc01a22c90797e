"""Shares and differences, worked out."""

from __future__ import annotations

from decimal import Decimal

import pytest

from tipstaff.answer.arithmetic import share_of, shown
from tipstaff.facts.quantities import quantities


def test_a_share_shows_its_working() -> None:
    part, whole = quantities("921 and 1012")
    assert share_of(part, whole) == ("91 percent.", "921 / 1012 = 91.0%")


@pytest.mark.parametrize("text", ["1012 and 921", "$5 and 12", "3 and 0"])
def test_what_is_no_part_of_the_other_has_no_share(text: str) -> None:
    part, whole = quantities(text)
    assert share_of(part, whole) is None


def test_a_result_is_written_like_its_figures() -> None:
    (money,) = quantities("£7,500")
    assert shown(Decimal("-5250.00"), money) == "-£5,250"
