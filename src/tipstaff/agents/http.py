"""The server over streamable HTTP, beside the service's other routes: `/mcp`, with its tokens.

Without sessions of its own: every request proves who sends it, and any instance can answer it.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from types import SimpleNamespace
from urllib.parse import urlsplit

from fastapi import FastAPI
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from tipstaff.agents.drafts import Drafts
from tipstaff.agents.folders import AllowedFolders
from tipstaff.agents.hosted import HostedDesk
from tipstaff.agents.server import Asked, mcp_server
from tipstaff.domain.caller import Caller
from tipstaff.serve.app import create_app
from tipstaff.serve.configuration import ServeConfiguration
from tipstaff.serve.service import Service

PATH = "/mcp"
_CALLER = "tip.caller"
# What logs and metrics call it.
_ROUTE = SimpleNamespace(path=PATH)
_LOOPBACK = ("127.0.0.1", "localhost", "[::1]")


def app_with_mcp(service: Service, folders: AllowedFolders) -> FastAPI:
    """The service's app with one more route."""
    drafts = Drafts()

    def desk_of(asked: Asked) -> HostedDesk:
        assert asked.request is not None  # noqa: S101 (every message came with one)
        caller: Caller = asked.request.scope[_CALLER]
        return HostedDesk(service=service, caller=caller, drafts=drafts, allowed=folders)

    manager = StreamableHTTPSessionManager(
        mcp_server(desk_of),
        stateless=True,
        security_settings=security(service.configuration),
        max_request_body_size=service.configuration.max_request_bytes,
    )
    app = create_app(service)
    app.router.routes.insert(0, Route(PATH, _Endpoint(service, manager), name="mcp"))
    around = app.router.lifespan_context

    @asynccontextmanager
    async def lifespan(of: FastAPI) -> AsyncIterator[None]:
        async with around(of), manager.run():
            yield

    app.router.lifespan_context = lifespan
    return app


@dataclass(frozen=True, slots=True)
class _Endpoint:
    service: Service
    manager: StreamableHTTPSessionManager

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """AuthenticationRequired, raised here, is told as every route tells it."""
        headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
        caller = await self.service.authenticate(headers.get(b"authorization"))
        scope["tip.tenant"] = caller.tenant
        scope["route"] = _ROUTE
        scope[_CALLER] = caller
        await self.manager.handle_request(scope, receive, send)


def security(configuration: ServeConfiguration) -> TransportSecuritySettings:
    """A page of another site must not speak to a server on this computer under another name. One
    that is reached by a name of its own is told which; the token is needed in any case."""
    public = urlsplit(configuration.public_url)
    hosts = [f"{host}:*" for host in _LOOPBACK] if configuration.is_loopback else []
    if public.netloc:
        hosts.append(public.netloc)
    origins = [f"{scheme}://{host}" for host in hosts for scheme in ("http", "https")]
    return TransportSecuritySettings(
        enable_dns_rebinding_protection=bool(hosts),
        allowed_hosts=hosts,
        allowed_origins=[*origins, *configuration.cors_origins],
    )
