"""What is compared with what."""

from __future__ import annotations

import pytest

from tipstaff.answer.sides import sides_of


@pytest.mark.parametrize(
    ("question", "sides"),
    [
        (
            "How does the charge for 2024 compare with the one for 2023?",
            ("the charge for 2024", "the charge for 2023"),
        ),
        ("Compare revenue in Q3 with Q4.", ("revenue in Q3", "revenue in Q4")),
        (
            "How does the 2024 cost of drainage compare with 2023?",
            ("the 2024 cost of drainage", "the 2023 cost of drainage"),
        ),
        (
            "How did sales in 2024 compare with the previous year?",
            ("sales in 2024", "sales in 2023"),
        ),
        (
            "Is the rent of Unit 4 higher than that of Unit 5?",
            ("the rent of Unit 4", "the rent of Unit 5"),
        ),
        ("Which is larger, the deposit or the rent?", ("the deposit", "the rent")),
    ],
)
def test_each_side_is_complete_in_itself(question: str, sides: tuple[str, str]) -> None:
    assert sides_of(question) == sides


def test_a_question_about_one_thing_has_no_sides() -> None:
    assert sides_of("What was the revenue in the third quarter?") is None
