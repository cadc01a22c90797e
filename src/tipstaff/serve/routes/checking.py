"""A sentence from anywhere held against a tez (TIP §9.2), the sender's own synthesis held against
it (TIP §3.5), and what a caller may still ask."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

from fastapi import APIRouter, Depends
from pydantic import BaseModel, Field
from starlette.responses import Response

from tipstaff.asking import Interrogation
from tipstaff.boundary import GroundingBoundary
from tipstaff.domain.caller import Caller
from tipstaff.domain.wire import to_wire
from tipstaff.engine import audit_synthesis
from tipstaff.enveloping import new_id
from tipstaff.serve.callers import TheCaller, TheService, spoken_version
from tipstaff.serve.claim_check import check_claim
from tipstaff.serve.documented import ASKING, answers
from tipstaff.serve.queries import check_room
from tipstaff.serve.refusals import encoded
from tipstaff.serve.service import Service
from tipstaff.serve.visible import boundary_for
from tipstaff.synthesis.audited import SynthesisAudit

router = APIRouter(
    prefix="/tez/{tez_id}", tags=["checking"], dependencies=[Depends(spoken_version)]
)
_MOST_CHARS = 1_000
_Told = TypeVar("_Told")


class ClaimRequest(BaseModel):
    statement: str = Field(min_length=1, max_length=_MOST_CHARS)


class ClaimVerdict(BaseModel):
    """`verdict` is supported, contradicted or silent."""

    verdict: str
    reason: str
    support: str | None
    passages: list[dict[str, Any]]


class AuditBody(BaseModel):
    """`claims` are those of `text`, the synthesis as the caller has it: `standing` is supported,
    weak, unsupported, contradicted, citation_broken, uncited or view; `start` and `end` count
    characters (code points) of `text`. `score` is from 0 to 1."""

    id: str
    title: str
    version: int
    file: str
    score: float
    counts: dict[str, int]
    claims: list[dict[str, Any]]
    text: str
    newer_items: list[str]


class RemainingBody(BaseModel):
    """Null is any number (TIP §12.1.3, Enterprise §6.4)."""

    queries: int | None
    tokens: int | None
    per_minute: int | None
    per_minute_limit: int | None


@router.post("/verify", responses=answers(*ASKING, of=ClaimVerdict), response_model=None)
async def verify(
    tez_id: str, service: TheService, caller: TheCaller, body: ClaimRequest
) -> Response:
    """Whether the tez supports a sentence, contradicts it or is silent. It counts for the rate as
    a query does: what may not be quoted must not be guessed at without end."""
    verdict = await _counted(service, caller, tez_id, partial(_checked, statement=body.statement))
    return Response(encoded(verdict), media_type="application/json")


@router.post("/audit", responses=answers(*ASKING, of=AuditBody), response_model=None)
async def audit(tez_id: str, service: TheService, caller: TheCaller) -> Response:
    """Every claim of the synthesis, as the caller has it, held against the items that exist for
    them. It counts for the rate as a query does."""
    audited = await _counted(service, caller, tez_id, _audited)
    return Response(encoded(to_wire(audited)), media_type="application/json")


@router.get("/remaining", responses=answers(422, of=RemainingBody), response_model=None)
async def remaining(tez_id: str, service: TheService, caller: TheCaller) -> Response:
    """What the caller may still ask of this tez."""
    boundary = await boundary_for(service, caller, tez_id)
    left = await service.ledger.remaining(caller, tez_id, boundary.bundle.hosting.limits)
    told = {name: getattr(left, name) for name in RemainingBody.model_fields}
    return Response(encoded(told), media_type="application/json")


async def _counted(
    service: Service, caller: Caller, tez_id: str, work: Callable[[GroundingBoundary], _Told]
) -> _Told:
    """Work on a tez as it is for a caller, in a thread, within the rate of their queries."""
    check_room(service)
    boundary = await boundary_for(service, caller, tez_id)
    query_id = new_id("query")
    await service.ledger.reserve(
        caller,
        tez_id=tez_id,
        session_id="",
        query_id=query_id,
        limits=boundary.bundle.hosting.limits,
    )
    try:
        return await asyncio.to_thread(work, boundary)
    finally:
        await service.ledger.give_back(caller.tenant, query_id)


def _checked(boundary: GroundingBoundary, statement: str) -> dict[str, Any]:
    asking = Interrogation(
        indexed=boundary.indexed, recipient=boundary.recipient, grant=boundary.grant
    )
    return check_claim(asking.boundary, asking.context(), statement)


def _audited(boundary: GroundingBoundary) -> SynthesisAudit:
    return audit_synthesis(boundary.indexed, recipient=boundary.recipient, grant=boundary.grant)
