"""The eighth set of drafts, before anything is measured: its documents load, the words to judge by
are words of the drafts, and no draft asks for the same words to be kept and withheld."""

from __future__ import annotations

import re

import pytest

from benchmarks.drafts import DRAFTS, AdversarialDraft, indexed_for, read_drafts

EIGHTH = read_drafts(DRAFTS / "eighth")
_MARK = re.compile(r"\s*\[\[[^\[\]]*\]\]")


def test_the_documents_of_the_hut_are_found_beside_their_drafts() -> None:
    with indexed_for("mountain-hut", ("spring-mail",)) as indexed:
        bundle = indexed.opened.bundle
        assert {item.id for item in bundle.items} >= {"season-report", "supply-flights"}
        assert indexed.opened.load_failure() is None


@pytest.mark.parametrize("draft", EIGHTH, ids=lambda draft: draft.query)
def test_words_to_judge_by_stand_in_their_draft(draft: AdversarialDraft) -> None:
    """A word that is misspelt here would count as withheld for ever."""
    bare = " ".join(_MARK.sub("", draft.text).split())
    for words in (*draft.true, *draft.false):
        assert words in (draft.text if "[[" in words else bare)


@pytest.mark.parametrize("draft", EIGHTH, ids=lambda draft: draft.query)
def test_no_false_words_stand_in_true_ones(draft: AdversarialDraft) -> None:
    """A draft that asks for both could never be answered well."""
    assert draft.true
    assert draft.false
    assert not [words for words in draft.false if any(words in kept for kept in draft.true)]
