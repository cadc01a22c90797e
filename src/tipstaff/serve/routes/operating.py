"""Who the caller is, and for admins of a tenant: its tokens, and the use of all its tezits."""

from __future__ import annotations

import datetime as dt
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query
from pydantic import BaseModel, Field
from starlette.responses import Response

from tipstaff.access.tokens import TokenFacts, Tokens
from tipstaff.domain.caller import Caller, Permission, user_named
from tipstaff.domain.timestamp import timestamp_or_none
from tipstaff.errors import NotFound
from tipstaff.instances.announcements import Kind
from tipstaff.serve.bodies import json_response
from tipstaff.serve.callers import TheCaller, TheService, require
from tipstaff.serve.documented import answers
from tipstaff.serve.service import Service

router = APIRouter(tags=["operating"])
_LONGEST_DAYS = 366


class Me(BaseModel):
    """`tezits` null: every tez of the tenant."""

    user: str
    tenant: str
    permissions: list[str]
    tezits: list[str] | None


class TokenList(BaseModel):
    tokens: list[dict[str, Any]]


class TokenRequest(BaseModel):
    user: str = Field(min_length=1, max_length=200, pattern=r"^[^\s\x00-\x1f]+$")
    permissions: list[Literal["interrogate", "publish", "admin"]] = ["interrogate"]
    tezits: list[Annotated[str, Field(max_length=200)]] | None = None
    days: int | None = Field(default=None, ge=1, le=3_660)
    label: str = Field(default="", max_length=200)


class IssuedToken(BaseModel):
    """The secret is shown this once."""

    secret: str
    token: dict[str, Any]


class UsageBody(BaseModel):
    """TIP §12.1.4's figures by tez, and of each by recipient; and by day, of all."""

    tezits: list[dict[str, Any]]
    days: list[dict[str, Any]]


@router.get("/me", responses=answers(of=Me), response_model=None)
async def me(caller: TheCaller) -> Response:
    """Whose token this is and what it is for."""
    return json_response(
        {
            "user": caller.user,
            "tenant": caller.tenant,
            "permissions": sorted(map(str, caller.permissions)),
            "tezits": None if caller.tezits is None else sorted(caller.tezits),
        }
    )


@router.get("/tokens", responses=answers(403, of=TokenList), response_model=None)
async def tokens(service: TheService, caller: TheCaller) -> Response:
    """Every token of the tenant; no secret is kept, so none is shown."""
    book = _book(service, caller)
    return json_response({"tokens": [_token(one) for one in await book.list(caller.tenant)]})


@router.post("/tokens", responses=answers(403, of=IssuedToken), response_model=None)
async def issue(service: TheService, caller: TheCaller, body: TokenRequest) -> Response:
    """A token for a recipient, a sender or an admin of the caller's own tenant."""
    book = _book(service, caller)
    ends = None
    if body.days is not None:
        ends = dt.datetime.now(dt.UTC).timestamp() + body.days * 86_400
    secret, facts = await book.issue(
        tenant=caller.tenant,
        user=user_named(body.user),
        permissions=[Permission(one) for one in body.permissions],
        tezits=body.tezits,
        expires_at=ends,
        label=body.label,
    )
    return json_response({"secret": secret, "token": _token(facts)})


@router.delete(
    "/tokens/{token_id}", status_code=204, responses=answers(403, status=204), response_model=None
)
async def revoke(token_id: str, service: TheService, caller: TheCaller) -> Response:
    """From now on it opens nothing, and streams that it opened end."""
    await _book(service, caller).revoke(caller.tenant, token_id)
    await service.announcements.tell(Kind.REVOKED, tenant=caller.tenant, name=token_id)
    return Response(status_code=204)


@router.get("/usage", responses=answers(403, of=UsageBody), response_model=None)
async def usage(
    service: TheService,
    caller: TheCaller,
    days: Annotated[
        int, Query(ge=1, le=_LONGEST_DAYS, description="How many days, up to today.")
    ] = 30,
) -> Response:
    """What every tez of the tenant was asked and what that cost, in the last days."""
    require(caller, Permission.ADMIN)
    until = dt.datetime.now(dt.UTC).timestamp()
    since = until - days * 86_400
    found = []
    for tez in await service.tezits.list(caller):
        report = await service.ledger.cost_report(caller, tez.tez_id, since, until)
        found.append({**report["cost_report"], "title": tez.title, "state": str(tez.state)})
    days_of = await service.ledger.cost_by_day(caller, since, until)
    return json_response({"tezits": found, "days": days_of})


def _book(service: Service, caller: Caller) -> Tokens:
    """An admin whose own token is for some tezits only could else issue one for all."""
    require(caller, Permission.ADMIN)
    if caller.tezits is not None:
        raise NotFound("no tokens here")
    return service.tokens


def _token(facts: TokenFacts) -> dict[str, Any]:
    return {
        "token_id": facts.token_id,
        "user": facts.user,
        "permissions": sorted(map(str, facts.permissions)),
        "tezits": None if facts.tezits is None else sorted(facts.tezits),
        "label": facts.label,
        "issued_at": timestamp_or_none(facts.issued_at),
        "expires_at": timestamp_or_none(facts.expires_at),
        "revoked_at": timestamp_or_none(facts.revoked_at),
    }
