"""What "it" and "the same year" stand for."""

from __future__ import annotations

import pytest

from tipstaff.verify.evidence_text import EvidenceText
from tipstaff.verify.leaning import is_of_some_time

YEARS = (("Kind", "Farm"), ("2023/24 (£)", "1,052,300"), ("2024/25 (£)", "1,014,600"))
ONE_YEAR = (("Kind", "Farm"), ("2024/25 (£)", "1,014,600"))


@pytest.mark.parametrize(
    ("said", "cells", "unknown"),
    [
        ("Farm work earned £1,052,300 in the same year.", YEARS, True),
        ("Farm work earned £1,014,600 in the same year.", ONE_YEAR, False),
        ("Farm work earned £1,052,300 in 2023/24, the same year.", YEARS, False),
        ("Farm work earned £1,052,300.", YEARS, False),
    ],
)
def test_which_of_several_years_the_same_is_stands_in_another_sentence(
    said: str, cells: tuple[tuple[str, str], ...], unknown: bool
) -> None:
    assert is_of_some_time(said, [EvidenceText("row", cells=cells)]) is unknown
