"""A sentence from anywhere held against a tez (TIP §9.2), and what a caller may still ask."""

from __future__ import annotations

import asyncio
from typing import Any

from fastapi import APIRouter, Depends
from pydantic import BaseModel, Field
from starlette.responses import Response

from tipstaff.asking import Interrogation
from tipstaff.boundary import GroundingBoundary
from tipstaff.domain.caller import Caller
from tipstaff.enveloping import new_id
from tipstaff.serve.callers import TheCaller, TheService, TheSession, spoken_version
from tipstaff.serve.claim_check import check_claim
from tipstaff.serve.documented import ASKING, answers
from tipstaff.serve.queries import check_room
from tipstaff.serve.refusals import encoded
from tipstaff.serve.service import Service
from tipstaff.serve.visible import VisibleTez, boundary_for, visible_tez

router = APIRouter(
    prefix="/tez/{tez_id}", tags=["checking"], dependencies=[Depends(spoken_version)]
)
_MOST_CHARS = 1_000


class ClaimRequest(BaseModel):
    statement: str = Field(min_length=1, max_length=_MOST_CHARS)


class ClaimVerdict(BaseModel):
    """`verdict` is supported, contradicted or silent."""

    verdict: str
    reason: str
    support: str | None
    passages: list[dict[str, Any]]


class RemainingBody(BaseModel):
    """Null is any number (TIP §12.1.3, Enterprise §6.4)."""

    queries: int | None
    tokens: int | None
    per_minute: int | None
    per_minute_limit: int | None


@router.post("/verify", responses=answers(*ASKING, of=ClaimVerdict), response_model=None)
async def verify(
    *,
    tez_id: str,
    service: TheService,
    caller: TheCaller,
    session: TheSession,
    body: ClaimRequest,
) -> Response:
    """Whether the tez supports a sentence, contradicts it or is silent. It counts for the rate as
    a query does: what may not be quoted must not be guessed at without end."""
    check_room(service)
    tez = await visible_tez(service, caller, tez_id)
    boundary, query_id = tez.boundary, new_id("query")
    await service.ledger.reserve(
        caller,
        tez_id=tez_id,
        session_id="",
        query_id=query_id,
        limits=boundary.bundle.hosting.limits,
    )
    try:
        verdict = await asyncio.to_thread(_checked, boundary, body.statement)
    finally:
        await service.ledger.give_back(caller.tenant, query_id)
    await _told(service, caller, tez, verdict, check_id=query_id, session_id=session)
    return Response(encoded(verdict), media_type="application/json")


@router.get("/remaining", responses=answers(422, of=RemainingBody), response_model=None)
async def remaining(tez_id: str, service: TheService, caller: TheCaller) -> Response:
    """What the caller may still ask of this tez."""
    boundary = await boundary_for(service, caller, tez_id)
    left = await service.ledger.remaining(caller, tez_id, boundary.bundle.hosting.limits)
    told = {name: getattr(left, name) for name in RemainingBody.model_fields}
    return Response(encoded(told), media_type="application/json")


async def _told(
    service: Service,
    caller: Caller,
    tez: VisibleTez,
    verdict: dict[str, Any],
    *,
    check_id: str,
    session_id: str,
) -> None:
    """Enterprise §3.8, 4, §6.6: that it was checked, and never what (TIP §13.1)."""
    if service.look_records is None:
        return
    await service.look_records.checked(
        caller,
        tez.published,
        session_id=session_id,
        check_id=check_id,
        verdict=verdict["verdict"],
        cited=[f"{one['item_id']}:{one['location']}".rstrip(":") for one in verdict["passages"]],
        filtered=tez.boundary.filtered(),
    )


def _checked(boundary: GroundingBoundary, statement: str) -> dict[str, Any]:
    asking = Interrogation(
        indexed=boundary.indexed, recipient=boundary.recipient, grant=boundary.grant
    )
    return check_claim(asking.boundary, asking.context(), statement)
