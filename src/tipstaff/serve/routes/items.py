"""The items themselves: bytes, what a citation points at, pages as pictures. Each obeys access."""

from __future__ import annotations

import asyncio
import hashlib
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request
from fastapi import Path as InPath
from pydantic import BaseModel, ConfigDict
from starlette.responses import Response

from tipstaff.boundary import GroundingBoundary
from tipstaff.domain.citation import Citation, Unresolved
from tipstaff.errors import NotFound
from tipstaff.locating import citation_in, located
from tipstaff.serve.bodies import encoded, json_response
from tipstaff.serve.callers import spoken_version
from tipstaff.serve.documented import answers
from tipstaff.serve.item_bytes import bytes_of, served_bytes
from tipstaff.serve.looking import Look, TheLook
from tipstaff.serve.pages import MOST_PAGES
from tipstaff.serve.refusals import refusal

router = APIRouter(
    prefix="/tez/{tez_id}/items/{item_id:path}",
    tags=["items"],
    dependencies=[Depends(spoken_version)],
)

_ANY = {"*/*": {"schema": {"type": "string", "format": "binary"}}}
_PNG = {"image/png": {"schema": {"type": "string", "format": "binary"}}}


class Located(BaseModel):
    """What a citation points at. Boxes are in points, as the page is shown."""

    model_config = ConfigDict(extra="allow")
    citation: str
    item_id: str
    location: str
    title: str
    text: str
    boxes: list[dict[str, Any]]
    spans: list[dict[str, Any]]
    pages: list[dict[str, Any]]


@router.get(
    "/content",
    responses=answers(403, 416, 422, media=_ANY)
    | {206: {"description": "A part.", "content": _ANY}, 304: {"description": "Not changed."}},
    response_model=None,
)
async def content(look: TheLook, request: Request) -> Response:
    """An item's bytes, hashed again before they leave; ranges and ETags as HTTP has them."""
    answer = served_bytes(await bytes_of(look.boundary, look.item_id), request)
    if answer.body:
        # Not who has them already (304), nor a part that is not there.
        await look.told("content", answer.headers.get("content-range", ""))
    return answer


@router.get("/locate", responses=answers(403, 422, of=Located), response_model=None)
async def locate(
    look: TheLook,
    citation: Annotated[
        str, Query(max_length=2_000, description="With or without its brackets: [[report:p7]].")
    ],
) -> Response:
    """The passage that a citation points at, and where it stands on the page."""
    cited = citation_in(look.boundary, look.item_id, citation)
    answer = await asyncio.to_thread(_located, look.boundary, cited)
    if answer.status_code == 200:
        # What is no place of the item may be any words, and those are not for the log.
        await look.told("passage", str(cited.location))
    return answer


@router.get(
    "/pages/{number}.png", responses=answers(403, 422, 504, media=_PNG), response_model=None
)
async def page(
    look: TheLook,
    number: Annotated[int, InPath(ge=1, le=MOST_PAGES)],
    scale: Annotated[float, Query(ge=0.25, le=4, description="Pixels a point.")] = 2.0,
) -> Response:
    """A page of a PDF as it is shown; a box times `X-TIP-Page-Scale` is its place in pixels."""
    found = await bytes_of(look.boundary, look.item_id)
    image = await look.service.pages.rendered(found, number, scale)
    png, whose = await _for_recipient(look, image.png)
    await look.told("page", f"p{number}")
    return Response(
        png,
        media_type="image/png",
        headers={
            "ETag": f'"{found.sha256}-{number}-{image.scale:g}{whose}"',
            "Cache-Control": "private, no-cache",
            "X-TIP-Page-Scale": f"{image.scale:g}",
        },
    )


async def _for_recipient(look: Look, png: bytes) -> tuple[bytes, str]:
    """TIP §13.3.3, 2 and 3: with marks of its own for whoever looks at it, in whichever session,
    and a name in caches."""
    boundary = look.boundary
    marks, recipient = look.service.watermarks, boundary.recipient
    if recipient is None or not marks.wanted(boundary.bundle):
        return png, ""
    tenant, tez_id = boundary.indexed.tenant, boundary.bundle.id
    code = await marks.page_code(
        tenant=tenant, user=recipient, tez_id=tez_id, session_id=look.session_id
    )
    whose = f"-{hashlib.sha256(code).hexdigest()[:8]}"
    return await asyncio.to_thread(marks.stamped, png, code), whose


def _located(boundary: GroundingBoundary, cited: Citation) -> Response:
    found = located(boundary, cited)
    if isinstance(found, Unresolved):
        # The item is the caller's to see, so is what is wrong with the place.
        told = refusal(NotFound(""))
        told.body = encoded({"error": {**_NO_PLACE, "reason": found.reason}})
        told.headers["content-length"] = str(len(told.body))
        return told
    return json_response(found)


_NO_PLACE = {"type": NotFound.code, "message": "The item has no such place."}
