"""Before a route runs: who asks, and in which version of the protocol."""

from __future__ import annotations

import re
from typing import Annotated

from fastapi import Depends, Header, Query, Request, Security
from fastapi.security import HTTPBearer

from tipstaff.domain.caller import Caller, Permission
from tipstaff.errors import AuthorizationDenied, UsageError, VersionMismatch
from tipstaff.serve.request_scope import TIP_VERSION
from tipstaff.serve.service import Service

_VERSION = re.compile(r"^([0-9]{1,4})(?:\.([0-9]{1,4}))?$")
# For the document only: `authenticated` reads the header itself, so that errors are ours.
_BEARER = HTTPBearer(auto_error=False, description="A recipient's token, or a JWT.")


def service_of(request: Request) -> Service:
    service: Service = request.app.state.service
    return service


async def authenticated(request: Request, _: Annotated[object, Security(_BEARER)] = None) -> Caller:
    """Whoever the token says; AuthenticationRequired if there is none that holds."""
    return await _known(request, request.headers.get("authorization"))


async def authenticated_reader(
    request: Request,
    tez_id: str,
    session_id: str,
    _: Annotated[object, Security(_BEARER)] = None,
    ticket: Annotated[
        str | None,
        Query(
            description="For a browser's EventSource, which cannot send headers: see `ticket`.",
            max_length=100,
        ),
    ] = None,
) -> Caller:
    """On streams alone, a ticket instead of the header."""
    header = request.headers.get("authorization")
    if header is None and ticket is not None:
        tickets = service_of(request).tickets
        header = await tickets.redeem(ticket, tez_id=tez_id, session_id=session_id)
    return await _known(request, header)


async def _known(request: Request, header: str | None) -> Caller:
    caller = await service_of(request).authenticate(header)
    request.scope["tip.tenant"] = caller.tenant
    # For streams, which are checked again (`rights.py`): a ticket's header is in no request.
    request.scope["tip.authorization"] = header
    return caller


async def own_session(
    request: Request,
    tez_id: str,
    caller: Annotated[Caller, Depends(authenticated)],
    session: Annotated[
        str,
        Query(
            description="The caller's session within which it is looked at; else outside any.",
            max_length=200,
        ),
    ] = "",
) -> str:
    """TIP §8.3: a session that is not the caller's is not there. Empty outside any."""
    if session:
        await service_of(request).sessions.permitted(caller, tez_id, session)
    return session


def spoken_version(
    x_tip_version: Annotated[
        str | None,
        Header(description="The caller's TIP version.", pattern=_VERSION.pattern, examples=["1.0"]),
    ] = None,
) -> None:
    """TIP §15.5: any 1.x is understood, and answered with ours; another major version is not."""
    if x_tip_version is None:
        return
    match = _VERSION.fullmatch(x_tip_version)
    if match is None:
        raise UsageError("X-TIP-Version is a version such as 1.0.")
    if match[1] != TIP_VERSION.partition(".")[0]:
        raise VersionMismatch(required_version=match[0], supported_version=TIP_VERSION)


def require(caller: Caller, permission: Permission) -> None:
    """What a token is for is no secret to whoever holds it."""
    if not caller.may(permission):
        raise AuthorizationDenied(f"This token is not for '{permission}'.")


TheService = Annotated[Service, Depends(service_of)]
TheCaller = Annotated[Caller, Depends(authenticated)]
TheSession = Annotated[str, Depends(own_session)]
TheReader = Annotated[Caller, Depends(authenticated_reader)]
