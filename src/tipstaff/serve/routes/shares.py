"""Tezits across tenants (Enterprise §6.3): shared by their senders, known to their receivers."""

from __future__ import annotations

import time
from typing import Annotated, Any

from fastapi import APIRouter, Depends
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import Response

from tipstaff.domain.caller import Caller, Permission
from tipstaff.serve.bodies import json_response
from tipstaff.serve.callers import TheCaller, TheService, require, spoken_version
from tipstaff.serve.documented import answers
from tipstaff.serve.service import Service
from tipstaff.tenancy.shares import Consent, OnRevoke, Strategy

router = APIRouter(tags=["shares"], dependencies=[Depends(spoken_version)])

Name = Annotated[str, Field(min_length=1, max_length=200)]


class ShareRequest(BaseModel):
    model_config = ConfigDict(extra="forbid")
    to_tenant: Name
    strategy: Strategy = Strategy.ACCEPT_DEPENDENCY
    users: Annotated[list[Name], Field(min_length=1, max_length=1_000)] | None = None
    sync_interval_s: Annotated[int, Field(ge=60, le=2_592_000)] | None = None
    on_revoke: OnRevoke | None = None


class ShareBody(BaseModel):
    share: dict[str, Any]


class ShareList(BaseModel):
    shares: list[dict[str, Any]]


@router.post(
    "/tez/{tez_id}/shares",
    status_code=201,
    responses=answers(403, 422, 501, of=ShareBody, status=201),
    response_model=None,
)
async def share(
    tez_id: str, service: TheService, caller: TheCaller, body: ShareRequest
) -> Response:
    """Let another tenant ask a tez; its receivers find it among their own, under the share's id."""
    require(caller, Permission.PUBLISH)
    given = await service.sharing.share(
        caller,
        tez_id,
        to_tenant=body.to_tenant,
        strategy=body.strategy,
        users=body.users,
        sync_interval_s=body.sync_interval_s,
        on_revoke=body.on_revoke,
    )
    return json_response({"share": given.to_wire()}, 201)


@router.get("/tez/{tez_id}/shares", responses=answers(403, of=ShareList), response_model=None)
async def given(tez_id: str, service: TheService, caller: TheCaller) -> Response:
    """To whom a tez is and was shared."""
    found = await service.sharing.given(caller, tez_id)
    return json_response({"shares": [one.to_wire() for one in found]})


@router.delete(
    "/tez/{tez_id}/shares/{share_id}",
    responses=answers(403, of=ShareBody),
    response_model=None,
)
async def revoke(tez_id: str, share_id: str, service: TheService, caller: TheCaller) -> Response:
    """Revoke a share: it cannot be asked from now on."""
    gone = await service.sharing.revoke(caller, tez_id, share_id)
    return json_response({"share": gone.to_wire()})


@router.get("/shares", responses=answers(of=ShareList), response_model=None)
async def received(service: TheService, caller: TheCaller) -> Response:
    """What other tenants share with the caller's: how available it is, and how fresh."""
    found = await service.sharing.received(caller)
    return json_response({"shares": [one.to_wire(time.time()) for one in found]})


@router.post("/shares/{share_id}/accept", responses=answers(403, of=ShareBody), response_model=None)
async def accept(share_id: str, service: TheService, caller: TheCaller) -> Response:
    """Take what another tenant shares; a copy, if it is one, is made now."""
    return await _decided(service, caller, share_id, Consent.ACCEPTED)


@router.post(
    "/shares/{share_id}/decline", responses=answers(403, of=ShareBody), response_model=None
)
async def decline(share_id: str, service: TheService, caller: TheCaller) -> Response:
    """Do not take what another tenant shares, or no longer: it cannot be asked from now on."""
    return await _decided(service, caller, share_id, Consent.DECLINED)


async def _decided(service: Service, caller: Caller, share_id: str, consent: Consent) -> Response:
    require(caller, Permission.ADMIN)
    share = await service.sharing.decide(caller, share_id, consent)
    return json_response({"share": share.to_wire(time.time())})
