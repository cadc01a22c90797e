"""What surrounds every request: its id, its safe headers, its line in the log, its counts.

Plain ASGI, so that a stream of events passes through untouched.
"""

from __future__ import annotations

import logging
import re
import time
import uuid
from collections.abc import MutableMapping
from typing import Any

from starlette.requests import ClientDisconnect, Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tipstaff.errors import InternalError
from tipstaff.serve.logs import REQUEST_ID, log, where_it_failed
from tipstaff.serve.metrics import Metrics
from tipstaff.serve.refusals import INTERNAL, TooLarge, refusal, wants_stream
from tipstaff.serve.traces import Traces

TIP_VERSION = "1.0"
_REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")
_SAFE = {
    b"content-security-policy": b"default-src 'none'; frame-ancestors 'none'",
    b"x-content-type-options": b"nosniff",
    b"referrer-policy": b"no-referrer",
    b"cross-origin-resource-policy": b"same-origin",
    b"cache-control": b"no-store",
    b"x-tip-version": TIP_VERSION.encode(),
}
_HSTS = {b"strict-transport-security": b"max-age=31536000"}


class RequestScope:
    """Outermost: nothing that goes wrong further in reaches the caller or the log as words."""

    def __init__(self, app: ASGIApp, *, metrics: Metrics, traces: Traces, has_tls: bool) -> None:
        self._app = app
        self._metrics = metrics
        self._traces = traces
        self._headers = _SAFE | (_HSTS if has_tls else {})

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request_id = _request_id(scope)
        token = REQUEST_ID.set(request_id)
        start, status = time.perf_counter(), 0

        async def sending(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = int(message["status"])
                self._complete(message, request_id)
                seconds = time.perf_counter() - start
                self._metrics.request_seconds.labels(route_of(scope)).observe(seconds)
            await send(message)

        try:
            with self._traces.request(str(scope["method"]), request_id) as span:
                try:
                    await self._app(scope, receive, sending)
                except ClientDisconnect:
                    # Half an upload: nobody is left to be told.
                    status = status or 499
                except Exception as problem:
                    self._note(problem)
                    if status == 0:
                        streams = wants_stream(Request(scope))
                        answer = refusal(InternalError(INTERNAL), as_stream=streams)
                        await answer(scope, receive, sending)
                span.end(route_of(scope), status)
        finally:
            self._tell(scope, status, time.perf_counter() - start)
            REQUEST_ID.reset(token)

    def _complete(self, message: MutableMapping[str, Any], request_id: str) -> None:
        headers = list(message.get("headers", ()))
        present = {name.lower() for name, _ in headers}
        headers += [(name, value) for name, value in self._headers.items() if name not in present]
        headers.append((b"x-request-id", request_id.encode()))
        message["headers"] = headers

    def _note(self, problem: Exception) -> None:
        self._metrics.errors.labels(InternalError.code).inc()
        log("request_failed", level=logging.ERROR, **where_it_failed(problem))

    def _tell(self, scope: Scope, status: int, seconds: float) -> None:
        method, route = str(scope["method"]), route_of(scope)
        self._metrics.requests.labels(_known(method), route, str(status)).inc()
        log(
            "request",
            method=_known(method),
            route=route,
            status=status,
            seconds=round(seconds, 4),
            tenant=scope.get("tip.tenant"),
        )


class BodyLimit:
    """No request has more bytes than this, whether it says how many or not."""

    def __init__(self, app: ASGIApp, *, most: int, most_of_uploads: int) -> None:
        self._app = app
        self._most = most
        self._most_of_uploads = most_of_uploads

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        most = self._most_of_uploads if scope["method"] == "PUT" else self._most
        declared = dict(scope["headers"]).get(b"content-length", b"0")
        # A body that says it is too large is refused at its first byte, before it is sent.
        read = most if declared.isdigit() and int(declared) > most else 0

        async def receiving() -> Message:
            nonlocal read
            if read == most and int(declared) > most:
                raise TooLarge(most)
            message = await receive()
            read += len(message.get("body", b""))
            if read > most:
                raise TooLarge(most)
            return message

        await self._app(scope, receiving, send)


def route_of(scope: Scope) -> str:
    """The route as it is written in the code: no id, no citation."""
    return str(getattr(scope.get("route"), "path", "unknown"))


def _request_id(scope: Scope) -> str:
    given = dict(scope["headers"]).get(b"x-request-id", b"").decode("latin-1")
    return given if _REQUEST_ID.fullmatch(given) else uuid.uuid4().hex


def _known(method: str) -> str:
    """A label must not be whatever a stranger sends."""
    return method if method in ("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS") else "other"
