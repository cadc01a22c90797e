"""A sentence from anywhere held against a tez (TIP §9.2), the sender's own synthesis held against
it (TIP §3.5), and what a caller may still ask."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from typing import Any

from fastapi import APIRouter, Depends
from pydantic import BaseModel, Field
from starlette.responses import Response

from tipstaff.asking import Interrogation
from tipstaff.boundary import GroundingBoundary
from tipstaff.domain.caller import Caller
from tipstaff.domain.wire import to_wire
from tipstaff.engine import audit_synthesis
from tipstaff.errors import LimitError
from tipstaff.serve.bodies import json_response
from tipstaff.serve.callers import TheCaller, TheService, TheSession, spoken_version
from tipstaff.serve.claim_check import check_claim
from tipstaff.serve.documented import ASKING, answers
from tipstaff.serve.queries import check_room, counted
from tipstaff.serve.service import Service
from tipstaff.serve.visible import VisibleTez, boundary_for, visible_tez
from tipstaff.synthesis.audited import SynthesisAudit

router = APIRouter(
    prefix="/tez/{tez_id}", tags=["checking"], dependencies=[Depends(spoken_version)]
)
_MOST_CHARS = 1_000
# What auditors read where it was no single sentence that was checked.
_SYNTHESIS_CHECKED = "synthesis audited"


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
    *,
    tez_id: str,
    service: TheService,
    caller: TheCaller,
    session: TheSession,
    body: ClaimRequest,
) -> Response:
    """Whether the tez supports a sentence, contradicts it or is silent. It counts for the rate as
    a query does: what may not be quoted must not be guessed at without end."""
    async with _counted(service, caller, tez_id, session) as (tez, check_id):
        verdict = await asyncio.to_thread(_checked, tez.boundary, body.statement)
    cited = [_reference(one) for one in verdict["passages"]]
    await _told(
        service, caller, tez, check_id, session=session, verdict=verdict["verdict"], cited=cited
    )
    return json_response(verdict)


@router.post("/audit", responses=answers(*ASKING, of=AuditBody), response_model=None)
async def audit(
    *, tez_id: str, service: TheService, caller: TheCaller, session: TheSession
) -> Response:
    """Every claim of the synthesis, as the caller has it, held against the items that exist for
    them. It counts for the rate as a query does."""
    async with _counted(service, caller, tez_id, session) as (tez, check_id):
        audited = await asyncio.to_thread(_audited, tez.boundary)
    cited = sorted(
        {one.reference for claim in audited.claims for one in (*claim.passages, *claim.elsewhere)}
    )
    await _told(
        service, caller, tez, check_id, session=session, verdict=_SYNTHESIS_CHECKED, cited=cited
    )
    return json_response(to_wire(audited))


@router.get("/remaining", responses=answers(422, of=RemainingBody), response_model=None)
async def remaining(tez_id: str, service: TheService, caller: TheCaller) -> Response:
    """What the caller may still ask of this tez."""
    boundary = await boundary_for(service, caller, tez_id)
    left = await service.ledger.remaining(caller, tez_id, boundary.bundle.hosting.limits)
    told = {name: getattr(left, name) for name in RemainingBody.model_fields}
    return json_response(told)


@asynccontextmanager
async def _counted(
    service: Service, caller: Caller, tez_id: str, session: str
) -> AsyncGenerator[tuple[VisibleTez, str], None]:
    """The tez as it is for a caller, while something is checked within the rate of their
    queries."""
    check_room(service)
    tez = await visible_tez(service, caller, tez_id)
    try:
        async with counted(service, caller, tez_id, tez.boundary) as check_id:
            yield tez, check_id
    except LimitError as problem:
        await service.look_records.limited(caller, tez.published, problem, session_id=session)
        raise


async def _told(
    service: Service,
    caller: Caller,
    tez: VisibleTez,
    check_id: str,
    *,
    session: str,
    verdict: str,
    cited: Sequence[str],
) -> None:
    """Enterprise §3.8, 4, §6.6: that it was checked, and never what (TIP §13.1)."""
    await service.look_records.checked(
        caller,
        tez.published,
        session_id=session,
        check_id=check_id,
        verdict=verdict,
        cited=cited,
        filtered=tez.boundary.filtered(),
    )


def _reference(passage: dict[str, Any]) -> str:
    return f"{passage['item_id']}:{passage['location']}".rstrip(":")


def _checked(boundary: GroundingBoundary, statement: str) -> dict[str, Any]:
    asking = Interrogation(
        indexed=boundary.indexed, recipient=boundary.recipient, grant=boundary.grant
    )
    return check_claim(asking.boundary, asking.context(), statement)


def _audited(boundary: GroundingBoundary) -> SynthesisAudit:
    return audit_synthesis(boundary.indexed, recipient=boundary.recipient, grant=boundary.grant)
