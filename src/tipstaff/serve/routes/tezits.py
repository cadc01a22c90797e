"""Tezits as a whole: published, listed, described, withdrawn (TIP §12)."""

from __future__ import annotations

import asyncio
import datetime as dt
import time
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request
from pydantic import BaseModel
from starlette.responses import Response

from tipstaff.boundary import GroundingBoundary
from tipstaff.domain.caller import Permission
from tipstaff.domain.timestamp import timestamp
from tipstaff.domain.wire import to_wire
from tipstaff.hosting.published import Published, TezState
from tipstaff.instances.announcements import Kind
from tipstaff.serve.bodies import json_response
from tipstaff.serve.callers import TheCaller, TheService, require, spoken_version
from tipstaff.serve.documented import answers
from tipstaff.serve.evaluated import EXTENSION_ID, evaluation_of
from tipstaff.serve.schemas import PublishedBody, TezList
from tipstaff.serve.service import Service
from tipstaff.serve.visible import boundary_for
from tipstaff.serve.welcome import context_summary, privacy, terms
from tipstaff.tenancy.shared_tezits import SharedTez

router = APIRouter(tags=["tezits"], dependencies=[Depends(spoken_version)])

_UPLOAD = {
    "requestBody": {
        "required": True,
        "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
    }
}


class TezBody(PublishedBody):
    """With what the caller may see of it, once it can be asked."""

    context_summary: dict[str, Any] | None = None
    context_scope: dict[str, Any] | None = None
    items: list[dict[str, Any]] | None = None
    hosting: dict[str, Any] | None = None
    privacy: dict[str, Any] | None = None
    extensions: dict[str, Any] | None = None


class CostReport(BaseModel):
    """TIP §12.1.4."""

    cost_report: dict[str, Any]


@router.put(
    "/tez/{tez_id}",
    responses=answers(403, 422, 501, of=PublishedBody)
    | {
        201: {"description": "Published.", "model": PublishedBody},
        202: {"description": "Received, and being indexed.", "model": PublishedBody},
    },
    response_model=None,
    openapi_extra=_UPLOAD,
)
async def publish(
    *,
    tez_id: str,
    request: Request,
    service: TheService,
    caller: TheCaller,
    wait: Annotated[bool, Query(description="Answer when it can be asked.")] = True,
    proceed_with_partial: Annotated[
        bool, Query(description="Publish it although items are missing or damaged.")
    ] = False,
) -> Response:
    """Publish a `.tez`: equal bytes are the version that is there, others the next."""
    require(caller, Permission.PUBLISH)
    published = await service.tezits.publish(
        caller, request.stream(), tez_id=tez_id, proceed=proceed_with_partial, wait=wait
    )
    body = _published(published)
    status = 202 if published.state is TezState.INDEXING else 201
    return json_response(body, status)


@router.get("/tez", responses=answers(of=TezList), response_model=None)
async def list_tezits(service: TheService, caller: TheCaller) -> Response:
    """Every tez that the caller may know of."""
    found = [_published(one) for one in await service.tezits.list(caller)]
    return json_response({"tezits": found})


@router.get("/tez/{tez_id}", responses=answers(422, of=TezBody), response_model=None)
async def describe(
    tez_id: str,
    service: TheService,
    caller: TheCaller,
    version: Annotated[
        int | None, Query(ge=1, le=2**31, description="An older version; else the current one.")
    ] = None,
) -> Response:
    """One tez: its state, its items, the sender's terms."""
    published = await service.tezits.describe(caller, tez_id, version)
    body = _published(published)
    if published.is_served:
        boundary = await boundary_for(service, caller, tez_id, published.version)
        body |= _contents(service, boundary)
        opened = boundary.indexed.opened
        figures = await asyncio.to_thread(evaluation_of, opened, service.settings)
        body |= {} if figures is None else {"extensions": {EXTENSION_ID: figures}}
    return json_response(body)


@router.delete(
    "/tez/{tez_id}", status_code=204, responses=answers(403, status=204), response_model=None
)
async def withdraw(tez_id: str, service: TheService, caller: TheCaller) -> Response:
    """Withdraw a tez: from now on there is none of this name."""
    await service.tezits.withdraw(caller, tez_id)
    await service.announcements.tell(Kind.WITHDRAWN, tenant=caller.tenant, name=tez_id)
    return Response(status_code=204)


@router.get("/tez/{tez_id}/costs", responses=answers(403, of=CostReport), response_model=None)
async def costs(
    *,
    tez_id: str,
    service: TheService,
    caller: TheCaller,
    since: Annotated[
        dt.date | None, Query(description="The first day; else of this month.")
    ] = None,
    until: Annotated[dt.date | None, Query(description="The last day; else today.")] = None,
) -> Response:
    """What interrogation of this tez cost its sender (TIP §12.1.4)."""
    today = dt.datetime.now(dt.UTC).date()
    first, last = since or today.replace(day=1), until or today
    report = await service.ledger.cost_report(caller, tez_id, _midnight(first), _end_of(last))
    return json_response(report)


def _published(tez: Published) -> dict[str, Any]:
    return {
        "tez_id": tez.tez_id,
        "version": tez.version,
        "digest": tez.digest,
        "title": tez.title,
        "state": str(tez.state),
        "progress": tez.progress,
        "published_at": timestamp(tez.published_at),
        "published_by": tez.published_by,
    } | _shared(tez)


def _shared(tez: Published) -> dict[str, Any]:
    """Enterprise §6.3.1: on which terms, of a tez that another tenant shares."""
    return {"share": tez.share.to_wire(time.time())} if isinstance(tez, SharedTez) else {}


def _contents(service: Service, boundary: GroundingBoundary) -> dict[str, Any]:
    bundle = boundary.bundle
    unread = set(boundary.unread())
    return {
        "context_summary": context_summary(boundary),
        "context_scope": to_wire(boundary.scope()),
        "items": [
            {
                "id": item.id,
                "type": item.type,
                "title": item.title,
                "mime_type": item.media_type,
                "size_bytes": item.size_bytes,
                "sha256": item.sha256,
                "state": "unindexed" if item.id in unread else str(item.state),
                "hash_state": str(item.hash_state),
                "access": str(item.access.level),
                "parent": item.parent,
            }
            for item in bundle.items
        ],
        "hosting": terms(service, bundle),
        "privacy": privacy(service, bundle),
    }


def _midnight(day: dt.date) -> float:
    return dt.datetime.combine(day, dt.time(), dt.UTC).timestamp()


def _end_of(day: dt.date) -> float:
    """The second behind the day; the last day that there is has none behind it."""
    return _midnight(day) + 86_400
