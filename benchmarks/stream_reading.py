"""A reader of event streams that costs little: plain sockets, HTTP/1.0, bytes counted."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

_ENDS = b"event: tip.response.end\n"


@dataclass(frozen=True, slots=True)
class Target:
    """A server; one without a token is asked at its root."""

    url: str
    token: str


@dataclass(slots=True)
class Answer:
    first_s: float = 0.0
    events: int = 0
    error: str = ""


async def read_stream(target: Target, path: str, body: dict[str, Any]) -> Answer:
    """One query to its end; its first event counts from the moment that it is sent off."""
    answer, started, came = Answer(), time.perf_counter(), b""
    try:
        async with asyncio.timeout(120), _connected(target, "POST", path, body) as reader:
            while piece := await reader.read(65_536):
                came += piece
                if not answer.first_s and b"event: " in came:
                    answer.first_s = time.perf_counter() - started
    except (OSError, TimeoutError) as problem:
        answer.error = type(problem).__name__
    answer.events = came.count(b"\nevent: ")
    if _ENDS not in came:
        answer.error = answer.error or f"no end: {came[:12]!r} … {came[-120:]!r}"
    return answer


async def held(target: Target, paths: list[str], seconds: float) -> int:
    """How many idle streams are still open, and have given a sign of life, after so long."""

    async def one(path: str) -> bool:
        try:
            async with _connected(target, "GET", path, None) as reader:
                came = b""
                try:
                    async with asyncio.timeout(seconds):
                        while piece := await reader.read(65_536):
                            came += piece
                except TimeoutError:
                    return b"\n:\n\n" in came
                return False
        except OSError:
            return False

    return sum(await asyncio.gather(*(one(path) for path in paths)))


@asynccontextmanager
async def _connected(
    target: Target, method: str, path: str, body: dict[str, Any] | None
) -> AsyncIterator[asyncio.StreamReader]:
    where = urlsplit(target.url)
    reader, writer = await asyncio.open_connection(where.hostname, where.port)
    content = b"" if body is None else json.dumps(body).encode()
    head = (
        f"{method} {path} HTTP/1.0\r\nHost: {where.netloc}\r\n"
        f"Authorization: Bearer {target.token}\r\nAccept: text/event-stream\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(content)}\r\n\r\n"
    )
    try:
        writer.write(head.encode() + content)
        yield reader
    finally:
        writer.transport.abort()
