"""A search as it was asked for and as it was done (Enterprise §4 and §5)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from tipstaff.domain.document import Chunk
from tipstaff.domain.evidence import RetrievalSummary, RetrievalTrace
from tipstaff.errors import UsageError

# Enterprise §5.2.4: more rounds than this are never made.
MAX_ITERATIONS = 5


class Strategy(StrEnum):
    SINGLE_PASS = "single_pass"  # noqa: S105 (not a password)
    MULTI_PASS = "multi_pass"  # noqa: S105
    EXHAUSTIVE = "exhaustive"
    ITERATIVE = "iterative"
    AUTO = "auto"  # one of the above, by Enterprise §5.4


class Method(StrEnum):
    """Enterprise §4.3."""

    VECTOR = "vector"
    KEYWORD = "keyword"
    HYBRID = "hybrid"


@dataclass(frozen=True, slots=True, kw_only=True)
class RetrievalOptions:
    """What a query may ask of retrieval (Enterprise §5.3) and how rankings are joined."""

    strategy: Strategy = Strategy.SINGLE_PASS
    method: Method = Method.HYBRID
    top_k: int = 10
    min_chunk_score: float = 0.0
    max_sub_queries: int = 5
    max_iterations: int = 3
    max_time_s: float = 10.0
    max_chunks_evaluated: int = 500
    window_tokens: int = 128_000
    fusion: str = "weighted"
    vector_weight: float = 0.5
    diversity: float = 0.0
    neighbours: int = 0

    def __post_init__(self) -> None:
        if self.fusion not in ("weighted", "rrf"):
            raise UsageError(f"There is no fusion '{self.fusion}'; use weighted or rrf.")
        if not 0 <= self.min_chunk_score <= 1:
            raise UsageError("min_chunk_score lies between 0 and 1.")
        if self.top_k < 1 or self.max_sub_queries < 1 or self.max_iterations < 1:
            raise UsageError("top_k, max_sub_queries and max_iterations are at least 1.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A passage that was found, and how. Scores are in [0, 1]; one that was not computed is
    None. `beside` names the found passage that this one only stands next to."""

    number: int
    chunk: Chunk
    rank: int = 0
    keyword_score: float | None = None
    vector_score: float | None = None
    hybrid_score: float | None = None
    rerank_score: float | None = None
    queries: tuple[str, ...] = ()
    beside: str | None = None

    @property
    def score(self) -> float:
        """The score that it was ranked by."""
        return next((score for score in self._scores if score is not None), 0.0)

    @property
    def is_scored(self) -> bool:
        """Whether it was ranked at all: neighbours and exhaustive reading are not."""
        return any(score is not None for score in self._scores)

    @property
    def _scores(self) -> tuple[float | None, ...]:
        return (self.rerank_score, self.hybrid_score, self.vector_score, self.keyword_score)

    def trace(self, method: Method) -> RetrievalTrace:
        """The `retrieval` object of a citation (Enterprise §4.2)."""
        return RetrievalTrace(
            method=str(method),
            vector_score=_rounded(self.vector_score),
            keyword_score=_rounded(self.keyword_score),
            hybrid_score=_rounded(self.hybrid_score),
            rank=self.rank,
            chunk_id=self.chunk.chunk_id,
            chunk_tokens=self.chunk.tokens,
            reranked=self.rerank_score is not None,
            rerank_score=_rounded(self.rerank_score),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Retrieval:
    """Everything that one query retrieved, best first, and how that went."""

    query: str
    strategy: Strategy  # the one that was used
    requested: Strategy
    method: Method
    ranking: str  # as the transparency extension names it: cosine, bm25, hybrid, rrf
    found: tuple[Found, ...]
    sub_queries: tuple[str, ...] = ()
    iterations: int = 1
    evaluated: int = 0
    time_ms: int = 0
    ceiling: str | None = None
    reranker: str | None = None
    # Why another strategy was used than was asked for, or what else was done about the query.
    notes: tuple[str, ...] = ()

    def summary(self, *, used: int | None = None) -> RetrievalSummary:
        """Enterprise §2.3.7 and §5.2.5."""
        items = {found.chunk.item_id for found in self.found}
        return RetrievalSummary(
            strategy=str(self.strategy),
            chunks_retrieved=len(self.found),
            chunks_used=len(self.found) if used is None else used,
            items_referenced=len(items),
            iterations_completed=self.iterations,
            chunks_evaluated=self.evaluated,
            retrieval_time_ms=self.time_ms,
            retrieval_budget_exhausted=True if self.ceiling else None,
            ceiling_reached=self.ceiling,
            sub_queries=self.aspects() or None,
        )

    def aspects(self) -> tuple[str, ...]:
        """What a query was taken apart into; a second search in other words is none of that."""
        return () if self.strategy is Strategy.SINGLE_PASS else self.sub_queries


def ranked(found: list[Found]) -> tuple[Found, ...]:
    """The same passages with their ranks, from 1."""
    return tuple(replace(one, rank=rank) for rank, one in enumerate(found, start=1))


def _rounded(score: float | None) -> float | None:
    return None if score is None else round(score, 6)
