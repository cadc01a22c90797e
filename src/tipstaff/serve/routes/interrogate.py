"""Sessions over HTTP: TIP §12.1.2 and Appendix C, Enterprise §2 for streams."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Header, Query, Request
from starlette.responses import Response

from tipstaff.domain.response import ResponseEnvelope
from tipstaff.domain.session import Session
from tipstaff.domain.wire import to_wire
from tipstaff.errors import UsageError
from tipstaff.serve.bodies import json_response
from tipstaff.serve.callers import TheCaller, TheReader, TheService, spoken_version
from tipstaff.serve.documented import ASKING, EVENTS, answers
from tipstaff.serve.event_stream import EventStream, permission
from tipstaff.serve.queries import asked, begun, check_room, streamed
from tipstaff.serve.refusals import wants_stream
from tipstaff.serve.schemas import (
    CloseResponse,
    CloseSummary,
    InitRequest,
    InitResponse,
    QueryRequest,
    RenameRequest,
    ResumeRequest,
    SessionList,
    TicketResponse,
)
from tipstaff.serve.tickets import TICKET_S
from tipstaff.serve.welcome import begin, welcome

router = APIRouter(
    prefix="/tez/{tez_id}/interrogate", tags=["sessions"], dependencies=[Depends(spoken_version)]
)


@router.post("/init", responses=answers(*ASKING, of=InitResponse), response_model=None)
async def init(
    tez_id: str, service: TheService, caller: TheCaller, body: InitRequest | None = None
) -> Response:
    """Begin a session (TIP §8.1.1)."""
    check_room(service)
    opened = await begin(service, caller, tez_id, body or InitRequest())
    return json_response(welcome(service, opened))


@router.get("", responses=answers(of=SessionList), response_model=None)
async def sessions(tez_id: str, service: TheService, caller: TheCaller) -> Response:
    """The caller's own sessions on this tez, without their histories."""
    found = await service.sessions.list(caller, tez_id)
    return json_response(
        {"sessions": [{**to_wire(one.session), "title": one.title} for one in found]}
    )


@router.post(
    "/{session_id}/query",
    responses=answers(
        *ASKING,
        of=ResponseEnvelope,
        media=EVENTS,
    ),
    response_model=None,
)
async def query(
    *,
    tez_id: str,
    session_id: str,
    request: Request,
    service: TheService,
    caller: TheCaller,
    body: QueryRequest,
) -> Response:
    """Ask (TIP C.2); with `Accept: text/event-stream` the answer is a stream."""
    run = await begun(service, caller, tez_id, session_id, body)
    if not wants_stream(request):
        return await asked(service, run, request)
    events = service.sessions.follow(
        caller, tez_id, session_id, after=run.first_event - 1, query_id=run.query_id
    )
    return streamed(events, service, run, request=request, caller=caller, tez_id=tez_id)


@router.get("/{session_id}/events", responses=answers(410, 429, media=EVENTS), response_model=None)
async def events(
    *,
    tez_id: str,
    session_id: str,
    request: Request,
    service: TheService,
    caller: TheReader,
    last_event_id: Annotated[
        str | None, Header(description="The last event that was seen; the next one follows.")
    ] = None,
    after: Annotated[
        str | None, Query(alias="last_event_id", description="The same, where no header can be.")
    ] = None,
    query_id: Annotated[str | None, Query(description="Only the events of this query.")] = None,
) -> Response:
    """The session's stream, replayed from behind `Last-Event-ID` (Enterprise §2.5)."""
    check_room(service)
    await service.sessions.permitted(caller, tez_id, session_id)
    place = _number(last_event_id if last_event_id is not None else after)
    found = service.sessions.follow(caller, tez_id, session_id, after=place, query_id=query_id)
    return EventStream(
        found,
        service,
        of_query=query_id is not None,
        permitted=permission(request, service, caller, tez_id),
    )


@router.post("/{session_id}/ticket", responses=answers(of=TicketResponse), response_model=None)
async def ticket(
    tez_id: str, session_id: str, request: Request, service: TheService, caller: TheCaller
) -> Response:
    """What opens this session's `events` once, as `?ticket=`, without a header."""
    await service.sessions.permitted(caller, tez_id, session_id)
    header = request.headers.get("authorization", "")
    secret = await service.tickets.issue(header, tez_id=tez_id, session_id=session_id)
    return json_response({"ticket": secret, "expires_in_seconds": TICKET_S})


@router.post("/{session_id}/close", responses=answers(410, of=CloseResponse), response_model=None)
async def close(tez_id: str, session_id: str, service: TheService, caller: TheCaller) -> Response:
    """End a session; its summary (TIP C.3)."""
    closed = await service.sessions.close(caller, tez_id, session_id)
    return json_response(
        {
            "session_id": closed.session_id,
            "summary": {name: getattr(closed.summary, name) for name in CloseSummary.model_fields},
            "closed_at": closed.closed_at,
        }
    )


@router.post(
    "/{session_id}/resume", responses=answers(*ASKING, of=InitResponse), response_model=None
)
async def resume(
    tez_id: str,
    session_id: str,
    service: TheService,
    caller: TheCaller,
    body: ResumeRequest | None = None,
) -> Response:
    """Take a session up again (TIP §8.4)."""
    choice = body.choice if body else None
    opened = await service.sessions.resume(caller, tez_id, session_id, choice=choice)
    return json_response(welcome(service, opened))


@router.get("/{session_id}", responses=answers(of=Session), response_model=None)
async def history(tez_id: str, session_id: str, service: TheService, caller: TheCaller) -> Response:
    """TIP §8.2's state with its history: the caller's own."""
    return json_response(to_wire(await service.sessions.describe(caller, tez_id, session_id)))


@router.patch("/{session_id}", status_code=204, responses=answers(status=204), response_model=None)
async def rename(
    tez_id: str, session_id: str, service: TheService, caller: TheCaller, body: RenameRequest
) -> Response:
    """Give a session a name."""
    await service.sessions.rename(caller, tez_id, session_id, body.title)
    return Response(status_code=204)


@router.delete("/{session_id}", status_code=204, responses=answers(status=204), response_model=None)
async def erase(tez_id: str, session_id: str, service: TheService, caller: TheCaller) -> Response:
    """Erase a session and everything in it (TIP §13.6)."""
    await service.sessions.erase(caller, tez_id, session_id)
    return Response(status_code=204)


@router.delete(
    "/{session_id}/consent", status_code=204, responses=answers(status=204), response_model=None
)
async def revoke(tez_id: str, session_id: str, service: TheService, caller: TheCaller) -> Response:
    """TIP §13.1.2: nothing more of this session is logged, and what was is deleted."""
    await service.sessions.permitted(caller, tez_id, session_id)
    await service.query_log.revoke(caller, session_id)
    return Response(status_code=204)


def _number(place: str | None) -> int:
    """An empty id is what a client has that has seen nothing."""
    if not place:
        return 0
    if not (place.isascii() and place.isdigit() and len(place) < 16):
        raise UsageError("Last-Event-ID is the number of an event.")
    return int(place)
