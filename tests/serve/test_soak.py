"""Readers cut off at random bytes, a server killed at random moments: every event once, in order.

`make soak` does it with a thousand reads; TIPSTAFF_SOAK_READS says how many.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import time
from collections.abc import AsyncIterator
from contextlib import ExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

import tipstaff
from tests.conftest import BundleMaker
from tests.serve.long_answers import QUESTION, long_bundle, slow_model
from tests.serve.processes import Server, free_port, served, without_limits
from tipstaff.domain.events import Event, event_from_wire
from tipstaff.domain.wire import to_wire
from tipstaff.errors import TipstaffError
from tipstaff.server_sent import EventReader, Received

pytestmark = [pytest.mark.allow_hosts(["127.0.0.1"]), pytest.mark.timeout(1_800)]
READS = int(os.environ.get("TIPSTAFF_SOAK_READS", "100"))
READS_A_LIFE = 25 if READS < 200 else 50
SESSIONS = 4
# Now and then enough for the longest event, the end of a response; mostly less.
MOST_BYTES_LOG2 = 17


@dataclass
class Lives:
    """One server after the other, at one address, with one set of records."""

    folder: Path
    words: tuple[str, ...]
    port: int = field(default_factory=free_port)
    killed: int = 0
    _stack: ExitStack = field(default_factory=ExitStack)
    _server: Server | None = None

    async def begin(self) -> Server:
        context = served(self.folder, *self.words, port=self.port)
        self._server = await asyncio.to_thread(self._stack.enter_context, context)
        return self._server

    async def kill(self) -> None:
        assert self._server is not None
        self._server.process.kill()
        self.killed += 1
        await asyncio.to_thread(self._stack.close)

    def end(self) -> None:
        self._stack.close()


@dataclass
class CutReader:
    """Follows one session by connections that end anywhere, in the middle of a letter too."""

    url: str
    path: str
    token: str
    chance: random.Random
    reads: int = 0
    seen: list[Received] = field(default_factory=list)
    _reader: EventReader = field(default_factory=EventReader)

    async def read_once(self) -> None:
        self._reader.restart()
        left = int(2 ** self.chance.uniform(0, MOST_BYTES_LOG2))
        with suppress(OSError, TimeoutError, EOFError):
            async with self._connected() as body, asyncio.timeout(self.chance.uniform(0.05, 1.5)):
                self.reads += 1
                while left and (piece := await body.read(min(left, self.chance.randrange(1, 600)))):
                    left -= len(piece)
                    self.seen += self._reader.feed(piece)

    @asynccontextmanager
    async def _connected(self) -> AsyncIterator[asyncio.StreamReader]:
        """HTTP/1.0, so that the body comes as it is; left without a word."""
        where = urlsplit(self.url)
        reader, writer = await asyncio.open_connection(where.hostname, where.port)
        try:
            writer.write(
                f"GET {self.path}/events HTTP/1.0\r\nHost: tip\r\n"
                f"Authorization: Bearer {self.token}\r\n"
                f"Last-Event-ID: {self._reader.last_id}\r\n\r\n".encode()
            )
            # Not wait_for: up to Python 3.11 it may swallow the cancellation that ends a reader.
            async with asyncio.timeout(20):
                head = await reader.readuntil(b"\r\n\r\n")
            assert b" 200 " in head.splitlines()[0], head
            yield reader
        finally:
            writer.transport.abort()


async def keep_asking(client: tipstaff.Client, path: str) -> None:
    """One query after the other; what a killed server does not answer is asked anew."""
    while True:
        try:
            await client.call("POST", f"{path}/query", {"query": QUESTION})
        except TipstaffError:
            await asyncio.sleep(0.1)


async def keep_reading(reader: CutReader) -> None:
    while True:
        before = reader.reads
        await reader.read_once()
        await asyncio.sleep(0 if reader.reads > before else 0.05)


async def keep_killing(lives: Lives, readers: list[CutReader], chance: random.Random) -> None:
    """In the middle of reads and of answers; until so many were read."""
    for mark in range(READS_A_LIFE, READS + 1, READS_A_LIFE):
        while sum(one.reads for one in readers) < mark:  # noqa: ASYNC110 (a count, no event)
            await asyncio.sleep(chance.uniform(0.01, 0.1))
        if mark < READS:
            await lives.kill()
            await lives.begin()


async def follow(session: Any, told: list[Event]) -> None:
    """`tipstaff.Client` through all of it: its one call never ends before the session does."""
    told += [event async for event in session.events()]


async def soak(lives: Lives, chance: random.Random) -> None:
    server = await lives.begin()
    token, url = server.token, server.url
    async with tipstaff.Client(url, token) as client:
        sessions = [await client.init("small-tez") for _ in range(SESSIONS)]
        readers = [CutReader(url, one.path, token, chance) for one in sessions]
        told: list[Event] = []
        following = asyncio.create_task(follow(sessions[0], told))
        work = [keep_asking(client, one.path) for one in sessions]
        tasks = [asyncio.create_task(one) for one in (*work, *map(keep_reading, readers))]
        await keep_killing(lives, readers, chance)
        for task in tasks:
            task.cancel()
        for ended in await asyncio.gather(*tasks, return_exceptions=True):
            assert isinstance(ended, asyncio.CancelledError), ended
        await check(client, sessions, readers)
        await asyncio.wait_for(following, 60)
        whole = await written(client, sessions[0].path)
        assert [to_wire(one) for one in told] == [to_wire(one) for one in parsed(whole)]


async def check(client: tipstaff.Client, sessions: list[Any], readers: list[CutReader]) -> None:
    """What each reader pieced together is what is in the log, read once as a whole."""
    for session, reader in zip(sessions, readers, strict=True):
        await session.close()
        whole = await written(client, session.path)
        async with asyncio.timeout(60):
            while len(reader.seen) < len(whole):
                await reader.read_once()
        assert [int(one.id) for one in reader.seen] == list(range(1, len(whole) + 1))
        assert reader.seen == whole
        history = await client.call("GET", session.path)
        ended = [one for one in whole if one.name == "tip.response.end"]
        said = [one for one in history["conversation_history"] if one["role"] == "user"]
        assert len(said) == len(ended) > 0


async def written(client: tipstaff.Client, path: str) -> list[Received]:
    answer: httpx.Response = await client.http.get(f"{path}/events")
    return EventReader().feed(answer.content)


def parsed(events: list[Received]) -> list[Event]:
    found = [event_from_wire(one.name, json.loads(one.data)) for one in events]
    return [one for one in found if one is not None]


def test_readers_cut_anywhere_and_a_server_killed_anytime_lose_and_repeat_nothing(
    make_bundle: BundleMaker, tmp_path: Path
) -> None:
    seed = int(os.environ.get("TIPSTAFF_SOAK_SEED", "0")) or time.time_ns() % 10**9
    print(f"TIPSTAFF_SOAK_SEED={seed}")
    model = slow_model(tmp_path, delay_ms=15)
    words = (str(long_bundle(make_bundle)), "--model", model, *without_limits())
    lives = Lives(tmp_path, words)
    try:
        asyncio.run(soak(lives, random.Random(seed)))  # noqa: S311 (not for secrets)
    finally:
        lives.end()
    assert lives.killed == READS // READS_A_LIFE - 1
    assert "Traceback" not in (tmp_path / "stderr").read_text()
