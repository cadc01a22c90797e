"""The seventh set of drafts, before anything is measured: its documents are found beside it, and
the words to judge by are words of the drafts."""

from __future__ import annotations

import re

import pytest

from benchmarks.drafts import DRAFTS, AdversarialDraft, indexed_for, read_drafts

SEVENTH = read_drafts(DRAFTS / "seventh")
_MARK = re.compile(r"\s*\[\[[^\[\]]*\]\]")


def test_the_documents_of_a_set_are_found_beside_it() -> None:
    with indexed_for("island-ferry", ("grid-mail",)) as indexed:
        bundle = indexed.opened.bundle
        assert {item.id for item in bundle.items} >= {"tender-report", "sailing-log"}
        assert indexed.opened.load_failure() is None


@pytest.mark.parametrize("draft", SEVENTH, ids=lambda draft: draft.query)
def test_words_to_judge_by_stand_in_their_draft(draft: AdversarialDraft) -> None:
    """A word that is misspelt here would count as withheld for ever."""
    bare = " ".join(_MARK.sub("", draft.text).split())
    for words in (*draft.true, *draft.false):
        assert words in (draft.text if "[[" in words else bare)
