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


def test_of_the_drafts_for_tuning_hardly_anything_false_leaves_and_what_is_true_does() -> None:
    tally = measured(TUNING)
    assert tally.withheld_false >= 0.98, tally.misses
    assert tally.kept_true >= 0.75, tally.misses
    # Two of its three bundles have second tries.
    assert tally.delivered_true >= 0.91, tally.misses
    assert tally.told_true >= 0.98, tally.misses


@pytest.fixture(scope="module")
def reported() -> Tally:
    return measured(REPORTED)


def test_on_the_reported_drafts_the_verifier_does_not_get_worse(reported: Tally) -> None:
    assert reported.withheld_false >= 0.98, reported.misses
    assert reported.kept_true >= 0.81, reported.misses
    assert reported.delivered_true >= 0.98, reported.misses
    assert reported.told_true >= 0.98, reported.misses


def test_no_question_of_the_reported_drafts_is_wrongly_kept_from_the_model(reported: Tally) -> None:
    assert reported.not_asked == 0


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
