from __future__ import annotations

import pytest

from tipstaff.facts.openers import asked_names


@pytest.mark.parametrize(
    "question",
    [
        "Even if it was promised over the phone, would it bind the supplier?",
        "Hi, who approved the budget?",
        "Thanks! Before the works began, who had the keys?",
        "Both parties signed, is that right?",
        "Roughly speaking, what was spent? Actually, who spent it?",
        "Legally, may they cancel?",
        "Despite the delay, was the fee paid?",
        "Recalculate the performance with every lost hour: by how much does it differ?",
        "Reconcile the two invoices.",
    ],
)
def test_a_word_that_only_opens_a_question_names_nobody(question: str) -> None:
    assert asked_names(question) == []


@pytest.mark.parametrize(
    ("question", "named"),
    [
        ("Before Anna Velt left, who had the keys?", "Anna Velt"),
        ("Emily said what about the fee?", "Emily"),
        ("Will Harlow be paid?", "Harlow"),
        ("Mark agreed to what?", "Mark"),
        ("Quantify Orsted's loss.", "Orsted"),
        ("Did Even Nilsen sign?", "Even Nilsen"),
        ("Hi, what did Before The Dawn Ltd charge?", "Before The Dawn Ltd"),
    ],
)
def test_a_name_stays_one_wherever_it_stands(question: str, named: str) -> None:
    assert asked_names(question) == [named]
