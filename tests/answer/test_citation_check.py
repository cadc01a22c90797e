"""Claims of the synthesis, traced to the items behind them (TIP §3.5, §9.5)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.answer.asked import asked, cited_items
from tests.conftest import BundleMaker

SYNTHESIS = b"""# Findings

The outage affected 2,917 accounts [[report:L3]].

The outage cost 14,000 euros in credits [[report:L5]].

The production value was tried on staging before the release [[checklist:L3]].

The surveyor puts a fifth of the damage on the flue [[survey:L3]].
"""
ITEMS = {
    "report.md": b"# Report\n\nThe outage affected 2,917 accounts.\n\n"
    b"Credits for the outage are not decided.\n",
    "checklist.md": b"# Checklist\n\n"
    b"Trying the production value on staging before the release was skipped.\n",
    "survey.md": b"# Survey\n\nThe flue accounts for none of the wetting.\n",
    "call.md": b"# Call\n\nGideon put a fifth of the damage on the flue.\n",
}


@pytest.fixture
def briefing(make_bundle: BundleMaker) -> Path:
    return make_bundle(ITEMS, synthesis=SYNTHESIS)


def test_a_supported_claim_is_shown_with_what_supports_it(briefing: Path) -> None:
    said = asked(briefing, "Show me the source for the claim that 2,917 accounts were affected.")
    assert said.classification == "grounded"
    assert cited_items(said) >= {"tez.md", "report"}


def test_a_claim_that_nothing_supports_is_flagged_with_what_the_cited_place_says(
    briefing: Path,
) -> None:
    said = asked(briefing, "What is the source for the 14,000 euros in credits?")
    assert said.classification == "partial"
    assert "not supported by the context" in said.text
    assert "potential synthesis error" in said.text
    assert "Credits for the outage are not decided" in said.text


def test_an_item_that_denies_the_claim_does_not_support_it(briefing: Path) -> None:
    question = "Where is the evidence that the production value was tried on staging?"
    said = asked(briefing, question)
    assert "does not support it as it stands" in said.text
    assert "skipped" in said.text


def test_words_of_an_item_that_is_not_cited_are_not_the_cited_ones(briefing: Path) -> None:
    question = (
        "Where does the synthesis get it that the surveyor puts a fifth of the damage on the flue?"
    )
    said = asked(briefing, question)
    assert "The item that it cites does not say so" in said.text
    assert "none of the wetting" in said.text


def test_evidence_asked_for_in_a_second_half_is_that_of_the_first(briefing: Path) -> None:
    question = "What does the synthesis say about accounts affected, and where is the evidence?"
    said = asked(briefing, question)
    assert cited_items(said) == {"tez.md", "report"}
