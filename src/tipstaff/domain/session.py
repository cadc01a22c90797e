"""The state of an interrogation session, field by field as TIP §8.2 has it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from tipstaff.domain.classification import Classification, Confidence


class SessionStatus(StrEnum):
    """TIP §8.1: active from INIT on; suspended may be resumed (§8.4); closed is final."""

    ACTIVE = "active"
    SUSPENDED = "suspended"
    EXPIRED = "expired"
    CLOSED = "closed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """One entry of the history; the last three fields are the assistant's only."""

    role: str
    content: str
    timestamp: str
    classification: Classification | None = None
    confidence: Confidence | None = None
    citations: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    session_id: str
    tez_id: str
    tez_version: int
    initiated_at: str
    last_activity_at: str
    status: SessionStatus
    model: str
    query_count: int = 0
    total_input_tokens: int = 0
    total_output_tokens: int = 0
    conversation_history: tuple[Exchange, ...] = ()
    context_items_loaded: tuple[str, ...] = ()
    errors: tuple[str, ...] = ()
