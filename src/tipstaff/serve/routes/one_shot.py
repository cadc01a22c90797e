"""A session of one query: begun, asked and closed in one request."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from fastapi import APIRouter, Depends, Request
from starlette.responses import Response

from tipstaff.domain.caller import Caller
from tipstaff.domain.response import ResponseEnvelope
from tipstaff.errors import TipstaffError
from tipstaff.serve.callers import TheCaller, TheService, spoken_version
from tipstaff.serve.documented import ASKING, EVENTS, answers
from tipstaff.serve.queries import asked, begun, check_room, streamed
from tipstaff.serve.schemas import OneShotRequest
from tipstaff.serve.service import Service
from tipstaff.serve.welcome import begin
from tipstaff.session.run import Run

router = APIRouter(
    prefix="/api/v1/tez/{tez_id}/interrogate",
    tags=["one-shot"],
    dependencies=[Depends(spoken_version)],
)


@router.post("", responses=answers(*ASKING, of=ResponseEnvelope), response_model=None)
async def interrogate(
    tez_id: str, request: Request, service: TheService, caller: TheCaller, body: OneShotRequest
) -> Response:
    """One query, one response (TIP C.2)."""
    session_id, run = await _begun(service, caller, tez_id, body)
    try:
        return await asked(service, run, request)
    finally:
        await _closed(service, caller, tez_id, session_id)


@router.post("/stream", responses=answers(*ASKING, media=EVENTS), response_model=None)
async def stream(
    tez_id: str, request: Request, service: TheService, caller: TheCaller, body: OneShotRequest
) -> Response:
    """The same as a stream: Enterprise §2.4 from `tip.session.start` to `tip.session.end`."""
    session_id, run = await _begun(service, caller, tez_id, body)
    closing = asyncio.create_task(_close_behind(service, caller, tez_id, session_id, run))
    service.tasks.add(closing)
    closing.add_done_callback(service.tasks.discard)
    events = service.sessions.follow(caller, tez_id, session_id, after=0)
    return streamed(events, service, run, request=request, caller=caller, tez_id=tez_id)


async def _begun(
    service: Service, caller: Caller, tez_id: str, body: OneShotRequest
) -> tuple[str, Run]:
    check_room(service)
    opened = await begin(service, caller, tez_id, body)
    session_id = opened.session.session_id
    try:
        return session_id, await begun(service, caller, tez_id, session_id, body)
    except TipstaffError:
        await _closed(service, caller, tez_id, session_id)
        raise


async def _close_behind(
    service: Service, caller: Caller, tez_id: str, session_id: str, run: Run
) -> None:
    # Not its envelope: whoever waits for that is listening, and this is nobody.
    await run.ended()
    await _closed(service, caller, tez_id, session_id)


async def _closed(service: Service, caller: Caller, tez_id: str, session_id: str) -> None:
    with suppress(TipstaffError):
        await service.sessions.close(caller, tez_id, session_id)
