"""The judge of answers: a verification must say yes or no as its author does."""

from __future__ import annotations

import pytest

from benchmarks.answers import _expected, direction


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Yes, the context supports this: …", "yes"),
        ("No longer; the context says that it has been replaced: …", "no"),
        ("Partly. The context says: …", "partly"),
        ("Nobody knows.", None),
        ("The context speaks to this without settling it.", None),
    ],
)
def test_the_direction_of_a_response_is_its_first_word(text: str, said: str | None) -> None:
    assert direction(text) == said


@pytest.mark.parametrize(
    ("extra", "expected"),
    [
        ({"note": "Verification, answer no."}, "no"),
        ({"note": "Verification, yes, on a condition."}, "yes"),
        ({"direction": "partly", "note": "Two items disagree."}, "partly"),
        ({"note": "Paraphrase; nobody says no."}, None),
    ],
)
def test_the_direction_that_is_expected_stands_in_the_question_or_its_note(
    extra: dict[str, str], expected: str | None
) -> None:
    row = {
        "id": "x",
        "query": "Is it so?",
        "type": "verification",
        "answerable": True,
        "classification": ["grounded"],
        **extra,
    }
    assert _expected(row).direction == expected
