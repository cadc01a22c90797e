"""Sessions of two instances on one PostgreSQL and one Valkey: read, closed and ended anywhere."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, aclosing, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select, update

from tests.instances.conftest import mortal_valkey, valkey
from tests.instances.valkey_server import OwnValkey
from tests.session.stand_ins import (
    FUND,
    HANGS,
    JANE,
    TEZ,
    Clock,
    Service,
    data,
    names,
    scripted,
    serving,
    until,
)
from tests.store.conftest import run_sql
from tipstaff.errors import GenerationFailed
from tipstaff.instances.announcements import Announcements
from tipstaff.instances.channels import Channels
from tipstaff.records.tables import ASKED, RESERVATION
from tipstaff.session.elsewhere import OtherInstances, SharedSignals
from tipstaff.session.event_log import LoggedEvent

__all__ = ["mortal_valkey", "valkey"]


@pytest.fixture
def shared_address(superuser_url: str, database_url: str) -> str:
    name = f"instances_{uuid.uuid4().hex}"
    run_sql(superuser_url, f"CREATE DATABASE {name} OWNER app")
    return database_url.replace("/postgres?", f"/{name}?")


@asynccontextmanager
async def instance(
    address: str, tez: Path, valkey: OwnValkey | None, **also: Any
) -> AsyncIterator[Service]:
    """One of several; without Valkey it only has the database in common with the others."""
    async with AsyncExitStack() as stack:
        others: dict[str, Any] = {}
        if valkey is not None:
            # A database of its own is a service of its own.
            connection = valkey.connected(address[-40:])
            stack.push_async_callback(connection.aclose)
            channels = Channels(connection)
            await channels.start()
            stack.push_async_callback(channels.aclose)
            others = {
                "signals": SharedSignals(channels),
                "elsewhere": OtherInstances(connection),
                "announcements": Announcements(channels),
            }
        yield await stack.enter_async_context(serving(address, tez, others=others, **also))


@pytest.mark.parametrize("with_valkey", [True, False])
def test_a_query_of_one_instance_is_followed_to_its_end_at_another(
    shared_address: str, tez: Path, valkey: OwnValkey, with_valkey: bool
) -> None:
    server = valkey if with_valkey else None

    async def work() -> None:
        async with (
            instance(shared_address, tez, server) as one,
            instance(shared_address, tez, server) as two,
        ):
            session_id = await one.begun()
            events = two.sessions.follow(JANE, TEZ, session_id)
            async with aclosing(events):
                await until(events, "tip.context.loaded")
                reading = asyncio.ensure_future(until(events, "tip.response.end"))
                await one.asked(session_id, FUND)
                seen = await asyncio.wait_for(reading, 20)
            assert [event.number for event in seen] == list(range(3, 3 + len(seen)))

    asyncio.run(work())


def test_who_listens_at_another_instance_listens(
    shared_address: str, tez: Path, valkey: OwnValkey, tmp_path: Path
) -> None:
    """The query is at one, its only reader at the other: it is not cancelled for want of one."""
    slow = {
        "Please wait": [
            "The budget for the sky fund is ",
            {"delay_ms": 1_200},
            "$77,000 [[notes:L1]].",
        ]
    }
    model = scripted(tmp_path, slow)

    async def work() -> None:
        settings = {"model": model, "disconnect_grace_s": 0.2}
        async with (
            instance(shared_address, tez, valkey, **settings) as one,
            instance(shared_address, tez, valkey, **settings) as two,
        ):
            session_id = await one.begun()
            events = two.sessions.follow(JANE, TEZ, session_id)
            async with aclosing(events):
                await until(events, "tip.context.loaded")
                reading = asyncio.ensure_future(until(events, "tip.response.end"))
                # It waits for more, and has said so.
                query = "Please wait: how much is the sky fund?"
                await one.sessions.ask(JANE, TEZ, session_id, query)
                assert "error" not in names(await asyncio.wait_for(reading, 20))

    asyncio.run(work())


@pytest.mark.parametrize("with_valkey", [True, False])
def test_a_session_is_closed_or_erased_at_another_instance_than_its_query_runs_at(  # noqa: PLR0917
    shared_address: str,
    tez: Path,
    valkey: OwnValkey,
    tmp_path: Path,
    with_valkey: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("tipstaff.session.leases._PATIENCE_S", 20.0 if with_valkey else 0.1)
    server = valkey if with_valkey else None

    async def work() -> None:
        settings = {"model": scripted(tmp_path), "lease_s": 0.3}
        async with (
            instance(shared_address, tez, server, **settings) as one,
            instance(shared_address, tez, server, **settings) as two,
        ):
            session_id = await one.begun()
            run = await one.sessions.ask(JANE, TEZ, session_id, HANGS)
            async with aclosing(one.sessions.follow(JANE, TEZ, session_id)) as events:
                await until(events, "tip.token")
            await two.sessions.close(JANE, TEZ, session_id)
            with pytest.raises(GenerationFailed):
                await asyncio.wait_for(run.envelope(), 20)
            told = await two.log(session_id)
            assert names(told)[-2:] == ["error", "session.end"]
            # Words had been sent: whoever told of it in time had the recipient pay for them.
            assert await one.reservations() == (["settled"] if with_valkey else ["returned"])
            erased = await one.begun()
            await one.sessions.ask(JANE, TEZ, erased, HANGS)
            await two.sessions.erase(JANE, TEZ, erased)
            await one.sessions._runner.idle()
            assert "held" not in await one.reservations()

    asyncio.run(work())


def test_a_silent_instances_query_is_ended_once_by_another(
    shared_address: str, tez: Path, valkey: OwnValkey, tmp_path: Path
) -> None:
    """It is not even dead: it stands still for longer than a lease, and then goes on."""

    async def work() -> None:
        clock = Clock()
        settings = {"model": scripted(tmp_path), "clock": clock, "lease_s": 15, "started": False}
        async with (
            instance(shared_address, tez, valkey, **settings) as one,
            instance(shared_address, tez, valkey, **settings) as two,
        ):
            session_id = await one.begun()
            run = await one.sessions.ask(JANE, TEZ, session_id, HANGS)
            events = two.sessions.follow(JANE, TEZ, session_id, query_id=run.query_id)
            async with aclosing(events):
                seen = await until(events, "tip.token")
            clock.passes(minutes=14 / 60)
            await one.sessions._leases.renew()
            clock.passes(minutes=14 / 60)
            await two.sessions._leases.renew()
            # Renewed in time: it is still under way.
            assert await one.reservations() == ["held"]
            clock.passes(minutes=2 / 60)
            await asyncio.gather(two.sessions._leases.renew(), two.sessions._leases.renew())
            seen += [
                event
                async for event in two.sessions.follow(
                    JANE, TEZ, session_id, query_id=run.query_id, after=seen[-1].number
                )
                if isinstance(event, LoggedEvent)
            ]
            assert names(seen).count("error") == 1
            assert data(seen[-1])["recoverable"]
            await one.sessions._leases.renew()
            with pytest.raises(GenerationFailed, match="given up"):
                await asyncio.wait_for(run.envelope(), 20)
            assert [event.number for event in await two.log(session_id)] == [
                event.number for event in seen
            ]
            assert await one.reservations() == ["returned"]
            assert (await two.asked(session_id, FUND)).session.query_count == 1

    asyncio.run(work())


def test_a_query_that_is_answered_after_all_is_paid_for(
    shared_address: str, tez: Path, valkey: OwnValkey
) -> None:
    """Two instances end one query at the same moment, well and badly: whoever is first, the
    reservation says the same as the log."""

    async def work() -> None:
        async with (
            instance(shared_address, tez, valkey, started=False) as one,
            instance(shared_address, tez, valkey, started=False) as two,
        ):
            for _ in range(8):
                session_id = await one.begun()
                run = await one.sessions.ask(JANE, TEZ, session_id, FUND)
                async with two.records.writing(JANE.tenant) as connection:
                    await connection.execute(update(ASKED).values(at=0.0))
                ending = asyncio.ensure_future(two.sessions._leases.renew())
                await asyncio.wait((asyncio.ensure_future(run.ended()), ending))
                await two.sessions._leases.renew()
                ends = [
                    name
                    for name in names(await two.log(session_id))
                    if name in ("response.end", "error")
                ]
                assert len(ends) == 1
                async with two.records.reading(JANE.tenant) as connection:
                    assert (await connection.execute(select(ASKED))).first() is None
                state = "settled" if ends == ["response.end"] else "returned"
                await check_state(two, run.query_id, state)

    asyncio.run(work())


async def check_state(service: Service, query_id: str, state: str) -> None:
    wanted = select(RESERVATION.c.state).where(RESERVATION.c.query_id == query_id)
    async with service.records.reading(JANE.tenant) as connection:
        assert await connection.scalar(wanted) == state
