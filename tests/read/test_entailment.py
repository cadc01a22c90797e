"""The model of support: what it reads is bounded and fixed, and it tells true from false."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tipstaff.models.wordpiece import CLS, SEP, token_ids
from tipstaff.read.entailment import Entailment, as_pieces

DEPOSIT = "Lease | 4. Deposit\nThe tenant pays a deposit of £27,500 on the date of the deed."
ROW = "Stocks | site | on hand | blocked\nsite: Venlo; on hand: 1350; blocked: 40"
CRATES = "Log | 6 May\nMs Hale photographed the damaged crates in the cold store on Monday."
PAIRS = [
    ("The tenant has to deposit £27,500.", "The tenant has lost £27,500.", DEPOSIT),
    ("Ms Hale took pictures of the crates.", "Ms Hale set fire to the crates.", CRATES),
    ("Venlo has 1,350 on hand.", "Venlo has blocked 1,350.", ROW),
]


@pytest.fixture(scope="module")
def entailment() -> Entailment:
    return Entailment()


@pytest.mark.parametrize(("true", "false", "passage"), PAIRS)
def test_what_a_passage_says_is_likelier_than_what_it_does_not(
    entailment: Entailment, true: str, false: str, passage: str
) -> None:
    assert entailment.probability(true, [passage]) > entailment.probability(false, [passage])


def test_it_is_the_same_whatever_was_read_before(entailment: Entailment) -> None:
    pairs = [(true, [passage]) for true, _, passage in PAIRS]
    assert [entailment.probability(*pair) for pair in pairs] == [
        Entailment().probability(*pair) for pair in reversed(pairs)
    ][::-1]


def test_nothing_is_said_by_no_passage(entailment: Entailment) -> None:
    assert entailment.probability(PAIRS[0][0], []) == 0.0


@given(statement=st.text(max_size=400), passages=st.lists(st.text(max_size=3000), max_size=9))
@settings(max_examples=60, deadline=None)
def test_pieces_are_bounded_and_begin_with_the_statement(
    statement: str, passages: list[str]
) -> None:
    ids, parts = as_pieces(statement, passages)
    assert len(ids) == len(parts) <= 224
    said = token_ids(statement)[:80]
    assert ids[: len(said) + 2] == [CLS, *said, SEP]
    assert parts == sorted(parts)
    assert ids[-1] == SEP


def test_of_many_passages_those_are_read_that_share_words_in_their_order() -> None:
    far = [f"Nothing of it stands in remark {number} about the weather." for number in range(40)]
    near = ["The deposit is £27,500.", "The tenant pays it."]
    ids, _ = as_pieces(PAIRS[0][0], [near[0], *far, near[1]])
    shown = " ".join(map(str, ids))
    places = [shown.find(" ".join(map(str, token_ids(one)))) for one in near]
    assert -1 < places[0] < places[1]


def test_half_a_character_and_a_passage_without_end_are_read(entailment: Entailment) -> None:
    for odd in ("half \ud800", "a" * 50_000, "契約 🏗️", ""):
        assert 0.0 <= entailment.probability(odd or "x", [odd]) <= 1.0
