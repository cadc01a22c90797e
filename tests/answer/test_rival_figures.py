"""Contradictions wherever a figure is used, and no others."""

from __future__ import annotations

import pytest

from tests.answer.asked import asked, cited_items
from tests.conftest import BundleMaker

_REPORT = (
    b"# Report\n\nThe failed publish attempts numbered 11,480 because the cache was wrong.\n\n"
    b"The cache was new.\n"
)
_MAIL = b"# Mail\n\nThe failed publish attempts numbered about 9,260.\n\nWe are sorry.\n"
_FILES = {"report.md": _REPORT, "mail.md": _MAIL}


@pytest.mark.parametrize(
    "question",
    [
        "Did the failed publish attempts number 11,480?",
        "Why did the failed publish attempts number so many?",
        "Explain the failed publish attempts.",
        "List everything on failed publish attempts.",
        "What speaks against the view that failed publish attempts were rare?",
    ],
)
def test_another_figure_of_another_item_is_told_whatever_is_asked(
    make_bundle: BundleMaker, question: str
) -> None:
    response = asked(make_bundle(_FILES), question)
    assert "not consistent on this" in response.text
    assert cited_items(response) == {"report", "mail"}
    (found,) = response.contradictions
    assert {side.value for side in found.positions} == {"11,480", "9,260"}


def test_a_comparison_tells_the_other_figure_of_a_side(make_bundle: BundleMaker) -> None:
    text = (
        "# Rents\n\nThe yearly rent of the mill in 2024 is £{}.\n\n"
        "The yearly rent of the mill in 2023 was £300.\n"
    )
    folder = make_bundle(
        {"lease.md": text.format(900).encode(), "mail.md": text.format(700).encode()}
    )
    response = asked(
        folder, "How does the yearly rent of the mill in 2024 compare with that in 2023?"
    )
    assert "£900" in response.text
    assert "£700" in response.text
    assert response.contradictions


@pytest.mark.parametrize(
    "other",
    [
        "The failed publish attempts numbered about 11,500.",
        "The failed publish attempts of May 2024 and the logins of that month numbered 310.",
        "The failed publish attempts cost $9,260.",
        "The late deliveries of flour numbered 9,260.",
    ],
)
def test_rounding_and_other_measures_times_and_things_are_no_contradictions(
    make_bundle: BundleMaker, other: str
) -> None:
    report = _REPORT.replace(b"numbered", b"of June 2025 numbered")
    folder = make_bundle({"report.md": report, "mail.md": f"# Mail\n\n{other}\n".encode()})
    response = asked(folder, "Did the failed publish attempts number 11,480?")
    assert not response.contradictions


@pytest.mark.parametrize(
    ("question", "lead"),
    [
        ("Did the publish attempts fail?", "Yes,"),
        ("Did no publish attempts fail?", "No,"),
    ],
)
def test_a_word_of_failure_that_both_have_denies_nothing(
    make_bundle: BundleMaker, question: str, lead: str
) -> None:
    folder = make_bundle({"report.md": b"# Report\n\nThe publish attempts failed.\n"})
    assert asked(folder, question).text.startswith(lead)
