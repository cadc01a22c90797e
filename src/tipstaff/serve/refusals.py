"""Errors as HTTP responses: a status of one table, a body of TIP §14's shape, nothing from inside.

Unknown and forbidden are one response, letter by letter (decision 12, item 8).
"""

from __future__ import annotations

import time

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import Response

from tipstaff.domain.events import StreamError
from tipstaff.domain.wire import to_wire
from tipstaff.errors import (
    HTTP_STATUS,
    AuthenticationRequired,
    BudgetExhausted,
    InternalError,
    NotFound,
    RateLimited,
    RequestTooLarge,
    TipstaffError,
    UsageError,
)
from tipstaff.serve.bodies import encoded
from tipstaff.serve.metrics import Metrics
from tipstaff.server_sent import MEDIA_TYPE, written
from tipstaff.streaming import error_event

NOWHERE = "There is no such tez, item, session or page here."
INTERNAL = "Something went wrong inside the server."


class TooLarge(HTTPException):
    """Raised while a body is read, where only this kind of exception is passed on."""

    def __init__(self, max_bytes: int) -> None:
        super().__init__(413)
        self.max_bytes = max_bytes


def refusal(
    problem: TipstaffError, *, status: int | None = None, as_stream: bool = False
) -> Response:
    """The response to a request that failed. Enterprise §6.4: whoever asked for a stream is told
    on a stream."""
    told = _told(problem)
    if as_stream:
        content = written(StreamError.name, encoded(to_wire(error_event(told))))
    else:
        content = encoded(told.to_wire())
    return Response(
        content,
        status_code=status or status_of(problem),
        media_type=MEDIA_TYPE if as_stream else "application/json",
        headers=_headers(told),
    )


def status_of(problem: TipstaffError) -> int:
    """Enterprise §7.6: a server that is full answers 503; a caller who asks too much, 429."""
    if isinstance(problem, RateLimited) and problem.details.get("scope") == "global":
        return 503
    return HTTP_STATUS[problem.code]


def wants_stream(request: Request) -> bool:
    return MEDIA_TYPE in request.headers.get("accept", "")


def handle_errors(app: FastAPI, metrics: Metrics) -> None:
    """Every way in which a route can fail."""

    def of_ours(request: Request, problem: Exception) -> Response:
        assert isinstance(problem, TipstaffError)  # noqa: S101 (as registered)
        metrics.errors.labels(problem.code).inc()
        return refusal(problem, as_stream=wants_stream(request))

    def of_schema(request: Request, problem: Exception) -> Response:
        assert isinstance(problem, RequestValidationError)  # noqa: S101
        metrics.errors.labels(UsageError.code).inc()
        told = malformed(problem)
        if "json" not in request.headers.get("content-type", "json"):
            # What curl's -d says of itself; a form is not read.
            told.suggestion = "Send 'Content-Type: application/json'."
        return refusal(told)

    def of_http(_: Request, problem: Exception) -> Response:
        assert isinstance(problem, HTTPException)  # noqa: S101
        response = refusal(_of_status(problem), status=problem.status_code)
        response.headers.update(problem.headers or {})
        return response

    app.add_exception_handler(TipstaffError, of_ours)
    app.add_exception_handler(RequestValidationError, of_schema)
    app.add_exception_handler(HTTPException, of_http)


def malformed(problem: RequestValidationError) -> UsageError:
    """Which field is wrong and how; what was sent is not repeated."""
    details = [
        {"field": ".".join(str(part) for part in one["loc"]), "problem": str(one["msg"])}
        for one in problem.errors()[:10]
    ]
    return UsageError("The request is not as this route takes it.", fields=details)


def _of_status(problem: HTTPException) -> TipstaffError:
    if isinstance(problem, TooLarge):
        return RequestTooLarge(max_bytes=problem.max_bytes)
    if problem.status_code == 404:
        return NotFound(NOWHERE)
    if problem.status_code >= 500:
        return InternalError(INTERNAL)
    return UsageError(f"The request cannot be handled: {problem.detail}.")


def _told(problem: TipstaffError) -> TipstaffError:
    if isinstance(problem, NotFound):
        return NotFound(NOWHERE)
    return InternalError(INTERNAL) if isinstance(problem, InternalError) else problem


def _headers(problem: TipstaffError) -> dict[str, str]:
    headers = {"Cache-Control": "no-store"}
    if isinstance(problem, AuthenticationRequired):
        headers["WWW-Authenticate"] = 'Bearer realm="tip"'
    retry = problem.details.get("retry_after_seconds")
    if retry is not None:
        headers["Retry-After"] = str(retry)
    if isinstance(problem, RateLimited):
        headers |= {
            "X-RateLimit-Remaining": "0",
            "X-RateLimit-Scope": str(problem.details.get("scope", "")),
        }
        if problem.allowed is not None:
            headers["X-RateLimit-Limit"] = str(problem.allowed)
            headers["X-RateLimit-Reset"] = str(int(time.time()) + int(retry or 0))
        if problem.uncounted:
            headers["X-RateLimit-Degraded"] = "refused"
    if isinstance(problem, BudgetExhausted):
        headers |= {
            "X-RateLimit-Limit": str(problem.details.get("limit_value", 0)),
            "X-RateLimit-Remaining": "0",
            "X-RateLimit-Scope": "user",
        }
    return headers
