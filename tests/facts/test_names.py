from __future__ import annotations

import pytest

from tipstaff.facts.names import names


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("How many were there at the end of September?", []),
        ("What did Ada Byron say on Sunday?", ["Ada Byron"]),
        ("Does Tarnfield deliver on Thursdays?", ["Tarnfield"]),
        ("How many failed after 2.14.1 came out?", ["2.14.1"]),
        ("What floor area does Unit 5 have?", ["Unit 5"]),
        ("What did the records at site 014 show?", ["site 014"]),
        ("Is the rent 12.5 or 13.5?", []),
        ("Adding up every instalment, how much is due?", []),
        ("Compile all mentions of the lease.", []),
        ("What did Ada Byron say in June?", ["Ada Byron"]),
        ("What is the price of TS-2291?", ["TS-2291"]),
        ("Does Tarnfield's offer hold?", ["Tarnfield"]),
    ],
)
def test_names_are_what_a_question_names(question: str, found: list[str]) -> None:
    assert names(question) == found
