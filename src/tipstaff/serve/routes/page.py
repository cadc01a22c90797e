"""The page: `GET /` and the files that it loads. Whatever it shows it asks of the other routes."""

from __future__ import annotations

from fastapi import APIRouter, Request
from starlette.responses import Response

from tipstaff.errors import NotFound
from tipstaff.serve.page_files import CSP, START, PageFile, page_files

# No part of the protocol, so not of its document either.
router = APIRouter(include_in_schema=False)
_FOR_EVER = "public, max-age=31536000, immutable"


@router.get("/")
async def start(request: Request) -> Response:
    """Asked for anew each time: it names the release of everything else."""
    return _sent(page_files().files[START], request, "no-cache")


@router.get("/page/{digest}/{name}")
async def file(digest: str, name: str, request: Request) -> Response:
    """One file of this release; of others there is none."""
    files = page_files()
    found = files.files.get(name)
    if found is None or digest != files.digest:
        raise NotFound("no such file")
    return _sent(found, request, _FOR_EVER)


def _sent(found: PageFile, request: Request, caching: str) -> Response:
    headers = {
        "Content-Type": found.media_type,
        "ETag": found.etag,
        "Cache-Control": caching,
        "Content-Security-Policy": CSP,
        "Cross-Origin-Opener-Policy": "same-origin",
        "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    }
    if request.headers.get("if-none-match") == found.etag:
        return Response(status_code=304, headers=headers)
    return Response(found.content, headers=headers)
