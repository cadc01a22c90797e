"""How a passage was found, and how a search went (Enterprise §4.2, §5.2.5)."""

from __future__ import annotations

from dataclasses import dataclass

from tipstaff.domain.citation import Citation


@dataclass(frozen=True, slots=True, kw_only=True)
class RetrievalTrace:
    """The `retrieval` object of a citation; every score lies in [0, 1] (Enterprise §4.4)."""

    method: str
    vector_score: float | None = None
    keyword_score: float | None = None
    hybrid_score: float | None = None
    rank: int | None = None
    chunk_id: str | None = None
    chunk_tokens: int | None = None
    reranked: bool | None = None
    rerank_score: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RetrievalSummary:
    """Enterprise §2.3.7 and §5.2.5; `sub_queries` is how the query was taken apart (§5.2.2)."""

    strategy: str
    chunks_retrieved: int
    chunks_used: int
    items_referenced: int
    iterations_completed: int | None = None
    chunks_evaluated: int | None = None
    retrieval_time_ms: int | None = None
    retrieval_budget_exhausted: bool | None = None
    ceiling_reached: str | None = None
    sub_queries: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SupportSearch:
    """A search of the context for what supports a statement that cites nothing (Enterprise §4.5):
    how many passages share enough of its words, and which places were held against it."""

    candidates: int
    found: tuple[Citation, ...]
