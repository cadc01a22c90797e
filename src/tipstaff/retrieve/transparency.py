"""How a query was retrieved, as the transparency extension writes it and as settings allow.

Extension `com.ragu.retrieval-transparency` 1.0.0; the standard id `tezit-retrieval-transparency`
means the same, and a bundle has one of them, never both.
"""

from __future__ import annotations

import json
from typing import Any

from tipstaff.domain.retrieval import Retrieval
from tipstaff.domain.wire import to_wire
from tipstaff.retrieve.exposure import ALL, exposed, exposed_summary

EXTENSION_ID = "com.ragu.retrieval-transparency"
STANDARD_ID = "tezit-retrieval-transparency"
EXTENSION_IDS = (EXTENSION_ID, STANDARD_ID)
DOCUMENT = "retrieval-transparency.json"
_MANIFEST = {
    "extension_version": "1.0.0",
    "name": "Retrieval Transparency",
    "description": "How the passages of an interrogation were found: strategy, scores, ranking",
    "author": "Tipstaff",
}

_CEILINGS = {
    "max_iterations": "The greatest number of retrieval rounds was reached",
    "max_retrieval_time": "The longest time for retrieval was reached",
    "max_chunks_evaluated": "The greatest number of chunks was evaluated",
}


def transparency_document(retrieval: Retrieval, *, used: int | None = None) -> dict[str, Any]:
    """`retrieval-transparency.json`, valid against the extension's schema. What was taken without
    a score (all of an exhaustive search, neighbours) is counted, and has none here."""
    document: dict[str, Any] = {
        "retrieval_strategy": str(retrieval.strategy),
        "chunks_retrieved": max(retrieval.evaluated, len(retrieval.found)),
        "chunks_evaluated": len(retrieval.found) if used is None else used,
        "similarity_scores": [
            {
                "chunk_id": found.chunk.chunk_id,
                "score": round(found.score, 6),
                "source_item_id": found.chunk.item_id,
            }
            for found in sorted(retrieval.found, key=lambda one: (-one.score, one.rank))
            if found.is_scored
        ],
        "ranking_method": retrieval.ranking,
        "retrieval_time_ms": retrieval.time_ms,
        "reranking_applied": retrieval.reranker is not None,
    }
    if retrieval.reranker is not None:
        document["reranking_model"] = retrieval.reranker
    if retrieval.ceiling is not None:
        document["retrieval_budget_exhausted"] = True
        document["ceiling_reached"] = f"{_CEILINGS[retrieval.ceiling]} ({retrieval.ceiling})"
    return document


def extension_files(retrieval: Retrieval, *, extension_id: str) -> dict[str, bytes]:
    """The two files of the extension's folder, as they are written into a bundle."""
    manifest = {"extension_id": extension_id, **_MANIFEST}
    documents = {"manifest.json": manifest, DOCUMENT: transparency_document(retrieval)}
    return {
        name: (json.dumps(value, indent=2, ensure_ascii=False) + "\n").encode()
        for name, value in documents.items()
    }


def result_list(retrieval: Retrieval, *, setting: str = ALL) -> list[dict[str, Any]]:
    """`tip search --json`: every passage with its place and its scores."""
    return [
        exposed(
            {
                "rank": found.rank,
                "item_id": found.chunk.item_id,
                "location": str(found.chunk.location),
                "text": found.chunk.text,
                "context": found.chunk.context,
                "method": str(retrieval.method),
                "keyword_score": _shown(found.keyword_score),
                "vector_score": _shown(found.vector_score),
                "hybrid_score": _shown(found.hybrid_score),
                "rerank_score": _shown(found.rerank_score),
                "chunk_id": found.chunk.chunk_id,
                "chunk_tokens": found.chunk.tokens,
                "queries": list(found.queries),
                "beside": found.beside,
            },
            setting,
        )
        for found in retrieval.found
    ]


def summary_fields(retrieval: Retrieval, *, setting: str = ALL) -> dict[str, Any]:
    """`retrieval_summary` with how the query was taken apart, where it was."""
    fields: dict[str, Any] = {
        name: value for name, value in to_wire(retrieval.summary()).items() if value is not None
    }
    fields["requested_strategy"] = str(retrieval.requested)
    fields["ranking_method"] = retrieval.ranking
    if retrieval.sub_queries:
        fields["sub_queries"] = list(retrieval.sub_queries)
    if retrieval.notes:
        fields["notes"] = list(retrieval.notes)
    return exposed_summary(fields, setting)


def _shown(score: float | None) -> float | None:
    return None if score is None else round(score, 6)
