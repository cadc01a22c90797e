"""Which statuses a route may answer with, for OpenAPI. A test holds real answers against it."""

from __future__ import annotations

from typing import Any

from tipstaff.serve.schemas import ErrorBody
from tipstaff.server_sent import MEDIA_TYPE

_WHY = {
    400: "The request or its query is malformed.",
    401: "No token, or none that is good.",
    403: "The token, or the sender's terms, do not allow this.",
    404: "No such tez, item or session, or none that the caller may know of.",
    405: "Not with this method.",
    409: "Another TIP version, or a context of which a part failed to load (TIP §14.1, §14.7).",
    410: "The session has expired or is closed.",
    413: "The request is too large, or needs more context than there is room for.",
    416: "No such range of bytes.",
    422: "The bundle cannot be used (TIP §14.8).",
    429: "A limit was reached (TIP §14.6, Enterprise §6.4).",
    500: "Something went wrong inside the server.",
    501: "An optional part of the server is not installed.",
    502: "The model gave no usable answer.",
    503: "The model or the server is unavailable for now (TIP §14.2, Enterprise §7.6).",
    504: "The query took too long (TIP §14.5).",
}
# Of every route behind a token.
ALWAYS = (400, 401, 404, 405, 409, 413, 500, 503)
ASKING = (403, 410, 422, 429, 501, 502, 504)

# Enterprise §2.3. OpenAPI 3.1 has no words for the events of a stream.
EVENTS: dict[str, Any] = {
    MEDIA_TYPE: {"schema": {"description": "id, event, and data as JSON on one line."}}
}

Responses = dict[int | str, dict[str, Any]]


def answers(
    *more: int, of: Any = None, media: dict[str, Any] | None = None, status: int = 200
) -> Responses:
    """`of` describes the body of a success; without it there is none."""
    success: dict[str, Any] = {"description": "Done."}
    if of is not None:
        success["model"] = of
    if media is not None:
        success["content"] = media
    return {status: success} | failures(*ALWAYS, *more)


def open_to_all(of: Any) -> Responses:
    """Of a route that asks for no token."""
    return {200: {"description": "Done.", "model": of}} | failures(405, 500)


def failures(*statuses: int) -> Responses:
    return {
        code: {"description": _WHY[code], "model": ErrorBody, "content": EVENTS}
        for code in sorted(set(statuses))
    }
