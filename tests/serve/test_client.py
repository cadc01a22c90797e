"""`tipstaff.Client`: the same objects as at home, and streams that survive a broken connection."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Callable
from typing import Any

import httpx
import pytest

import tipstaff
from tests.serve.conftest import QUESTION, Asked
from tests.serve.parts import JANE, full, refuse_queries
from tipstaff.client import Client
from tipstaff.domain.classification import Classification
from tipstaff.domain.events import (
    ContextLoaded,
    Event,
    ResponseEnd,
    SessionEnd,
    SessionStart,
    Token,
)
from tipstaff.domain.session import SessionStatus
from tipstaff.errors import AuthenticationRequired, NotFound, RateLimited, RetrievalFailed

Serving = Callable[..., Any]


class _Cut(httpx.AsyncByteStream):
    """The first bytes of a response, and then a broken connection."""

    def __init__(self, content: bytes, keep: int) -> None:
        self._content, self._keep = content, keep

    async def __aiter__(self) -> AsyncIterator[bytes]:
        yield self._content[: self._keep]
        if self._keep < len(self._content):
            raise httpx.ReadError("the connection is gone")


class Breaking(httpx.AsyncBaseTransport):
    """Lets streams break off after so many bytes, time and again."""

    def __init__(self, asked: Asked, kept: Callable[[int], int]) -> None:
        self._inner = httpx.ASGITransport(asked.app)
        self._kept = kept
        self.streams = 0

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        answer = await self._inner.handle_async_request(request)
        if not answer.headers["content-type"].startswith("text/event-stream"):
            return answer
        self.streams += 1
        content = await answer.aread()
        stream = _Cut(content, self._kept(len(content)))
        return httpx.Response(answer.status_code, headers=answer.headers, stream=stream)


async def at_once(_: float) -> None:
    return None


def connected(
    asked: Asked, *, kept: Callable[[int], int] | None = None, who: str = "jane"
) -> Client:
    transport: httpx.AsyncBaseTransport = httpx.ASGITransport(asked.app)
    if kept is not None:
        transport = Breaking(asked, kept)
    return tipstaff.Client("http://tip.test/", who, transport=transport, sleep=at_once)


def test_a_session_gives_the_objects_that_a_program_knows(serving: Serving) -> None:
    async def asking(asked: Asked) -> None:
        async with connected(asked) as client:
            assert [one["tez_id"] for one in await client.tezits()] == ["small-tez"]
            session = await client.init("small-tez", preferences={"max_response_tokens": 200})
            envelope = await session.ask(QUESTION)
            assert envelope.response.classification is Classification.GROUNDED
            events = [event async for event in session.stream(QUESTION)]
            end = events[-1]
            assert isinstance(end, ResponseEnd)
            assert end.envelope is not None
            assert end.envelope.response.text == envelope.response.text
            summary = await session.close()
            assert summary["session_id"] == session.session_id
            whole = [event async for event in session.events()]
            assert [type(event) for event in whole[:2]] == [SessionStart, ContextLoaded]
            assert isinstance(whole[-1], SessionEnd)
            one = await client.ask("small-tez", QUESTION)
            assert one.response.text == envelope.response.text

    serving(asking)


def test_a_session_is_closed_behind_its_block(serving: Serving) -> None:
    async def asking(asked: Asked) -> None:
        async with connected(asked) as client, await client.init("small-tez") as session:
            await session.ask(QUESTION)
        (entry,) = await asked.service.sessions.list(JANE, "small-tez")
        assert entry.session.status is SessionStatus.CLOSED

    serving(asking)


def test_refusals_are_raised_as_they_were_meant(serving: Serving) -> None:
    async def asking(asked: Asked) -> None:
        async with connected(asked, who="nobody") as client:
            with pytest.raises(AuthenticationRequired):
                await client.tezits()
        async with connected(asked) as client:
            with pytest.raises(NotFound):
                await client.init("no-such-tez")
            session = await client.init("small-tez")
            refuse_queries(asked.service, full())
            with pytest.raises(RateLimited) as plain:
                await session.ask(QUESTION)
            with pytest.raises(RateLimited) as streamed:
                await nothing_comes(session.stream(QUESTION))
            for told in (plain.value, streamed.value):
                assert told.details["retry_after_seconds"] == 7

    serving(asking)


def test_a_stream_that_breaks_off_anywhere_gives_every_event_once(serving: Serving) -> None:
    chance = random.Random(7)  # noqa: S311 (no secret)

    def kept(size: int) -> int:
        return size if chance.random() < 0.5 else chance.randint(0, size)

    async def asking(asked: Asked) -> list[list[Event]]:
        async with connected(asked, kept=kept) as client:
            told = []
            for _ in range(60):
                session = await client.init("small-tez")
                await session.ask("What colour is the sky?")
                told.append([event async for event in session.stream(QUESTION)])
            return told

    first, *others = serving(asking)
    assert isinstance(first[-1], ResponseEnd)
    for events in others:
        assert [type(event) for event in events] == [type(event) for event in first]
        assert _said(events) == _said(first)


def _said(events: list[Event]) -> str:
    return "".join(event.delta for event in events if isinstance(event, Token))


async def nothing_comes(events: AsyncIterator[Event]) -> None:
    async for _ in events:
        pytest.fail("nothing was to come")


def test_a_connection_that_never_comes_back_is_given_up(serving: Serving) -> None:
    waits: list[float] = []

    async def noted(seconds: float) -> None:
        waits.append(seconds)

    async def asking(asked: Asked) -> None:
        transport = Breaking(asked, lambda _: 0)
        async with Client("http://tip.test", "jane", transport=transport, sleep=noted) as client:
            session = await client.init("small-tez")
            with pytest.raises(RetrievalFailed, match="8 times in a row"):
                await nothing_comes(session.stream(QUESTION))
        assert waits == [0.5, 1, 2, 4, 8, 10, 10, 10]

    serving(asking)


def test_a_query_that_may_not_have_been_taken_up_is_not_asked_again() -> None:
    class Gone(httpx.AsyncBaseTransport):
        asked = 0

        async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
            if request.url.path.endswith("/init"):
                return httpx.Response(200, json={"session_id": "s"})
            self.asked += 1
            raise httpx.ReadError("gone")

    async def asking() -> None:
        gone = Gone()
        async with Client("http://tip.test", "jane", transport=gone, sleep=at_once) as client:
            session = await client.init("t")
            with pytest.raises(RetrievalFailed, match="before the query was taken up"):
                await nothing_comes(session.stream(QUESTION))
            assert gone.asked == 1

    asyncio.run(asking())
