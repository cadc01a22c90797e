"""Passages that contradict, qualify or warn (TIP §9.6)."""

from __future__ import annotations

from tests.answer.asked import asked
from tests.conftest import BundleMaker

MINUTES = b"""# Minutes

Hana Brezina said that the June move worries her, because the harbour is full then.

The kitchen was painted green. No biscuits were served at the meeting.

Clause 4 of the lease excludes a move before July. Whatever the plan says, the tenant has no right
to move in June.
"""


def test_a_warning_on_the_subject_is_found(make_bundle: BundleMaker) -> None:
    said = asked(make_bundle({"minutes.md": MINUTES}), "What speaks against the move in June?")
    assert "worries her" in said.text


def test_a_denial_off_the_subject_is_not(make_bundle: BundleMaker) -> None:
    said = asked(make_bundle({"minutes.md": MINUTES}), "What speaks against the move in June?")
    assert "biscuits" not in said.text
    assert "painted" not in said.text


def test_the_sentence_before_comes_along_if_it_speaks_against_it_too(
    make_bundle: BundleMaker,
) -> None:
    said = asked(
        make_bundle({"minutes.md": MINUTES}), "What argues against the tenant's right to move?"
    )
    assert "Clause 4 of the lease excludes a move" in said.text


def test_a_title_is_no_warning(make_bundle: BundleMaker) -> None:
    notes = b"# Notes\n\nThe move was presented by Ada Byron (Head of Risk).\n"
    said = asked(make_bundle({"notes.md": notes}), "What speaks against the move?")
    assert said.classification == "abstention"


def test_a_name_that_is_nowhere_proves_a_gap(make_bundle: BundleMaker) -> None:
    said = asked(make_bundle({"minutes.md": MINUTES}), "What speaks against moving to Rotterdam?")
    assert said.classification == "abstention"
