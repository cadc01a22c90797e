"""An item's bytes as an HTTP response: whole or in part, always those that were hashed."""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import Response

from tipstaff.boundary import GroundingBoundary
from tipstaff.domain.citation import SYNTHESIS_ID
from tipstaff.errors import NotFound

_RANGE = re.compile(r"bytes=(\d{0,15})-(\d{0,15})")
# A browser may show these in place; whatever could carry a script is saved instead.
_SHOWN_IN_PLACE = ("application/pdf", "audio/", "image/", "text/plain", "video/")
_ACTIVE = ("image/svg",)
# Nothing that a stranger's file says is carried out under our address.
_CSP = "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'self'"


@dataclass(frozen=True, slots=True)
class ItemBytes:
    name: str
    media_type: str
    sha256: str
    content: bytes


async def bytes_of(boundary: GroundingBoundary, item_id: str) -> ItemBytes:
    """Read and hashed in a thread. Raises if they are not what was opened."""
    bundle = boundary.bundle
    if item_id == SYNTHESIS_ID and bundle.synthesis is not None:
        content = boundary.synthesis_bytes()
        if content is None:
            raise NotFound("no bytes")
        return ItemBytes(SYNTHESIS_ID, "text/markdown", bundle.synthesis.sha256, content)
    item = bundle.item(item_id)
    if item is None or not item.has_bytes or item.file is None or item.sha256 is None:
        raise NotFound("no bytes")
    content = await asyncio.to_thread(boundary.indexed.opened.read, item_id)
    name = item.file.rsplit("/", 1)[-1]
    return ItemBytes(name, item.media_type or "application/octet-stream", item.sha256, content)


def served_bytes(found: ItemBytes, request: Request) -> Response:
    """RFC 9110 §13 and §14: ETag, one range, If-Range, If-None-Match."""
    etag = f'"{found.sha256}"'
    headers = {
        "ETag": etag,
        "Accept-Ranges": "bytes",
        "Cache-Control": "private, no-cache",
        "Content-Disposition": _disposition(found),
        "Content-Security-Policy": _CSP,
        "X-TIP-SHA256": found.sha256,
    }
    if etag in _listed(request.headers.get("if-none-match")):
        return Response(status_code=304, headers=headers)
    wanted = request.headers.get("range")
    if wanted is None or request.headers.get("if-range", etag) != etag:
        return _response(found.content, 200, found, headers)
    total = len(found.content)
    part = _part(wanted, total)
    if part is None:
        return _response(found.content, 200, found, headers)
    start, end = part
    if start >= end:
        empty = headers | {"Content-Range": f"bytes */{total}"}
        return Response(status_code=416, headers=empty)
    headers["Content-Range"] = f"bytes {start}-{end - 1}/{total}"
    return _response(found.content[start:end], 206, found, headers)


def _response(content: bytes, status: int, found: ItemBytes, headers: dict[str, str]) -> Response:
    # Not `media_type`: that would add a charset that nobody declared.
    return Response(content, status, headers=headers | {"Content-Type": found.media_type})


def _part(wanted: str, total: int) -> tuple[int, int] | None:
    """From the first byte to behind the last; None for what is not understood, and so ignored
    (several ranges, other units)."""
    match = _RANGE.fullmatch(wanted.replace(" ", ""))
    if match is None or not (match[1] or match[2]):
        return None
    if not match[1]:
        return max(0, total - int(match[2])), total
    start = int(match[1])
    end = min(int(match[2]) + 1, total) if match[2] else total
    return None if match[2] and int(match[2]) < start else (start, end)


def _listed(header: str | None) -> set[str]:
    return {one.strip().removeprefix("W/") for one in (header or "").split(",")}


def _disposition(found: ItemBytes) -> str:
    kind = found.media_type
    shown = kind.startswith(_SHOWN_IN_PLACE) and not kind.startswith(_ACTIVE)
    how = "inline" if shown else "attachment"
    return f"{how}; filename*=UTF-8''{quote(found.name, safe='')}"
