"""Context items as resources: the bytes as they were sent, and their words. Access is obeyed.

`tez://TEZ/items/ITEM` is the file, `tez://TEZ/text/ITEM` the text that was read from it. Items that
may be asked about and not looked at are not listed, and refused with the reason (TIP §13.4.2).
"""

from __future__ import annotations

import asyncio
import base64
import re
from urllib.parse import quote, unquote

from mcp_types import (
    BlobResourceContents,
    ListResourcesResult,
    ListResourceTemplatesResult,
    ReadResourceResult,
    Resource,
    ResourceTemplate,
    TextResourceContents,
)

from tipstaff.agents.desk import Desk, Tell
from tipstaff.boundary import GroundingBoundary
from tipstaff.decoding import decode_text
from tipstaff.domain.citation import SYNTHESIS_ID
from tipstaff.errors import NotFound, TipstaffError, UsageError
from tipstaff.locating import item_to_show
from tipstaff.media_type import UNKNOWN, is_text

_URI = re.compile(r"tez://([^/?#]+)/(items|text)/([^?#]+)")
_CURSOR = re.compile(r"([0-9]{1,9})\.([0-9]{1,9})")
_PAGE = 200
_TEZITS_A_PAGE = 10
# An agent's context holds far less; a file of this size is for `ask` and `search_context`.
_MOST_BYTES = 16 * 1024 * 1024

TEMPLATES = ListResourceTemplatesResult(
    resource_templates=[
        ResourceTemplate(
            uri_template="tez://{tez_id}/items/{item_id}",
            name="item",
            title="A context item",
            description="An item's file, hashed again before it leaves.",
        ),
        ResourceTemplate(
            uri_template="tez://{tez_id}/text/{item_id}",
            name="text",
            title="The words of a context item",
            description="The text that was read from the file: what answers are checked against.",
            mime_type="text/plain",
        ),
    ]
)


async def listed(desk: Desk, cursor: str | None, tell: Tell) -> ListResourcesResult:
    """In pages: what the caller may look at, the synthesis of each tez first. A page opens few
    tezits, however many there are; it may be short, and still not the last."""
    tezits = await desk.tezits()
    tez, item = _place(cursor)
    found: list[Resource] = []
    last_tez = min(tez + _TEZITS_A_PAGE, len(tezits))
    while tez < last_tez:
        rest = (await _of_tez(desk, tezits[tez].tez_id, tell))[item:]
        room = _PAGE - len(found)
        found += rest[:room]
        if len(rest) > room:
            item += room
            break
        tez, item = tez + 1, 0
    more = tez < len(tezits)
    return ListResourcesResult(resources=found, next_cursor=f"{tez}.{item}" if more else None)


async def read(desk: Desk, uri: str, tell: Tell) -> ReadResourceResult:
    match = _URI.fullmatch(uri)
    if match is None:
        raise UsageError(
            "This is no address of an item.", suggestion="tez://TEZ/items/ITEM, or /text/ITEM."
        )
    boundary = await desk.boundary(unquote(match[1]), tell)
    item_id = item_to_show(boundary, unquote(match[3]))
    if match[2] == "text":
        text = await asyncio.to_thread(_words, boundary, item_id)
        return ReadResourceResult(
            contents=[TextResourceContents(uri=uri, mime_type="text/plain", text=text)]
        )
    content, kind = await asyncio.to_thread(_file, boundary, item_id)
    if is_text(kind):
        shown: TextResourceContents | BlobResourceContents = TextResourceContents(
            uri=uri, mime_type=kind, text=decode_text(content)
        )
    else:
        shown = BlobResourceContents(
            uri=uri, mime_type=kind, blob=base64.b64encode(content).decode()
        )
    return ReadResourceResult(contents=[shown])


async def _of_tez(desk: Desk, tez_id: str, tell: Tell) -> list[Resource]:
    try:
        boundary = await desk.boundary(tez_id, tell)
    except TipstaffError:
        # One that is being indexed, or cannot be, has no items yet; `list_tezits` has it.
        return []
    bundle = boundary.bundle
    found = []
    if bundle.synthesis is not None:
        found.append(
            Resource(
                uri=uri_of(tez_id, SYNTHESIS_ID),
                name=f"{tez_id}/{SYNTHESIS_ID}",
                title=f"{bundle.title} (synthesis: the sender's summary, not evidence)",
                mime_type="text/markdown",
            )
        )
    return found + [
        Resource(
            uri=uri_of(tez_id, item.id),
            name=f"{tez_id}/{item.id}",
            title=item.title,
            mime_type=item.media_type,
            size=item.size_bytes,
        )
        for item in bundle.items
        if item.has_bytes and boundary.quotable(item.id)
    ]


def uri_of(tez_id: str, item_id: str) -> str:
    return f"tez://{quote(tez_id, safe='')}/items/{quote(item_id, safe='')}"


def _place(cursor: str | None) -> tuple[int, int]:
    """How many tezits were listed whole, and how many items of the next."""
    if cursor is None:
        return 0, 0
    match = _CURSOR.fullmatch(cursor)
    if match is None:
        raise UsageError("This cursor is not one of this list.")
    return int(match[1]), int(match[2])


def _file(boundary: GroundingBoundary, item_id: str) -> tuple[bytes, str]:
    """Read and hashed: raises if the bytes are not those that were opened."""
    item = boundary.bundle.item(item_id)
    if item is None:
        content = boundary.synthesis_bytes()
        if content is None:
            raise NotFound("no synthesis")
        return content, "text/markdown"
    if not item.has_bytes:
        raise NotFound("no bytes")
    if item.size_bytes > _MOST_BYTES:
        raise UsageError(
            f"The file has {item.size_bytes:,} bytes, more than are sent here.",
            suggestion="Use search_context or ask; or read its words: tez://TEZ/text/ITEM.",
        )
    return boundary.indexed.opened.read(item_id), item.media_type or UNKNOWN


def _words(boundary: GroundingBoundary, item_id: str) -> str:
    citable = boundary.citable(item_id)
    if citable is None:
        raise NotFound("no words")
    text = citable.document.text
    if len(text) > _MOST_BYTES:
        raise UsageError(
            f"The text has {len(text):,} characters, more than are sent here.",
            suggestion="Use search_context or ask.",
        )
    return text
