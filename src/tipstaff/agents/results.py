"""What tools take and give, as their schemas show it. Results are written from domain values by
`to_wire`; these classes describe them, and the tests' client holds one against the other."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

TezId = Annotated[str, Field(description="From list_tezits.", min_length=1, max_length=200)]
_CITATION = "As an answer has it: [[item-id:location]]."


class Arguments(BaseModel):
    """An argument that is not known is the agent's mistake: it is told."""

    model_config = ConfigDict(extra="forbid")


class Result(BaseModel):
    """Fields that are named here are promised; there may be more."""

    model_config = ConfigDict(extra="allow")


class NoArguments(Arguments):
    pass


class OfTez(Arguments):
    tez_id: TezId


class AskArguments(OfTez):
    query: str = Field(min_length=1, description="A question about the tez.")
    session_id: str | None = Field(default=None, description="Of an earlier result: a follow-up.")
    proceed_with_partial: bool = Field(
        default=False, description="Ask although items could not be loaded; the error names them."
    )


class VerifyArguments(OfTez):
    statement: str = Field(min_length=1, max_length=1_000, description="One sentence.")


class SearchArguments(OfTez):
    query: str = Field(min_length=1, max_length=4_000)
    top_k: int = Field(default=8, ge=1, le=50, description="How many passages at most.")


class AuditArguments(OfTez):
    all_claims: bool = Field(
        default=False, description="Every claim, not only those that need a look."
    )


class ShowArguments(OfTez):
    citation: str = Field(min_length=1, max_length=2_000, description=_CITATION)


class OpenArguments(Arguments):
    path: str = Field(min_length=1, max_length=4_000, description="In an allowed folder.")


class CreateArguments(Arguments):
    step: Literal["draft", "add_context", "set_synthesis", "pack"]
    draft_id: str | None = Field(default=None, description="Of step=draft; needed by the others.")
    title: str | None = Field(default=None, max_length=500, description="Of the tez, or the item.")
    creator: str | None = Field(default=None, max_length=200, description="Who sends it.")
    tez_id: str | None = Field(default=None, description="step=draft; else made from the title.")
    item_id: str | None = Field(default=None, description="step=add_context; else made up.")
    text: str | None = Field(default=None, description="The item's words, or the synthesis.")
    file: str | None = Field(default=None, description="A file of an allowed folder.")
    access: Literal["full", "interrogation_only", "summary_only"] = "full"
    output: str | None = Field(default=None, description="step=pack: the .tez file to write.")


class Tez(Result):
    tez_id: str
    title: str
    version: int
    state: str


class TezList(Result):
    tezits: list[Tez]


class Inspected(Result):
    tez_id: str
    title: str
    version: int
    creator: dict[str, Any]
    synthesis: str | None = Field(description="The sender's summary: not evidence.")
    context_scope: dict[str, Any]
    items: list[dict[str, Any]]


class Answer(Result):
    """TIP Appendix C.2, with whether it is an abstention."""

    tez_id: str
    session_id: str
    abstained: bool
    response: dict[str, Any]
    notices: list[dict[str, Any]]


class Verdict(Result):
    verdict: Literal["supported", "contradicted", "silent"]
    reason: str
    support: str | None
    passages: list[dict[str, Any]]


class Passages(Result):
    results: list[dict[str, Any]]
    retrieval_summary: dict[str, Any]
    unindexed: list[str] = Field(description="Items that could not be searched.")


class Shown(Result):
    citation: str
    item_id: str
    location: str
    title: str
    text: str
    before: str
    behind: str


class Audited(Result):
    tez_id: str
    score: float = Field(description="From 0 to 1.")
    counts: dict[str, int]
    claims: list[dict[str, Any]]
    newer_items: list[str] = Field(description="Items dated after the synthesis was written.")


class Created(Result):
    step: str
    draft_id: str
    next_step: str
    item_id: str | None = None
    cite_as: str | None = None
    tez_id: str | None = None
    kept_at: str | None = None
    findings: list[dict[str, Any]] = []
    warnings: list[str] = Field(
        default=[], description="Secrets and personal data: ask the user before it is sent."
    )
