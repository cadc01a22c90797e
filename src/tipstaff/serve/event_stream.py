"""A log of events as an HTTP response (Enterprise §2.2).

Events are pulled one by one and only as fast as the reader takes them: a slow reader costs no
memory. The stream ends with its events, when the reader is gone, or when the server drains.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncGenerator, Iterator, Mapping
from contextlib import aclosing, contextmanager
from dataclasses import dataclass
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from tipstaff.domain.caller import Caller
from tipstaff.domain.events import Heartbeat, ResponseEnd, StreamError
from tipstaff.domain.wire import to_wire
from tipstaff.errors import InternalError, TipstaffError
from tipstaff.serve.bodies import encoded
from tipstaff.serve.logs import log, where_it_failed
from tipstaff.serve.refusals import INTERNAL
from tipstaff.serve.rights import CHECK_S, Still
from tipstaff.serve.service import Service
from tipstaff.server_sent import HEARTBEAT, MEDIA_TYPE, retry_after, written
from tipstaff.session.event_log import LoggedEvent
from tipstaff.streaming import error_event

HEADERS = {
    "Content-Type": MEDIA_TYPE,
    "Cache-Control": "no-cache",
    "Connection": "keep-alive",
    "X-Accel-Buffering": "no",
}

Events = AsyncGenerator[LoggedEvent | Heartbeat, None]


@dataclass(frozen=True, slots=True)
class Permitted:
    """`still` raises once a stream of this tenant may no longer be read."""

    tenant: str
    still: Still


def permission(request: Request, service: Service, caller: Caller, tez_id: str) -> Permitted:
    """The token that the stream was opened with is good, and the tez is there for its owner."""
    header = request.scope.get("tip.authorization")

    async def still() -> None:
        await service.tezits.describe(await service.authenticate(header), tez_id)

    return Permitted(caller.tenant, still)


class EventStream(Response):
    """`of_query`: the events of one query, which a draining server lets end. `asked`: this is the
    response to the query itself, and no replay of it."""

    def __init__(
        self,
        events: Events,
        service: Service,
        *,
        of_query: bool,
        asked: bool = False,
        headers: Mapping[str, str] | None = None,
        permitted: Permitted | None = None,
    ) -> None:
        super().__init__(status_code=200, headers=HEADERS | dict(headers or {}))
        del self.headers["content-length"]
        self._events = events
        self._service = service
        self._of_query = of_query
        self._asked = asked
        self._permitted = permitted
        self._begun = time.perf_counter()

    async def __call__(self, _: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
        with self._counted():
            pump = asyncio.ensure_future(self._pump(send))
            gone = asyncio.ensure_future(_disconnected(receive))
            drained = asyncio.ensure_future(self._service.draining.wait())
            lost = asyncio.ensure_future(self._lost())
            ends: set[asyncio.Future[Any]] = {pump, gone, lost}
            try:
                await asyncio.wait(
                    ends if self._of_query else ends | {drained}, return_when="FIRST_COMPLETED"
                )
            finally:
                for task in (pump, gone, drained, lost):
                    task.cancel()
                await asyncio.wait((pump, gone, drained, lost))
        if not lost.cancelled() and lost.exception() is None and gone.cancelled():
            await send(_body(_failed(lost.result())))
        if gone.cancelled():
            await send(_body(b"", more=False))

    async def _lost(self) -> TipstaffError:
        """An answer that has begun is not cut off because a token ran out meanwhile, but if one
        was revoked."""
        if self._permitted is None:
            await asyncio.Event().wait()
            raise AssertionError
        return await self._service.rights.lost(
            self._permitted.tenant, self._permitted.still, every_s=None if self._asked else CHECK_S
        )

    @contextmanager
    def _counted(self) -> Iterator[None]:
        self._service.open_streams += 1
        self._service.metrics.streams.inc()
        try:
            yield
        finally:
            self._service.open_streams -= 1
            self._service.metrics.streams.dec()

    async def _pump(self, send: Send) -> None:
        """Every event from the log to the socket; `send` waits while the reader is behind."""
        told = False
        try:
            await send(_body(retry_after(self._service.configuration.retry_ms)))
            async with aclosing(self._events) as events:
                async for event in events:
                    await send(_body(self._written(event)))
                    if not told:
                        told = True
                        seconds = time.perf_counter() - self._begun
                        self._service.metrics.first_event_seconds.observe(seconds)
        except TipstaffError as problem:
            await send(_body(_failed(problem)))
        except Exception as problem:
            log("stream_failed", level=logging.ERROR, **where_it_failed(problem))
            await send(_body(_failed(InternalError(INTERNAL))))

    def _written(self, event: LoggedEvent | Heartbeat) -> bytes:
        if isinstance(event, Heartbeat):
            return HEARTBEAT
        self._service.metrics.events.labels(event.name).inc()
        if event.name == ResponseEnd.name and self._asked:
            self._service.metrics.count_end(event.data)
        return written(event.name, event.data, number=event.number)


def _failed(problem: TipstaffError) -> bytes:
    """Without a number: it is of this connection, not of the log."""
    return written(StreamError.name, encoded(to_wire(error_event(problem))))


async def _disconnected(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


def _body(content: bytes, *, more: bool = True) -> dict[str, object]:
    return {"type": "http.response.body", "body": content, "more_body": more}
