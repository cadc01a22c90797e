"""Drafts that lie: what is false in them does not leave, what is true does (TIP §3.3, §3.4.3)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.drafts import (
    DRAFTS,
    AdversarialDraft,
    Tally,
    answered,
    indexed_for,
    measured,
    read_drafts,
)
from tipstaff.indexing import IndexedBundle

TUNING = read_drafts(DRAFTS / "tuning")
REPORTED = read_drafts(DRAFTS / "reported")
SECOND = read_drafts(DRAFTS / "second")
# Each by a hand that had not seen the verifier; opened after its first reading (docs/models.md).
THIRD = read_drafts(DRAFTS / "third")
FOURTH = read_drafts(DRAFTS / "fourth")
FIFTH = read_drafts(DRAFTS / "fifth")
SIXTH = read_drafts(DRAFTS / "sixth")
SEVENTH = read_drafts(DRAFTS / "seventh")
EIGHTH = read_drafts(DRAFTS / "eighth")
LEASE = [draft for draft in TUNING if draft.bundle == "lease-dispute" and not draft.hidden]
QUESTION = "What is the deposit?"
TRUE = "The deposit becomes £27,500 "
MARK = "[[deed-of-variation:L20]]"
# A hundred drafts each: half a minute, and more where the machine has other work.
pytestmark = pytest.mark.timeout(600)


@pytest.fixture(scope="module")
def lease() -> Iterator[IndexedBundle]:
    with indexed_for("lease-dispute", ()) as indexed:
        yield indexed


def test_the_reported_drafts_are_kept_apart_from_those_for_tuning() -> None:
    assert len(TUNING) >= 40
    assert len(REPORTED) >= 60
    assert not {one.bundle for one in TUNING} & {one.bundle for one in REPORTED}
    assert {one.kind for one in REPORTED} == {one.kind for one in TUNING}


@pytest.mark.parametrize(
    "draft",
    [*TUNING, *REPORTED, *SECOND, *THIRD, *FOURTH, *FIFTH, *SIXTH, *SEVENTH, *EIGHTH],
    ids=lambda one: f"{one.bundle} {one.kind}",
)
def test_what_a_draft_is_judged_by_stands_in_it(draft: AdversarialDraft) -> None:
    bare = re.sub(r"\s*\[\[[^\[\]]*\]\]", "", draft.text)
    assert draft.true or draft.false
    assert all(words in draft.text or words in bare for words in (*draft.true, *draft.false))


def test_of_the_drafts_for_tuning_hardly_anything_false_leaves_and_what_is_true_does() -> None:
    tally = measured(TUNING)
    assert tally.withheld_false >= 0.98, tally.misses
    assert tally.kept_true >= 0.95, tally.misses


@pytest.fixture(scope="module")
def reported() -> Tally:
    return measured(REPORTED)


def test_on_the_reported_drafts_the_verifier_does_not_get_worse(reported: Tally) -> None:
    assert reported.withheld_false >= 0.98, reported.misses
    assert reported.kept_true >= 0.97, reported.misses


def test_no_question_of_the_reported_drafts_is_wrongly_kept_from_the_model(reported: Tally) -> None:
    assert reported.not_asked == 0


def test_on_the_second_drafts_the_verifier_does_not_get_worse() -> None:
    tally = measured(SECOND)
    assert tally.withheld_false >= 0.98, tally.misses
    assert tally.kept_true >= 0.93, tally.misses


def test_of_the_third_drafts_hardly_anything_false_leaves_and_what_is_true_does() -> None:
    tally = measured(THIRD)
    assert tally.withheld_false >= 0.98, tally.misses
    assert tally.kept_true >= 0.95, tally.misses


def test_on_the_fourth_drafts_the_verifier_does_not_get_worse() -> None:
    tally = measured(FOURTH)
    assert tally.withheld_false >= 0.98, tally.misses
    assert tally.kept_true >= 0.93, tally.misses


def test_on_the_fifth_drafts_the_verifier_does_not_get_worse() -> None:
    tally = measured(FIFTH)
    assert tally.withheld_false >= 0.95, tally.misses
    assert tally.kept_true >= 0.88, tally.misses


def test_on_the_sixth_drafts_the_verifier_does_not_get_worse() -> None:
    tally = measured(SIXTH)
    assert tally.withheld_false >= 0.98, tally.misses
    assert tally.kept_true >= 0.87, tally.misses


def test_on_the_seventh_drafts_the_verifier_does_not_get_worse() -> None:
    tally = measured(SEVENTH)
    assert tally.withheld_false >= 0.98, tally.misses
    assert tally.kept_true >= 0.86, tally.misses


def test_on_the_eighth_drafts_the_verifier_does_not_get_worse() -> None:
    tally = measured(EIGHTH)
    assert tally.withheld_false >= 0.98, tally.misses
    assert tally.kept_true >= 0.9, tally.misses


def test_half_a_mark_at_any_offset_never_leaves(lease: IndexedBundle) -> None:
    draft = replace(LEASE[0], query=QUESTION)
    for offset in range(len(MARK) + 1):
        text = answered(replace(draft, text=TRUE + MARK[:offset]), lease).response.text
        assert TRUE.strip() in text
        assert re.sub(r"\[\[[^\[\]]+\]\]", "", text).count("[") == 0


@settings(max_examples=12)
@given(st.sampled_from(LEASE), st.lists(st.integers(0, 10_000), max_size=40))
def test_a_response_does_not_depend_on_how_its_draft_was_cut(
    lease: IndexedBundle, draft: AdversarialDraft, places: list[int]
) -> None:
    edges = sorted({0, len(draft.text), *(place % len(draft.text) for place in places)})
    deltas = [draft.text[start:end] for start, end in pairwise(edges)]
    assert answered(draft, lease, deltas).response == answered(draft, lease).response
