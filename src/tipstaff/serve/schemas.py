"""What routes take and give, as OpenAPI shows it. Appendix C's fields and §12.1.2's in one object.

Bodies are written by hand from domain values; these classes describe them, and tests hold one
against the other. Unknown fields of a request are passed over (TIP §15.2).
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field


class _Body(BaseModel):
    model_config = ConfigDict(extra="ignore")


class Preferences(_Body):
    """TIP C.1."""

    confidence_signals: bool = True
    citation_style: Literal["inline", "block"] = "inline"
    max_response_tokens: int | None = Field(default=None, ge=1, le=100_000)


class Consent(_Body):
    """TIP §13.1.2: what the recipient agrees to have logged; nothing, unless it is said here."""

    query_logging: bool = False
    logging_scope: Literal["queries", "queries_and_responses", "full_session"] | None = None


class InitRequest(_Body):
    preferences: Preferences = Preferences()
    consent: Consent | None = None
    # TIP §14.1: go on with what could be loaded, knowing what could not.
    proceed_with_partial: bool = False


class RetrievalWishes(_Body):
    """Enterprise §5.3."""

    max_sub_queries: int | None = Field(default=None, ge=1, le=20)
    max_iterations: int | None = Field(default=None, ge=1, le=5)
    min_chunk_score: float | None = Field(default=None, ge=0, le=1)
    top_k: int | None = Field(default=None, ge=1, le=1_000)


class QueryRequest(_Body):
    query: str
    retrieval_strategy: (
        Literal["single_pass", "multi_pass", "exhaustive", "iterative", "auto"] | None
    ) = None
    retrieval_options: RetrievalWishes | None = None


class OneShotRequest(QueryRequest, InitRequest):
    """A session of one query."""


class ResumeRequest(_Body):
    """TIP §8.4: what to do if the tez has a newer version by now."""

    choice: Literal["resume_old", "start_new"] | None = None


class RenameRequest(_Body):
    title: str = Field(min_length=1, max_length=200)


class ContextSummary(BaseModel):
    item_count: int
    types: list[str]
    total_size: str
    total_size_bytes: int
    total_tokens: int
    loading_strategy: Literal["full", "rag", "tiered"]


class LimitsBody(BaseModel):
    max_queries: int | None
    max_tokens_per_query: int | None
    session_timeout_minutes: int


class InitResponse(BaseModel):
    """TIP §12.1.2 and C.1."""

    session_id: str
    tez_id: str
    tez_title: str
    tez_version: int
    tip_version: str
    context_summary: ContextSummary
    limits: LimitsBody
    model: str
    created_at: str
    privacy: dict[str, Any]
    hosting: dict[str, Any]
    warnings: list[dict[str, Any]]


class TicketResponse(BaseModel):
    """Good for one stream of one session, once."""

    ticket: str
    expires_in_seconds: int


class CloseSummary(BaseModel):
    query_count: int
    total_tokens: int
    total_input_tokens: int
    total_output_tokens: int
    duration_minutes: int
    classifications: dict[str, int]
    unique_items_cited: int
    most_cited_item: str | None


class CloseResponse(BaseModel):
    """TIP §12.1.2 and C.3."""

    session_id: str
    summary: CloseSummary
    closed_at: str


class SessionList(BaseModel):
    """TIP §8.2's state of each, without its history, and the name that its recipient gave it."""

    sessions: list[dict[str, Any]]


class PublishedBody(BaseModel):
    tez_id: str
    version: int
    digest: str
    title: str
    state: str
    progress: str
    published_at: str
    published_by: str
    # Enterprise §6.3.1, of a tez that another tenant shares.
    share: dict[str, Any] | None = None


class TezList(BaseModel):
    tezits: list[PublishedBody]


class ErrorObject(BaseModel):
    model_config = ConfigDict(extra="allow")
    type: str
    message: str
    suggestion: str | None = None


class ErrorBody(BaseModel):
    """TIP §14."""

    error: ErrorObject
