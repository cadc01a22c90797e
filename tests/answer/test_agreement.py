"""Whether the items agree."""

from __future__ import annotations

import pytest

from tests.answer.interrogating import ask
from tests.conftest import BundleMaker
from tipstaff.answer.agreement import value_asked
from tipstaff.answer.question import QueryType, query_type


@pytest.mark.parametrize(
    ("question", "value"),
    [
        (
            "How large is Unit 4? Do the papers agree on its floor area?",
            "How large is Unit 4: floor area?",
        ),
        ("Do the documents agree on how many were hired?", "how many were hired?"),
        ("Do the plan and the memo give the same start date?", "What is the start date?"),
        ("How many failed? Do all papers give the same number?", "How many failed?"),
        ("Is the yearly rent consistent across the documents?", "What is the yearly rent?"),
    ],
)
def test_the_value_in_question_is_asked_for(question: str, value: str) -> None:
    assert value_asked(question) == value


def test_an_agreement_between_people_is_no_question_about_documents() -> None:
    assert query_type("Did the board agree to the plan?") is QueryType.VERIFICATION


@pytest.mark.parametrize("reader", ["minilm", "none"])
def test_both_values_are_given_where_items_disagree(make_bundle: BundleMaker, reader: str) -> None:
    folder = make_bundle(
        {
            "lease.md": b"# Lease\n\nThe floor area of the shop is 412 square metres.\n",
            "survey.md": b"# Survey\n\nThe floor area of the shop is 438 square metres.\n",
        }
    )
    response = ask(folder, "Do the papers agree on the floor area of the shop?", reader=reader)
    assert "412 square metres" in response.text
    assert "438 square metres" in response.text
    assert len(response.contradictions) == 1


def test_a_rounded_value_is_no_contradiction(make_bundle: BundleMaker) -> None:
    folder = make_bundle(
        {
            "lease.md": b"# Lease\n\nThe floor area of the shop is 412 square metres.\n",
            "advert.md": b"# Advert\n\nThe floor area of the shop is about 410 square metres.\n",
        }
    )
    response = ask(folder, "Do the papers agree on the floor area of the shop?")
    assert response.contradictions == ()


def test_times_of_day_contradict_like_figures(make_bundle: BundleMaker) -> None:
    folder = make_bundle(
        {
            "review.md": b"# Review\n\nThe outage of the registry began at 14:07.\n",
            "notice.md": b"# Notice\n\nThe outage of the registry began at 14:20.\n",
        }
    )
    response = ask(folder, "When did the outage of the registry begin?")
    assert "14:07" in response.text
    assert "14:20" in response.text
    assert len(response.contradictions) == 1


def test_figures_for_other_quarters_do_not_contradict(make_bundle: BundleMaker) -> None:
    folder = make_bundle(
        {
            "summer.md": b"# Report\n\nMarketing spend in the third quarter was $3.46 million.\n",
            "spring.md": b"# Report\n\nMarketing spend in the second quarter was $2.91 million.\n",
        }
    )
    response = ask(folder, "What was the marketing spend in Q3?")
    assert "$3.46 million" in response.text
    assert response.contradictions == ()


def test_a_row_contradicts_a_sentence(make_bundle: BundleMaker) -> None:
    rows = (
        b"| Measure | Value |\n|---|---|\n| Failed publish attempts | 11,480 |\n| Accounts | 2 |\n"
    )
    folder = make_bundle(
        {
            "impact.md": b"# Impact\n\n" + rows,
            "notice.md": b"# Notice\n\n9,260 publish attempts failed.\n",
        }
    )
    response = ask(folder, "How many publish attempts failed?")
    assert "11,480" in response.text
    assert "9,260" in response.text


def test_a_sentence_without_a_value_says_nothing_on_agreement(make_bundle: BundleMaker) -> None:
    text = b"# Review\n\nThe starting time of the outage is not what hurt us.\n"
    folder = make_bundle({"review.md": text, "notice.md": b"# Notice\n\nWe are sorry.\n"})
    question = "Do the papers give the same starting time of the outage?"
    assert ask(folder, question, reader="none").claims == ()


def test_numbers_of_other_things_are_no_contradiction(make_bundle: BundleMaker) -> None:
    folder = make_bundle(
        {
            "report.md": b"# Report\n\nThe inn had 4,164 overnight stays this season.\n",
            "talk.md": b"# Talk\n\nThe inn had 212 beds that stayed empty this season.\n",
        }
    )
    response = ask(folder, "How many people stayed at the inn this season?")
    assert "4,164" in response.text
    assert response.contradictions == ()
