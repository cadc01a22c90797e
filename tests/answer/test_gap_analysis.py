"""What documents raise and leave open (TIP §9.4)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.answer.asked import asked, cited_items
from tests.conftest import BundleMaker

SURVEY = b"""# Survey of the roof

Inspected on 9 May by Odalys Wren, chartered surveyor

The lead has split. I did not test the drains.

## Limits of this survey

No asbestos report was seen. The area was measured twice.
"""
PLAN = b"""# Plan of the works

Prepared by: Nadia Petrosyan

The works take six weeks.

## Open points

Who pays for the scaffold?
"""


@pytest.fixture
def roof(make_bundle: BundleMaker) -> Path:
    return make_bundle({"survey.md": SURVEY, "plan.md": PLAN})


def test_every_document_is_heard_where_nobody_is_named(roof: Path) -> None:
    said = asked(roof, "Which questions do the documents leave unanswered?")
    assert cited_items(said) == {"survey", "plan"}
    assert said.classification == "partial"


def test_a_role_restricts_the_open_points_to_its_holder(roof: Path) -> None:
    said = asked(roof, "Which matters did the surveyor leave unexamined?")
    assert "did not test the drains" in said.text
    assert "No asbestos report was seen" in said.text
    assert "scaffold" not in said.text


def test_a_section_on_limits_counts_only_where_it_denies(roof: Path) -> None:
    said = asked(roof, "Which matters did the surveyor leave unexamined?")
    assert "measured twice" not in said.text


def test_the_author_of_a_document_is_known_from_its_head(roof: Path) -> None:
    said = asked(roof, "What did Nadia Petrosyan say she has not looked at?")
    assert "scaffold" in said.text
    assert "drains" not in said.text


def test_a_document_may_be_named_in_place_of_a_person(roof: Path) -> None:
    said = asked(roof, "What do the authors of the plan admit they do not know?")
    assert cited_items(said) == {"plan"}


def test_somebody_who_left_nothing_open_is_not_given_anothers_words(
    make_bundle: BundleMaker,
) -> None:
    minutes = b"# Minutes\n\nPresent: Ada Byron (treasurer).\n\nThe accounts were approved.\n"
    folder = make_bundle({"survey.md": SURVEY, "minutes.md": minutes})
    said = asked(folder, "What did the treasurer not look at?")
    assert said.classification == "abstention"
    assert "treasurer" in said.text
