"""The pencil that real models are marked with notices what they invent."""

from __future__ import annotations

import pytest

from tests.with_model.unsupported import unsupported

MINUTES = ["The minutes of 11 September were approved. The lease has been renewed to 2030."]
COSTS = ["The programme now takes 34 weeks. Internal cost is unchanged at $1.225 million."]
TITLES = ["Board of Directors: Notes of Meeting, 6 November 2025"]


@pytest.mark.parametrize(
    ("claim", "passages"),
    [
        ("The board of directors approved the project at their November meeting.", MINUTES),
        ("The cost of the 2nd and 3rd meeting is $1.225 million.", COSTS),
        ("The lease has been renewed to 2031.", MINUTES),
        ("It takes 34 weeks of 34 weeks of 34 weeks of 34 weeks of the programme.", COSTS),
    ],
)
def test_what_is_invented_is_noticed(claim: str, passages: list[str]) -> None:
    assert unsupported(claim, passages, TITLES, computed=False)


@pytest.mark.parametrize(
    ("claim", "passages"),
    [
        ("The minutes of 11 September were approved.", MINUTES),
        ("The internal cost remains unchanged at 1,225,000 dollars.", COSTS),
    ],
)
def test_what_stands_there_is_not(claim: str, passages: list[str]) -> None:
    assert unsupported(claim, passages, TITLES, computed=False) == []
