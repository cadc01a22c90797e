"""A server's process: the socket, TLS, and a stop that lets running queries end."""

from __future__ import annotations

import asyncio
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

import uvicorn
from fastapi import FastAPI

from tipstaff.errors import UsageError
from tipstaff.serve.app import create_app
from tipstaff.serve.configuration import ServeConfiguration
from tipstaff.serve.logs import log
from tipstaff.serve.service import Service

_KEEP_ALIVE_S = 75


async def run(
    service: Service, *, started: Callable[[str], None], app: FastAPI | None = None
) -> None:
    """Serves until a signal comes. `started` is told the address; `app` is the service's own, or
    one that has more routes."""
    configuration = service.configuration
    server = DrainingServer(service, started, app or create_app(service))
    with bound(configuration) as listening, _signals_are_the_servers():
        await server.serve(sockets=[listening])
    if not server.started:
        raise UsageError("The server could not start; the lines above say why.")


class DrainingServer(uvicorn.Server):
    """At the first signal no new work is taken, and what runs may end (Enterprise §7.6)."""

    def __init__(self, service: Service, told: Callable[[str], None], app: FastAPI) -> None:
        configuration = service.configuration
        super().__init__(
            uvicorn.Config(
                app,
                ssl_certfile=configuration.tls_cert or None,
                ssl_keyfile=configuration.tls_key or None,
                log_config=None,
                access_log=False,
                server_header=False,
                proxy_headers=False,
                lifespan="on",
                ws="none",
                timeout_keep_alive=_KEEP_ALIVE_S,
                timeout_graceful_shutdown=configuration.drain_s + 5,
            )
        )
        self._service = service
        self._told = told
        self._loop: asyncio.AbstractEventLoop | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        self._loop = asyncio.get_running_loop()
        await super().startup(sockets=sockets)
        if self.started and sockets:
            address = _address(self._service.configuration, sockets[0])
            log("started", tls=self._service.configuration.has_tls)
            self._told(address)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._service.drain)
        super().handle_exit(sig, frame)


@contextmanager
def bound(configuration: ServeConfiguration) -> Iterator[socket.socket]:
    """The socket, so that a port that is taken is said in a sentence."""
    host, port = configuration.host, configuration.port
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listening = socket.socket(family, kind, protocol)
    except OSError as problem:
        raise UsageError(f"'{host}' is no address to listen at: {problem.strerror}.") from None
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind(address)
        except OSError as problem:
            raise UsageError(
                f"Port {port} of {host} cannot be used: {problem.strerror}.",
                suggestion="Choose another with --port.",
            ) from None
        yield listening
    finally:
        listening.close()


def _address(configuration: ServeConfiguration, listening: socket.socket) -> str:
    scheme = "https" if configuration.has_tls else "http"
    host, port = listening.getsockname()[:2]
    return f"{scheme}://[{host}]:{port}" if ":" in host else f"{scheme}://{host}:{port}"


@contextmanager
def _signals_are_the_servers() -> Iterator[None]:
    """uvicorn raises a signal again once it has stopped; by then it has been obeyed."""
    before = {one: signal.getsignal(one) for one in (signal.SIGINT, signal.SIGTERM)}
    for one in before:
        signal.signal(one, signal.SIG_IGN)
    try:
        yield
    finally:
        for one, handler in before.items():
            signal.signal(one, handler)
