"""Bodies of responses: JSON on one line, whatever it is that is answered."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
from starlette.responses import Response


def encoded(value: object) -> bytes:
    return msgspec.json.encode(value)


def json_response(
    value: object, status: int = 200, *, headers: Mapping[str, str] | None = None
) -> Response:
    return Response(encoded(value), status, headers, media_type="application/json")
