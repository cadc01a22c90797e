"""Real MCP clients before the server: in memory, over stdio, over HTTP."""

from __future__ import annotations

import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx2
from mcp import Client, StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client

from tests.serve.processes import QUICK
from tipstaff.agents.folders import AllowedFolders
from tipstaff.agents.local import LocalDesk
from tipstaff.agents.server import mcp_server
from tipstaff.settings import load_settings

SMALL = {"reader": "none", "embedder": "static"}


class Agent:
    """Calls tools; `progress` is what was told meanwhile."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.progress: list[tuple[float, str]] = []

    async def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """The result; its schema has been checked by the client."""
        done = await self.client.call_tool(tool, arguments, progress_callback=self._heard)
        assert not done.is_error, done.content
        assert isinstance(done.structured_content, dict)
        return done.structured_content

    async def fail(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """The error that a call came to."""
        done = await self.client.call_tool(tool, arguments)
        assert done.is_error, done.structured_content
        assert isinstance(done.structured_content, dict)
        error: dict[str, Any] = done.structured_content["error"]
        return error

    async def _heard(self, progress: float, total: float | None, message: str | None) -> None:
        assert total is None
        self.progress.append((progress, message or ""))


@asynccontextmanager
async def in_memory(
    *bundles: Path, recipient: str | None = None, allow: tuple[Path, ...] = ()
) -> AsyncIterator[Agent]:
    desk = LocalDesk(
        settings=load_settings(SMALL), recipient=recipient, folders=AllowedFolders.of(allow)
    )
    for path in bundles:
        desk.add(path)
    try:
        async with Client(mcp_server(lambda _: desk)) as client:
            yield Agent(client)
    finally:
        await desk.aclose()


@asynccontextmanager
async def over_stdio(
    *words: str | Path, errors: Path, quick: tuple[str, ...] = QUICK
) -> AsyncIterator[Agent]:
    """`tip mcp` as an agent's host starts it."""
    server = StdioServerParameters(
        command=sys.executable,
        args=["-m", "tipstaff", "mcp", *map(str, words), *quick],
        env={"TIPSTAFF_DATA_DIR": os.environ["TIPSTAFF_DATA_DIR"]},
    )
    with errors.open("w", encoding="utf-8") as stderr:
        async with Client(stdio_client(server, errlog=stderr)) as client:
            yield Agent(client)


@asynccontextmanager
async def over_http(url: str, token: str, *, mode: Any = "auto") -> AsyncIterator[Agent]:
    headers = {"Authorization": f"Bearer {token}"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=60) as http,
        Client(streamable_http_client(url, http_client=http), mode=mode) as client,
    ):
        yield Agent(client)
