"""Searching what a recipient may see equals searching a bundle that holds nothing else, from
real text through parsing, chunking and the real embedder (Enterprise §3.5, §10.1)."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

import pytest

from tests.conftest import BundleMaker
from tipstaff.bundle.opening import open_bundle
from tipstaff.domain.retrieval import Method, Retrieval, RetrievalOptions, Strategy
from tipstaff.indexing import IndexedBundle, index_bundle

ITEMS = {
    "lease.md": (
        "# Lease of the mill\n\n## Rent\n\nThe rent is $12,400 a month, due on the first day.\n\n"
        "## Repairs\n\nThe tenant repairs the water wheel; the landlord repairs the roof. "
        "Either gives notice in writing before work begins.\n"
    ),
    "survey.txt": (
        "Survey of the roof, 14 March\n\nTwo trusses are rotten and the roof leaks above the "
        "grinding floor. Repairs are estimated at $38,000.\n\nThe water wheel turns freely.\n"
    ),
    "ledger.csv": "month,rent,paid\nJanuary,12400,yes\nFebruary,12400,yes\nMarch,12400,no\n",
    "letter.md": (
        "Dear Mr Pell,\n\nthe rent for March has not arrived. The roof is another matter, and "
        "it does not change what is due.\n\nYours, A. Landlord\n"
    ),
    "minutes.txt": (
        "Minutes of the meeting on 2 April\n\nMr Pell says that he withholds rent until the roof "
        "is repaired. Ms Aske says that the lease knows no such right.\n"
    ),
    "recipes.md": "# Bread\n\nFlour, water, salt and time. Bake it at 230 degrees.\n",
}
SCOPES = (
    ("lease", "survey", "recipes"),
    ("survey", "minutes"),
    ("recipes",),
    ("lease", "ledger", "letter", "minutes", "recipes"),
)
QUERIES = (
    "Who has to repair the roof?",
    "rent for March",
    "What does the lease say about notice, and what does the survey say about the water wheel?",
)
OPTIONS = (
    RetrievalOptions(),
    RetrievalOptions(fusion="rrf", vector_weight=0.7),
    RetrievalOptions(method=Method.KEYWORD),
    RetrievalOptions(method=Method.VECTOR, top_k=3, diversity=0.5, neighbours=1),
    RetrievalOptions(strategy=Strategy.MULTI_PASS),
    RetrievalOptions(strategy=Strategy.ITERATIVE),
    RetrievalOptions(strategy=Strategy.ITERATIVE, max_chunks_evaluated=4, max_iterations=5),
    RetrievalOptions(strategy=Strategy.EXHAUSTIVE),
    RetrievalOptions(strategy=Strategy.AUTO),
    # Too small for everything, so that auto must search.
    RetrievalOptions(strategy=Strategy.AUTO, window_tokens=20, min_chunk_score=0.1),
)


def indexed(make_bundle: BundleMaker, ids: Collection[str], *, tenant: str) -> IndexedBundle:
    """A tenant of its own, so that no vector comes from another's cache."""
    items = {name: text.encode() for name, text in ITEMS.items() if name.split(".")[0] in ids}
    return index_bundle(open_bundle(make_bundle(items, name=tenant)), tenant=tenant)


def comparable(done: Retrieval) -> Retrieval:
    """Everything but the time taken and the chunks' places in the index."""
    return replace(done, time_ms=0, found=tuple(replace(one, number=0) for one in done.found))


@pytest.fixture
def whole(make_bundle: BundleMaker) -> IndexedBundle:
    return indexed(make_bundle, [name.split(".")[0] for name in ITEMS], tenant="whole")


def test_what_a_recipient_may_not_see_moves_nothing(
    make_bundle: BundleMaker, whole: IndexedBundle
) -> None:
    for number, ids in enumerate(SCOPES):
        part = indexed(make_bundle, ids, tenant=f"part-{number}")
        for query in QUERIES:
            for options in OPTIONS:
                inside = whole.search(query, options=options, permitted=ids)
                alone = part.search(query, options=options)
                assert comparable(inside) == comparable(alone), (ids, query, options)
                assert {one.chunk.item_id for one in inside.found} <= set(ids)


def test_what_is_left_out_would_have_moved_scores(whole: IndexedBundle) -> None:
    """Else the test above could not fail."""
    ids = SCOPES[0]
    inside = whole.search(QUERIES[1], permitted=ids)
    everything = whole.search(QUERIES[1])
    scores = {one.chunk.chunk_id: one.keyword_score for one in everything.found}
    assert any(scores.get(one.chunk.chunk_id) != one.keyword_score for one in inside.found)
