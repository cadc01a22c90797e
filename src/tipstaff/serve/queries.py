"""A query from its request to its response, for the routes that ask."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from fastapi import Request
from starlette.responses import Response

from tipstaff.boundary import GroundingBoundary
from tipstaff.domain.caller import Caller
from tipstaff.domain.retrieval import RetrievalOptions, Strategy
from tipstaff.domain.wire import to_wire
from tipstaff.enveloping import new_id
from tipstaff.errors import LimitError, RateLimited, ServiceError
from tipstaff.hosting.limits import Remaining
from tipstaff.hosting.modes import with_fallback
from tipstaff.indexing import options_from
from tipstaff.retrieve.exposure import exposed_response
from tipstaff.serve.bodies import json_response
from tipstaff.serve.event_stream import Events, EventStream, permission
from tipstaff.serve.schemas import QueryRequest
from tipstaff.serve.service import Service
from tipstaff.serve.visible import boundary_for
from tipstaff.session.run import Run
from tipstaff.settings import Settings

_COME_BACK_S = 5


def check_room(service: Service) -> None:
    """Enterprise §7.6: a server that stops or is full says so, with a time to come back."""
    if service.draining.is_set():
        raise RateLimited(
            scope="global", limit="the server is stopping", retry_after_seconds=_COME_BACK_S
        )
    most = service.configuration.max_streams
    if service.open_streams >= most:
        raise RateLimited(
            scope="global", limit=f"{most:,} open streams", retry_after_seconds=_COME_BACK_S
        )


async def begun(
    service: Service, caller: Caller, tez_id: str, session_id: str, body: QueryRequest
) -> Run:
    check_room(service)
    options = options_of(body, service.settings)
    try:
        return await service.sessions.ask(caller, tez_id, session_id, body.query, options=options)
    except (LimitError, ServiceError) as problem:
        boundary = await boundary_for(service, caller, tez_id)
        raise with_fallback(problem, boundary.bundle) from None


def options_of(body: QueryRequest, settings: Settings) -> RetrievalOptions | None:
    """Enterprise §5.3; None where the request wishes for nothing."""
    if body.retrieval_strategy is None and body.retrieval_options is None:
        return None
    strategy = Strategy(body.retrieval_strategy or Strategy.SINGLE_PASS)
    base = options_from(settings, strategy)
    wished = body.retrieval_options.model_dump(exclude_none=True) if body.retrieval_options else {}
    # A recipient may narrow a search, not make it cost more than the server's own.
    if "top_k" in wished:
        wished["top_k"] = min(wished["top_k"], max(settings.top_k, 50))
    return RetrievalOptions(**{**_fields(base), **wished})


@asynccontextmanager
async def counted(
    service: Service, caller: Caller, tez_id: str, boundary: GroundingBoundary
) -> AsyncIterator[str]:
    """What is no query and yet tells of a tez, within the rate of queries: it holds a place, under
    this id, while it is at work, and costs nothing."""
    query_id = new_id("query")
    await service.ledger.reserve(
        caller,
        tez_id=tez_id,
        session_id="",
        query_id=query_id,
        limits=boundary.bundle.hosting.limits,
    )
    try:
        yield query_id
    finally:
        await service.ledger.give_back(caller.tenant, query_id)


async def asked(service: Service, run: Run, request: Request) -> Response:
    """The whole response. A caller who hangs up stops waiting for it, as one who leaves a
    stream does."""
    answering = asyncio.ensure_future(run.envelope())
    leaving = asyncio.ensure_future(_left(request))
    try:
        await asyncio.wait((answering, leaving), return_when="FIRST_COMPLETED")
        if not answering.done():
            return Response(status_code=499)
        envelope = answering.result()
    finally:
        answering.cancel()
        leaving.cancel()
        await asyncio.wait((answering, leaving))
    service.metrics.count_answer(envelope)
    return json_response(
        exposed_response(to_wire(envelope), service.settings.transparency),
        headers={"X-TIP-Query-Id": run.query_id} | rate_headers(run.remaining),
    )


def streamed(
    events: Events, service: Service, run: Run, *, request: Request, caller: Caller, tez_id: str
) -> Response:
    """The same as it comes, of a query that was just begun."""
    return EventStream(
        events,
        service,
        of_query=True,
        asked=True,
        headers=_stream_headers(run),
        permitted=permission(request, service, caller, tez_id),
    )


def _stream_headers(run: Run) -> dict[str, str]:
    """What a client needs to take a broken stream up again, whatever it has seen of it."""
    return {
        "X-TIP-Query-Id": run.query_id,
        "X-TIP-First-Event": str(run.first_event),
    } | rate_headers(run.remaining)


def rate_headers(remaining: Remaining) -> dict[str, str]:
    """Enterprise §7.7, of the narrowest limit that this query counted against."""
    if remaining.per_minute is None or remaining.per_minute_limit is None:
        return {}
    return {
        "X-RateLimit-Limit": str(remaining.per_minute_limit),
        "X-RateLimit-Remaining": str(max(remaining.per_minute, 0)),
        "X-RateLimit-Reset": str(int(remaining.resets_at)),
        "X-RateLimit-Scope": remaining.scope,
    } | ({} if remaining.counted_together else {"X-RateLimit-Degraded": "instance"})


async def _left(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


def _fields(options: RetrievalOptions) -> dict[str, Any]:
    return {name: getattr(options, name) for name in RetrievalOptions.__slots__}
