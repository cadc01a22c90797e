"""Rights that end while a stream is open, and decisions that an instance is told to forget."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, MutableMapping
from contextlib import asynccontextmanager
from typing import Any

import pytest

from tests.serve.conftest import Asked
from tests.serve.test_interrogate import begun
from tipstaff.domain.caller import Caller
from tipstaff.errors import AuthenticationRequired
from tipstaff.instances.announcements import Announcement, Kind
from tipstaff.server_sent import EventReader, Received

Serving = Callable[..., Any]


@asynccontextmanager
async def read(asked: Asked, path: str) -> Any:
    """A stream being read in the background, by an app in this process."""
    body, begun_ = bytearray(), asyncio.Event()

    async def receive() -> dict[str, Any]:
        await asyncio.Event().wait()
        raise AssertionError

    async def send(message: MutableMapping[str, Any]) -> None:
        body.extend(message.get("body", b""))
        if b"tip.context.loaded" in body:
            begun_.set()

    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "GET",
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "headers": [(b"authorization", b"Bearer jane"), (b"host", b"tip.test")],
        "client": ("203.0.113.9", 5),
        "server": ("tip.test", 80),
    }
    task = asyncio.ensure_future(asked.app(scope, receive, send))
    try:
        await asyncio.wait_for(begun_.wait(), 20)
        yield task, body
    finally:
        task.cancel()
        await asyncio.wait((task,))


def told(body: bytearray) -> list[Received]:
    return EventReader().feed(bytes(body))


@pytest.mark.parametrize("kind", [Kind.REVOKED, Kind.WITHDRAWN])
def test_a_stream_ends_as_soon_as_its_token_is_revoked(serving: Serving, kind: Kind) -> None:
    async def asking(asked: Asked) -> None:
        async with asked.client() as client:
            session = await begun(client)
        caller = await asked.service.authenticate("Bearer jane")
        async with read(asked, f"{session}/events") as (task, body):
            # Nothing of theirs ended: the stream goes on.
            await asked.service.announcements.tell(kind, tenant="somebody else")
            await asked.service.announcements.tell(kind, tenant=caller.tenant)
            await asyncio.sleep(0)
            assert not task.done()

            async def revoked(_: str | None) -> Caller:
                raise AuthenticationRequired("The token is not valid.")

            asked.service.authenticate = revoked
            await asked.service.announcements.tell(kind, tenant=caller.tenant)
            await asyncio.wait_for(task, 20)
            assert told(body)[-1].name == "tip.error"
            assert b"AUTHORIZATION_DENIED" in bytes(body)

    serving(asking)


def test_a_stream_is_checked_again_although_nobody_said_anything(
    serving: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tipstaff.serve.event_stream.CHECK_S", 0.05)

    async def asking(asked: Asked) -> None:
        async with asked.client() as client:
            session = await begun(client)
        async with read(asked, f"{session}/events") as (task, _):

            async def revoked(_: str | None) -> Caller:
                raise AuthenticationRequired("The token is not valid.")

            asked.service.authenticate = revoked
            await asyncio.wait_for(task, 20)

    serving(asking)


def test_only_an_admin_says_that_access_has_changed_and_for_their_own_tenant(
    serving: Serving,
) -> None:
    heard: list[Announcement | None] = []

    async def asking(asked: Asked) -> list[int]:
        asked.service.announcements.on(Kind.ACCESS_CHANGED, heard.append)
        statuses = []
        for who in (None, "jane", "sender"):
            async with asked.client(who) as client:
                statuses.append((await client.post("/access/changed")).status_code)
        return statuses

    assert serving(asking) == [401, 403, 204]
    assert len(heard) == 1
