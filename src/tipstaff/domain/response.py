"""The one response object: the same on the command line, in the API, the stream, the history.

Its JSON is TIP Appendix C.2 with the additions of the project's interfaces.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from tipstaff.domain.classification import Classification, Confidence, Support
from tipstaff.domain.evidence import RetrievalSummary, RetrievalTrace
from tipstaff.domain.wire import SAID_AS_NULL


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedCitation:
    """A citation after checking. Three separate facts; `verified` needs the first two."""

    item_id: str
    location: str
    text_excerpt: str
    claim: str
    exists_verified: bool
    integrity_verified: bool
    quote_verified: bool
    verified: bool = False
    retrieval: RetrievalTrace | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "verified", self.exists_verified and self.integrity_verified)

    @property
    def reference(self) -> str:
        """As a mark in the text names it."""
        return f"{self.item_id}:{self.location}" if self.location else self.item_id


@dataclass(frozen=True, slots=True)
class Released:
    """Words that may be said: checked, with the citations that they carry, in this order."""

    text: str
    citations: tuple[CheckedCitation, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One statement of the response; `citations` are references as TIP §7.4 writes them."""

    text: str
    confidence: Confidence
    citations: tuple[str, ...]
    support: Support


@dataclass(frozen=True, slots=True)
class Gap:
    """A part of the query that the context does not answer (TIP §6.3)."""

    topic: str
    description: str


@dataclass(frozen=True, slots=True)
class Inference:
    """A deduction with its working (TIP §6.2); `basis` are citation references."""

    claim: str
    basis: tuple[str, ...]
    reasoning: str


@dataclass(frozen=True, slots=True)
class Position:
    value: str
    citation: str


@dataclass(frozen=True, slots=True)
class Contradiction:
    """TIP §4.1 rule 8: both sides, nothing silently chosen."""

    topic: str
    positions: tuple[Position, ...]


@dataclass(frozen=True, slots=True)
class RemovedClaim:
    """A claim that was withheld (TIP §3.4.3); why is said, the unsupported words are not."""

    reason: str
    citations: tuple[str, ...] = ()


class NoticeKind(StrEnum):
    HISTORY_TRUNCATED = "history_truncated"
    FALLBACK_MODEL = "fallback_model"
    DEGRADED_CONTEXT = "degraded_context"
    FRESHNESS = "freshness"
    REDUCED_SCOPE = "reduced_scope"
    VERSION = "version"
    FOLLOW_UP = "follow_up"
    MODEL = "model"
    QUERY_TRUNCATED = "query_truncated"
    CONTEXT_REDUCED = "context_reduced"
    LEFT_ASIDE = "left_aside"
    LIMITED = "limited"
    PREFERENCE = "preference"
    WATERMARK = "watermark"


@dataclass(frozen=True, slots=True)
class Notice:
    kind: NoticeKind
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextScope:
    """Enterprise §3.6: counts of what is hidden, never its names."""

    total_items: int
    accessible_items: int
    accessible_item_ids: tuple[str, ...]
    restricted_items: int
    scope_complete: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    input_tokens: int = 0
    output_tokens: int = 0
    # By list price; null where a model's price is not known, which is not the same as free.
    estimated_cost_usd: float | None = field(default=0.0, metadata=SAID_AS_NULL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Response:
    """TIP §6.5: the answer or the abstention, with everything that it rests on."""

    text: str
    classification: Classification
    confidence: Confidence
    claims: tuple[Claim, ...] = ()
    citations: tuple[CheckedCitation, ...] = ()
    gaps: tuple[Gap, ...] = ()
    inferences: tuple[Inference, ...] = ()
    contradictions: tuple[Contradiction, ...] = ()
    removed: tuple[RemovedClaim, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionUsage:
    """The `session` part of the envelope (TIP C.2 and §12.1.2)."""

    query_count: int
    input_tokens: int
    output_tokens: int
    total_tokens_used: int
    remaining_queries: int | None = None
    session_id: str | None = None
    # What §12.1.2 calls the total.
    tokens_used: int = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "tokens_used", self.total_tokens_used)


@dataclass(frozen=True, slots=True, kw_only=True)
class ResponseEnvelope:
    """What `tip ask --json` prints and the query route returns (TIP C.2)."""

    response_id: str
    query_id: str
    created_at: str
    session: SessionUsage
    response: Response
    context_scope: ContextScope
    retrieval_summary: RetrievalSummary
    model: str
    usage: Usage
    notices: tuple[Notice, ...] = field(default=())
