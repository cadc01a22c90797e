"""Somebody's words: by them or reporting them, never a mere mention."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.answer.asked import asked
from tests.conftest import BundleMaker

MINUTES = b"""# Minutes

Present: Nadia Petrosyan (Programme Director), Marcus Reed (CTO), Hana Brezina

N. Petrosyan said that the cutover moves to June.

H. Brezina asked what the second year costs. The architecture is the work of Marcus Reed.
"""
CALL = b"""WEBVTT

00:00:01.000 --> 00:00:09.000
<v Imre Castellan>I read the complaint on the day that it was sent.

00:00:10.000 --> 00:00:19.000
<v Gideon Fairlamb>The rent clause is plain.
"""


@pytest.fixture
def board(make_bundle: BundleMaker) -> Path:
    return make_bundle({"minutes.md": MINUTES, "call.vtt": CALL})


def test_minutes_report_people_by_their_initials(board: Path) -> None:
    said = asked(board, "What did Nadia Petrosyan say about the cutover?")
    assert "the cutover moves to June" in said.text
    assert said.classification == "grounded"


def test_a_role_is_its_holder(board: Path) -> None:
    said = asked(board, "What did the programme director say about the cutover?")
    assert "the cutover moves to June" in said.text


def test_being_mentioned_is_no_statement(board: Path) -> None:
    said = asked(board, "What did the CTO say about the architecture?")
    assert said.classification == "abstention"


def test_anothers_words_are_not_theirs(board: Path) -> None:
    said = asked(board, "What did Hana Brezina say about the cutover?")
    assert said.classification == "abstention"


def test_who_said_it_is_answered_by_the_speaker(board: Path) -> None:
    said = asked(board, "Who admitted that they read the complaint on the day it was sent?")
    assert "Imre Castellan" in said.text


def test_who_said_what_nobody_said_is_not_answered(board: Path) -> None:
    said = asked(board, "Who insisted that the harbour froze over in winter?")
    assert "Castellan" not in said.text.split("What it does contain nearby")[0]
    assert said.classification == "abstention"


def test_a_speaker_whose_name_stands_only_beside_the_words_is_known(board: Path) -> None:
    said = asked(board, "What did Gideon Fairlamb say?")
    assert "The rent clause is plain." in said.text


@pytest.mark.parametrize("who", ["Gideon Castle", "Gide Fair", "Imre Fairlamb Jones"])
def test_half_a_speakers_name_is_nobody(board: Path, who: str) -> None:
    said = asked(board, f"What did {who} say?")
    assert said.classification == "abstention"
    assert "plain" not in said.text
