"""Queries asked for real, and what is made of their responses."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.conftest import BundleMaker, manifest_of
from tipstaff.domain.wire import from_wire, to_wire
from tipstaff.engine import IndexedBundle, index_bundle, interrogate, open_bundle
from tipstaff.eval.drafting import draft_queries
from tipstaff.eval.evaluating import bundle_digest
from tipstaff.eval.observation import Observed, UnitKind
from tipstaff.eval.observing import observe_all
from tipstaff.eval.query_set import EvalQuery, QuerySet

ITEMS = {
    "deed.md": b"The yearly rent of Unit 4 is \xc2\xa391,200.\n\nThe deposit is \xc2\xa312,000.\n",
    "costs.csv": b"Work,Cost\nRoof repair,4200\nNew gutter,1150\n",
    "letter.md": b"Marisol Tenby wrote to Quillmark Estates in 2024. Marisol Tenby asked Quillmark "
    b"Estates for a reply by 2025. Quillmark Estates gave Marisol Tenby none.\n",
}


@pytest.fixture
def indexed(make_bundle: BundleMaker) -> Iterator[IndexedBundle]:
    folder = make_bundle(ITEMS, manifest=manifest_of(ITEMS), synthesis=b"# Unit 4\n")
    with open_bundle(folder) as opened:
        yield index_bundle(opened)


def observed(indexed: IndexedBundle, *queries: EvalQuery) -> list[Observed]:
    return observe_all(QuerySet(queries), lambda: interrogate(indexed))


def test_an_answer_has_the_chunk_the_claim_and_the_citation_it_is_made_of(
    indexed: IndexedBundle,
) -> None:
    query = EvalQuery(id="rent", query="What is the yearly rent of Unit 4?", answerable=True)
    (seen,) = observed(indexed, query)
    assert seen.cited_items == ("deed",)
    kinds = [unit.kind for unit in seen.units]
    assert set(kinds) == {UnitKind.CHUNK, UnitKind.CLAIM, UnitKind.CITATION}
    claim = next(unit for unit in seen.units if unit.kind is UnitKind.CLAIM)
    assert "91,200" in claim.text
    assert any("91,200" in words for words in claim.evidence)
    assert all(unit.by_rules.holds and not unit.settled for unit in seen.units)


def test_what_stands_above_cited_words_is_shown_once(make_bundle: BundleMaker) -> None:
    items = {"deed.md": b"# Rent\n\nThe yearly rent is \xc2\xa391,200. It falls due in May.\n"}
    with open_bundle(make_bundle(items, manifest=manifest_of(items))) as opened:
        query = EvalQuery(id="rent", query="What is the yearly rent?", answerable=True)
        (seen,) = observed(index_bundle(opened), query)
    claim = next(unit for unit in seen.units if unit.kind is UnitKind.CLAIM)
    assert len(claim.evidence) == 2
    assert claim.evidence[0].startswith("Deed | Rent\n")
    assert claim.evidence[1] == "It falls due in May."


def test_an_abstention_is_observed_as_one(indexed: IndexedBundle) -> None:
    query = EvalQuery(id="no", query="What is the credit rating of Zebulon?", answerable=False)
    (seen,) = observed(indexed, query)
    assert seen.abstained
    assert seen.is_correct_abstention


def test_queries_do_not_lean_on_each_other(indexed: IndexedBundle) -> None:
    """Sessions are not shared: "and the deposit?" is not a follow-up of the query before it."""
    first = EvalQuery(id="1", query="What is the yearly rent of Unit 4?", answerable=True)
    second = EvalQuery(id="2", query="And of Unit 5?", answerable=False)
    both = observed(indexed, first, second)
    (alone,) = observed(indexed, second)
    assert both[1] == alone


def test_what_was_observed_survives_the_way_into_a_file(indexed: IndexedBundle) -> None:
    query = EvalQuery(
        id="rent", query="What is the yearly rent?", answerable=True, expected=(("a", "b"), ("c",))
    )
    (seen,) = observed(indexed, query)
    assert from_wire(Observed, to_wire(seen)) == seen


def test_drafts_come_from_sentences_rows_and_what_is_absent(indexed: IndexedBundle) -> None:
    context = interrogate(indexed).context()
    rows = draft_queries(context, answerable=8, unanswerable=4)
    assert rows == draft_queries(context, answerable=8, unanswerable=4)
    asked = {row["query"]: row for row in rows}
    assert asked["What is the deposit?"]["expected"] == [["£12,000"]]
    roof = asked["What is given for “Roof repair” under “Cost”?"]
    assert roof["expected"] == [["4200"]]
    assert roof["relevant_passages"][0]["item"] == "costs"
    absent = [row for row in rows if not row["answerable"]]
    assert len(absent) == 4
    assert any("Marisol Tenby" in row["query"] for row in absent)
    assert any(row["query"].endswith("for the year 2034?") for row in absent)
    assert all(row["draft"] for row in rows)
    assert len({row["id"] for row in rows}) == len(rows)


def test_the_digest_of_a_bundle_is_that_of_its_bytes(
    indexed: IndexedBundle, make_bundle: BundleMaker
) -> None:
    other = {**ITEMS, "deed.md": b"The yearly rent of Unit 4 is \xc2\xa386,400.\n"}
    folder = make_bundle(other, manifest=manifest_of(other), synthesis=b"# Unit 4\n", name="other")
    with open_bundle(folder) as opened:
        assert bundle_digest(opened.bundle) != bundle_digest(indexed.opened.bundle)
