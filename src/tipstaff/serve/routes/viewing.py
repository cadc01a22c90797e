"""Items by what is visible of them: an overview with the lit places, then lines, blocks, rows and
nodes by range. Each obeys access as the bytes do."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query
from pydantic import BaseModel, ConfigDict
from starlette.responses import Response

from tipstaff.boundary import GroundingBoundary
from tipstaff.citation.places import CitableDocument
from tipstaff.domain.citation import Unresolved
from tipstaff.domain.document import Document
from tipstaff.domain.location import TimeRange
from tipstaff.errors import NotFound
from tipstaff.locating import citation_in
from tipstaff.serve import viewing
from tipstaff.serve.bodies import json_response
from tipstaff.serve.callers import TheCaller, TheService, spoken_version
from tipstaff.serve.data_tree import data_tree
from tipstaff.serve.documented import answers
from tipstaff.serve.inventory import inventory
from tipstaff.serve.looking import TheLook, Version
from tipstaff.serve.viewing import Lit, lit_by
from tipstaff.serve.visible import boundary_for

router = APIRouter(prefix="/tez/{tez_id}", tags=["viewing"], dependencies=[Depends(spoken_version)])
_NO_TEXT = "No text could be read from this item, so no answer rests on it."
_ITEM = "/items/{item_id:path}"

Place = Annotated[
    str, Query(max_length=2_000, description="A citation of this item, or a place in it.")
]
Words = Annotated[str, Query(max_length=2_000, description="The exact words to light there.")]
First = Annotated[int, Query(ge=1, le=2**31, description="The first of them, from 1.")]
Last = Annotated[int, Query(ge=1, le=2**31, description="The last of them; not too many at once.")]
Node = Annotated[int, Query(ge=0, le=2**31, description="The node, by its number.")]
Child = Annotated[int, Query(ge=0, le=2**31, description="Its first child to give, from 0.")]


class InventoryBody(BaseModel):
    """TIP §14.1: every item that exists for the caller, whatever its state."""

    items: list[dict[str, Any]]


class View(BaseModel):
    """What a viewer opens with. Boxes are in points, as the page is shown."""

    model_config = ConfigDict(extra="allow")
    item_id: str
    title: str
    kind: str
    media_type: str
    passage_boxes: list[dict[str, Any]]
    word_boxes: list[dict[str, Any]]


class Lines(BaseModel):
    lines: list[dict[str, Any]]


class Blocks(BaseModel):
    blocks: list[dict[str, Any]]


class Rows(BaseModel):
    rows: list[dict[str, Any]]


class Nodes(BaseModel):
    """`open` are the nodes that lead to the place, outermost first."""

    nodes: list[dict[str, Any]]
    open: list[int]


@dataclass(frozen=True, slots=True)
class _Shown:
    citable: CitableDocument
    lit: Lit
    item_id: str
    title: str
    media_type: str
    unresolved: str = ""


async def _shown(look: TheLook, citation: Place = "", words: Words = "") -> _Shown:
    """The document and what of it is lit. A place that is not there lights nothing and is said."""
    boundary, item_id = look.boundary, look.item_id
    try:
        citable = await look.service.documents.of(boundary, item_id)
    except NotFound:
        citable = _without_text(boundary, item_id)
    return await asyncio.to_thread(_with_light, boundary, citable, item_id, citation, words)


Shown = Annotated[_Shown, Depends(_shown)]


@router.get("/inventory", responses=answers(422, of=InventoryBody), response_model=None)
async def items(
    tez_id: str, service: TheService, caller: TheCaller, version: Version = None
) -> Response:
    """The items with what reading them brought: tokens, pages, hidden text, what was not read."""
    boundary = await boundary_for(service, caller, tez_id, version)
    return json_response({"items": await asyncio.to_thread(inventory, boundary)})


@router.get(f"{_ITEM}/view", responses=answers(403, 422, of=View), response_model=None)
async def view(look: TheLook, shown: Shown) -> Response:
    """What kind of thing an item is, and where in it a citation points."""
    kind = viewing.kind_of(shown.citable.document, shown.media_type)
    if kind == "tree" and await asyncio.to_thread(data_tree, shown.citable.document) is None:
        kind = "lines"
    body = await asyncio.to_thread(viewing.overview, shown.citable, kind, shown.lit)
    await look.told("view")
    return json_response(
        {
            "item_id": shown.item_id,
            "title": shown.title,
            "media_type": shown.media_type,
            "unresolved": shown.unresolved,
            **body,
        }
    )


@router.get(f"{_ITEM}/lines", responses=answers(403, 422, of=Lines), response_model=None)
async def lines(look: TheLook, shown: Shown, first: First = 1, last: Last = 200) -> Response:
    """Lines by number, in runs of equal light."""
    found = await asyncio.to_thread(viewing.lines, shown.citable, first, last, shown.lit)
    await look.told("lines", f"{first}-{last}")
    return json_response({"lines": found})


@router.get(f"{_ITEM}/blocks", responses=answers(403, 422, of=Blocks), response_model=None)
async def blocks(look: TheLook, shown: Shown, first: First = 1, last: Last = 200) -> Response:
    """Paragraphs, slides, messages and spoken segments by number."""
    found = await asyncio.to_thread(viewing.blocks, shown.citable, first, last, shown.lit)
    await look.told("blocks", f"{first}-{last}")
    return json_response({"blocks": found})


@router.get(f"{_ITEM}/rows", responses=answers(403, 422, of=Rows), response_model=None)
async def rows(
    look: TheLook,
    shown: Shown,
    sheet: Annotated[str, Query(max_length=500, description="The sheet, by its name.")],
    first: First = 1,
    last: Last = 200,
) -> Response:
    """Rows of a sheet by number; empty ones are left out."""
    document = shown.citable.document
    found = next((one for one in document.sheets if one.name == sheet), None)
    if found is None:
        raise NotFound("no such sheet")
    shown_rows = await asyncio.to_thread(viewing.rows, document, found, first, last)
    await look.told("rows", f"{found.name}:{first}-{last}")
    return json_response({"rows": shown_rows})


@router.get(f"{_ITEM}/nodes", responses=answers(403, 422, of=Nodes), response_model=None)
async def nodes(look: TheLook, shown: Shown, node: Node = 0, first: Child = 0) -> Response:
    """The children of a node of JSON or XML; node 0 is the root."""
    tree = await asyncio.to_thread(data_tree, shown.citable.document)
    if tree is None:
        raise NotFound("no tree")
    children = await asyncio.to_thread(tree.children, node, first, shown.lit)
    await look.told("nodes", f"{node}:{first}")
    return json_response({"nodes": children, "open": tree.path_to(shown.lit)})


def _without_text(boundary: GroundingBoundary, item_id: str) -> CitableDocument:
    """A picture or a recording can be seen and heard, whether its words were read or not."""
    item = boundary.bundle.item(item_id)
    if item is None or not item.has_bytes:
        raise NotFound("no bytes")
    return CitableDocument(item_id, Document(text="", blocks=(), notes=(_NO_TEXT,)))


def _with_light(
    boundary: GroundingBoundary, citable: CitableDocument, item_id: str, place: str, words: str
) -> _Shown:
    item = boundary.bundle.item(item_id)
    title = boundary.bundle.title if item is None else item.title
    media_type = (item.media_type if item else "text/markdown") or "application/octet-stream"
    hidden = viewing.hidden_spans(citable.document)
    if not place and not words:
        return _Shown(citable, Lit(hidden=hidden), item_id, title, media_type)
    cited = citation_in(boundary, item_id, place or item_id)
    found = citable.resolve(cited.location)
    if isinstance(found, Unresolved):
        moment = cited.location.start_ms if isinstance(cited.location, TimeRange) else None
        lit = Lit(hidden=hidden, start_ms=moment)
        return _Shown(citable, lit, item_id, title, media_type, found.reason)
    lit = lit_by(citable.document, found.spans, words)
    if not str(cited.location) and not lit.words:
        # The item as such: nothing of it is more meant than the rest.
        lit = Lit(hidden=hidden)
    return _Shown(citable, lit, item_id, title, media_type)
