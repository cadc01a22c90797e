"""For those who run the server, and for those who find it: health, metrics, audit, discovery."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request
from pydantic import BaseModel, ConfigDict
from starlette.responses import Response

from tipstaff.audit.search import AuditSearch
from tipstaff.domain.caller import Permission
from tipstaff.serve.bodies import json_response
from tipstaff.serve.callers import TheCaller, TheService, authenticated, require
from tipstaff.serve.configuration import is_loopback
from tipstaff.serve.discovery import discovery
from tipstaff.serve.documented import answers, open_to_all

router = APIRouter(tags=["operations"])
_MOST_RECORDS = 1_000
_MOMENT = r"^(\d{4}-\d{2}-\d{2}(T[\d:.]+(Z|\+00:00)?)?)?$"


class Health(BaseModel):
    status: str
    reason: str | None = None


class AuditPage(BaseModel):
    """Enterprise §6.6: the caller's tenant's alone, in a chain; `next` is `after` of the page
    behind this one, or `before` where the newest come first."""

    records: list[dict[str, Any]]
    next: int | None = None


class LoggedQueries(BaseModel):
    logged_queries: list[dict[str, Any]]


class Discovery(BaseModel):
    model_config = ConfigDict(extra="allow")
    tip_version: str
    conformance: list[str]
    limits: dict[str, Any]
    hosting: dict[str, Any]


@router.get(
    "/healthz",
    responses=open_to_all(Health),
    response_model=None,
)
async def alive() -> Response:
    """The process answers."""
    return json_response({"status": "ok"})


@router.get(
    "/readyz",
    responses=open_to_all(Health) | {503: {"description": "Not now.", "model": Health}},
    response_model=None,
)
async def ready(service: TheService) -> Response:
    """New work is taken: the database answers and the server is not stopping."""
    if service.draining.is_set():
        return json_response({"status": "draining"}, 503)
    reason = await service.not_ready()
    return (
        json_response({"status": "not ready", "reason": reason}, 503)
        if reason
        else json_response(_READY)
    )


@router.get(
    "/metrics",
    responses=answers(403, media={"text/plain": {"schema": {"type": "string"}}}),
    response_model=None,
)
async def metrics(request: Request, service: TheService) -> Response:
    """Prometheus' format, to admins and to this computer itself."""
    if not _is_local(request):
        require(await authenticated(request), Permission.ADMIN)
    return Response(service.metrics.text(), media_type="text/plain; version=0.0.4")


@dataclass(slots=True)
class AuditWanted:
    """`before` a number the newest come first. `since` and `until` are days or moments in UTC."""

    after: Annotated[int, Query(ge=0, le=2**53, description="Records behind this number.")] = 0
    before: Annotated[
        int | None, Query(ge=0, le=2**53, description="Records before it, newest first.")
    ] = None
    limit: Annotated[int, Query(ge=1, le=_MOST_RECORDS, description="How many at most.")] = 100
    kind: Annotated[str, Query(max_length=60, description="Records of this kind alone.")] = ""
    since: Annotated[
        str, Query(max_length=30, pattern=_MOMENT, description="The first day or moment, in UTC.")
    ] = ""
    until: Annotated[
        str, Query(max_length=30, pattern=_MOMENT, description="The last day or moment, in UTC.")
    ] = ""
    words: Annotated[str, Query(max_length=200, description="Words that a record has.")] = ""


@router.get("/audit", responses=answers(403, of=AuditPage), response_model=None)
async def audit(
    service: TheService, caller: TheCaller, wanted: Annotated[AuditWanted, Depends()]
) -> Response:
    """Who did what, when, and what was withheld, without a word of any query; for admins of the
    tenant."""
    require(caller, Permission.ADMIN)
    search = AuditSearch(**asdict(wanted))
    records = await service.audit_records(caller.tenant, search)
    following = {"next": records[-1]["number"]} if len(records) == search.limit else {}
    return json_response({"records": records, **following})


@router.get("/privacy/logged-queries", responses=answers(of=LoggedQueries), response_model=None)
async def logged(service: TheService, caller: TheCaller) -> Response:
    """What is logged of the caller's queries, by their consent, for themselves alone."""
    return json_response({"logged_queries": await service.query_log.own(caller)})


@router.delete(
    "/privacy/logged-queries",
    status_code=204,
    responses=answers(status=204),
    response_model=None,
)
async def erase_logged(service: TheService, caller: TheCaller) -> Response:
    """TIP §13.1.2: take consent back; what was logged of the caller's queries is deleted."""
    await service.query_log.erase(caller)
    return Response(status_code=204)


@router.delete(
    "/privacy/sessions", status_code=204, responses=answers(status=204), response_model=None
)
async def erase_sessions(service: TheService, caller: TheCaller) -> Response:
    """TIP §13.6, right to erasure: every session of the caller, and all that was said in it."""
    await service.sessions.erase_all(caller)
    return Response(status_code=204)


@router.get(
    "/.well-known/tip",
    responses=open_to_all(Discovery),
    response_model=None,
)
async def well_known(request: Request, service: TheService) -> Response:
    """What this server speaks, claims, allows and costs."""
    return json_response(discovery(service, base_url=str(request.base_url)))


_READY = {"status": "ready"}


def _is_local(request: Request) -> bool:
    """From this computer, and not by way of a proxy on it."""
    forwarded = {"forwarded", "x-forwarded-for", "x-real-ip", "via"} & set(request.headers.keys())
    return request.client is not None and is_loopback(request.client.host) and not forwarded
