"""The nine events of a stream (Enterprise §2.3), each with its name and its fields."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, get_args

from tipstaff.domain.classification import Classification, Confidence
from tipstaff.domain.evidence import RetrievalSummary, RetrievalTrace
from tipstaff.domain.response import ContextScope, Notice, ResponseEnvelope
from tipstaff.domain.wire import from_wire


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionStart:
    """A session began: the tez, the model, how many items there are for this recipient."""

    name: ClassVar[str] = "tip.session.start"
    tez_id: str
    session_id: str
    timestamp: str
    model: str | None = None
    context_item_count: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextLoaded:
    """The context can be asked; `indexed_items` are those that are searched."""

    name: ClassVar[str] = "tip.context.loaded"
    item_count: int
    timestamp: str
    total_tokens: int | None = None
    indexed_items: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RetrievalStart:
    """Passages are being looked for, for this query."""

    name: ClassVar[str] = "tip.retrieval.start"
    query: str
    timestamp: str
    strategy: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RetrievalChunk:
    """One passage that was found, best first, with its score."""

    name: ClassVar[str] = "tip.retrieval.chunk"
    item_id: str
    timestamp: str
    chunk_id: str | None = None
    location: str | None = None
    score: float | None = None
    method: str | None = None
    tokens: int | None = None


@dataclass(frozen=True, slots=True)
class Token:
    """Words of the answer, released once their claim is checked."""

    name: ClassVar[str] = "tip.token"
    delta: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CitationVerified:
    """A citation that was checked; it comes before the mark in the words that cites it."""

    name: ClassVar[str] = "tip.citation"
    item_id: str
    verified: bool
    timestamp: str
    location: str | None = None
    text_excerpt: str | None = None
    citation_index: int | None = None
    retrieval: RetrievalTrace | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TokensUsed:
    prompt: int
    completion: int
    total: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ResponseEnd:
    """The answer is complete: its class, its confidence, and the whole envelope."""

    name: ClassVar[str] = "tip.response.end"
    classification: Classification
    confidence: Confidence
    citation_count: int
    timestamp: str
    tokens_used: TokensUsed | None = None
    retrieval_summary: RetrievalSummary | None = None
    context_scope: ContextScope | None = None
    notices: tuple[Notice, ...] = ()
    # The one response object: what `ask` gives is what the stream ends with.
    envelope: ResponseEnvelope | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionEnd:
    """The session is closed; nothing follows."""

    name: ClassVar[str] = "tip.session.end"
    session_id: str
    total_queries: int
    timestamp: str
    total_tokens: int | None = None
    duration_ms: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamError:
    """The query ended without an answer; `recoverable` says whether asking again may help."""

    name: ClassVar[str] = "tip.error"
    code: str
    message: str
    timestamp: str
    item_id: str | None = None
    recoverable: bool | None = None
    scope: str | None = None
    retry_after_seconds: int | None = None
    # The same error as TIP §14 shapes it.
    error: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Heartbeat:
    """No event of the protocol: a sign of life, which a transport sends as a comment."""


Event = (
    SessionStart
    | ContextLoaded
    | RetrievalStart
    | RetrievalChunk
    | Token
    | CitationVerified
    | ResponseEnd
    | SessionEnd
    | StreamError
)

BY_NAME: dict[str, type[Event]] = {kind.name: kind for kind in get_args(Event)}


def event_from_wire(name: str, data: Any) -> Event | None:
    """The event of that name; None for one that is not known here (TIP §15.7)."""
    kind = BY_NAME.get(name)
    return None if kind is None else from_wire(kind, data)
