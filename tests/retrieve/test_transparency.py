"""The transparency document against its published schema, and what settings let through."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from tests.retrieve.small_index import LEASE, index_of, searcher
from tests.retrieve.test_selection import Longest
from tipstaff.domain.retrieval import Method, Retrieval, RetrievalOptions, Strategy
from tipstaff.domain.wire import to_wire
from tipstaff.errors import UsageError
from tipstaff.retrieve.exposure import check_exposure, exposed, exposed_response
from tipstaff.retrieve.transparency import (
    EXTENSION_ID,
    extension_files,
    result_list,
    summary_fields,
    transparency_document,
)

INDEX = index_of(LEASE)
SCHEMA = json.loads(
    (Path(__file__).parent / "retrieval-transparency.schema.json").read_text(encoding="utf-8")
)
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)
QUESTION = "What is the deposit and who pays for the roof?"


def search(reranker: Longest | None = None, **options: Any) -> Retrieval:
    return searcher(INDEX, reranker=reranker).search(QUESTION, RetrievalOptions(**options))


@pytest.mark.parametrize("strategy", list(Strategy))
@pytest.mark.parametrize("method", list(Method))
@pytest.mark.parametrize("reranker", [None, Longest()])
def test_the_document_is_valid_against_the_published_schema(
    strategy: Strategy, method: Method, reranker: Longest | None
) -> None:
    done = search(reranker, strategy=strategy, method=method, neighbours=1, top_k=3)
    VALIDATOR.validate(transparency_document(done))


def test_a_document_that_lacks_a_field_would_be_noticed() -> None:
    document = transparency_document(search(Longest()))
    del document["reranking_model"]
    with pytest.raises(jsonschema.ValidationError):
        VALIDATOR.validate(document)


def test_a_ceiling_is_in_the_document() -> None:
    done = search(strategy=Strategy.ITERATIVE, max_iterations=1, top_k=1)
    document = transparency_document(done)
    VALIDATOR.validate(document)
    assert document["retrieval_budget_exhausted"] is True
    assert "max_iterations" in document["ceiling_reached"]


def test_scores_are_ordered_and_are_only_of_what_was_ranked() -> None:
    document = transparency_document(search(neighbours=1, top_k=2))
    scores = [entry["score"] for entry in document["similarity_scores"]]
    assert len(scores) == 2
    assert all(a >= b for a, b in itertools.pairwise(scores))
    assert transparency_document(search(strategy=Strategy.EXHAUSTIVE))["similarity_scores"] == []


def test_no_more_passages_are_used_than_were_retrieved() -> None:
    for strategy in Strategy:
        document = transparency_document(search(strategy=strategy, neighbours=2))
        assert document["chunks_evaluated"] <= document["chunks_retrieved"]


def test_the_retrieval_object_of_a_citation_has_the_fields_of_section_4_2() -> None:
    done = search(Longest())
    trace = to_wire(done.found[0].trace(done.method))
    assert set(trace) == {
        "method",
        "vector_score",
        "keyword_score",
        "hybrid_score",
        "rank",
        "chunk_id",
        "chunk_tokens",
        "reranked",
        "rerank_score",
    }


def test_decomposition_is_told_with_the_summary() -> None:
    fields = summary_fields(search(strategy=Strategy.MULTI_PASS))
    assert fields["strategy"] == fields["requested_strategy"] == "multi_pass"
    assert fields["sub_queries"] == ["What is the deposit", "who pays for the roof"]


def test_settings_decide_which_scores_are_shown() -> None:
    fields = {"rank": 1, "vector_score": 0.5, "keyword_score": 0.1}
    assert exposed(fields, "all") == fields
    assert exposed(fields, "none") == {"rank": 1}
    assert exposed(fields, "vector_score, chunk_id") == {"rank": 1, "vector_score": 0.5}
    shown = result_list(search(), setting="none")
    assert set(shown[0]) == {"rank", "item_id", "location", "text", "method", "context"}


def test_settings_decide_what_a_summary_tells() -> None:
    done = search(strategy=Strategy.MULTI_PASS)
    hidden = summary_fields(done, setting="none")
    assert hidden["strategy"] == hidden["requested_strategy"] == "multi_pass"
    assert not hidden.keys() & {"ranking_method", "retrieval_time_ms", "sub_queries"}
    assert "sub_queries" in summary_fields(done, setting="sub_queries")


def test_settings_reach_every_citation_of_a_response() -> None:
    trace = {"method": "hybrid", "rank": 1, "vector_score": 0.5, "chunk_id": "a#1"}
    citation = {"item_id": "a", "retrieval": trace}
    summary = {"strategy": "single_pass", "retrieval_time_ms": 4}
    envelope = {
        "response": {"citations": [citation], "claims": [{"citations": [citation]}]},
        "retrieval_summary": summary,
    }
    assert exposed_response(envelope, "all") == envelope
    hidden = exposed_response(envelope, "none")
    assert hidden == {
        "response": {
            "citations": [{"item_id": "a"}],
            "claims": [{"citations": [{"item_id": "a"}]}],
        },
        "retrieval_summary": {"strategy": "single_pass"},
    }
    some = exposed_response(envelope, "vector_score")["response"]["citations"][0]["retrieval"]
    assert some == {"method": "hybrid", "rank": 1, "vector_score": 0.5}


def test_a_field_that_is_none_is_named() -> None:
    for setting in ("all", "none", "vector_score, rank", "sub_queries"):
        check_exposure(setting)
    with pytest.raises(UsageError, match="vector_scroe") as refused:
        check_exposure("keyword_score,vector_scroe")
    assert "vector_score" in str(refused.value.suggestion)


def test_provenance_is_complete_for_every_passage() -> None:
    """TIP §10.1.7: item, location, score, text."""
    for entry in result_list(search()):
        assert entry["item_id"]
        assert entry["location"]
        assert entry["text"]
        assert entry["hybrid_score"] is not None


def test_the_extension_has_a_manifest_with_its_own_id() -> None:
    files = extension_files(search(), extension_id=EXTENSION_ID)
    manifest = json.loads(files["manifest.json"])
    assert manifest["extension_id"] == EXTENSION_ID
    assert set(manifest) >= {"extension_version", "name", "description", "author"}
    VALIDATOR.validate(json.loads(files["retrieval-transparency.json"]))
