"""Reasons (TIP §9.7)."""

from __future__ import annotations

from tests.answer.asked import asked
from tests.conftest import BundleMaker


def test_a_sentence_that_says_because_gives_the_reason(make_bundle: BundleMaker) -> None:
    notes = (
        b"# Costs\n\nRoof costs rose in 2024 because the gutter was relined.\n\nThe roof is grey.\n"
    )
    said = asked(make_bundle({"costs.md": notes}), "Why did the roof costs rise in 2024?")
    assert "because the gutter was relined" in said.text
    assert said.classification == "grounded"


def test_no_reason_is_made_up(make_bundle: BundleMaker) -> None:
    notes = b"# Costs\n\nThe gutter was relined because it leaked.\n\nThe roof is grey.\n"
    said = asked(make_bundle({"costs.md": notes}), "Why was the chimney of the bakery demolished?")
    assert said.classification == "abstention"


def test_two_figures_are_explained_by_the_paragraph_that_has_both(
    make_bundle: BundleMaker,
) -> None:
    plan = b"# Plan\n\nThe programme lasts 34 weeks. The vendor is with us for 26 of them.\n"
    offer = b"# Offer\n\nOur work as vendor lasts 26 weeks.\n"
    folder = make_bundle({"plan.md": plan, "offer.md": offer})
    said = asked(folder, "Why does the vendor speak of 26 weeks when the programme lasts 34?")
    assert "26 of them" in said.text
    assert "Our work as vendor lasts 26 weeks" in said.text
