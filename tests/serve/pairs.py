"""Two real `tip serve` on one database and one Valkey, and a client that goes to the other one
when the first is gone, as a proxy does."""

from __future__ import annotations

import asyncio
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

import httpx

import tipstaff
from tests.serve.processes import Server, free_port, served


@dataclass
class Pair:
    """They share nothing but `words`: each has a data folder of its own."""

    folder: Path
    words: tuple[str, ...]
    killed: int = 0
    ports: list[int] = field(default_factory=lambda: [free_port(), free_port()])
    servers: dict[int, Server] = field(default_factory=dict)
    _stacks: dict[int, ExitStack] = field(default_factory=dict)

    async def begin(self, number: int) -> None:
        stack = self._stacks[number] = ExitStack()
        context = served(self.folder, *self.words, data=f"data-{number}", port=self.ports[number])
        self.servers[number] = await asyncio.to_thread(stack.enter_context, context)

    async def kill(self, number: int) -> None:
        """SIGKILL: it ends nothing and tells nobody."""
        self.servers.pop(number).process.kill()
        self.killed += 1
        await asyncio.to_thread(self._stacks.pop(number).close)

    def end(self) -> None:
        for stack in self._stacks.values():
            stack.close()

    @property
    def token(self) -> str:
        """Any one's: tokens are in the database that both share."""
        return next(iter(self.servers.values())).token

    def client(self, first: int, token: str) -> tipstaff.Client:
        transport = FailingOver([self.ports[first], self.ports[1 - first]])
        return tipstaff.Client("http://127.0.0.1", token, transport=transport, sleep=quickly)


class FailingOver(httpx.AsyncBaseTransport):
    """Every request to the first of these ports that takes it."""

    def __init__(self, ports: list[int]) -> None:
        self._ports = ports
        self._inner = httpx.AsyncHTTPTransport()

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        for port in self._ports[:-1]:
            try:
                return await self._sent(request, port)
            except httpx.ConnectError:
                continue
        return await self._sent(request, self._ports[-1])

    async def _sent(self, request: httpx.Request, port: int) -> httpx.Response:
        request.url = request.url.copy_with(port=port)
        return await self._inner.handle_async_request(request)

    async def aclose(self) -> None:
        await self._inner.aclose()


async def quickly(_: float) -> None:
    """A broken stream is taken up again without the pause that a person would not notice."""
    await asyncio.sleep(0.1)
