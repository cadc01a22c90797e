"""A ticket that one instance issued opens a stream of any, once."""

from __future__ import annotations

import asyncio
import contextlib

import pytest

from tests.instances.valkey_server import OwnValkey
from tipstaff.errors import AuthenticationRequired
from tipstaff.serve.shared_tickets import SharedTickets
from tipstaff.serve.tickets import TICKET_S

HEADER = "Bearer tts_canary-0123456789"
STREAM = {"tez_id": "t", "session_id": "s"}


def test_of_all_who_come_with_one_ticket_to_any_instance_one_gets_in(valkey: OwnValkey) -> None:
    async def run() -> None:
        connections = [valkey.connected("tickets"), valkey.connected("tickets")]
        tickets = [SharedTickets(one) for one in connections]
        for _ in range(20):
            secret = await tickets[0].issue(HEADER, **STREAM)
            got = await asyncio.gather(
                *(tickets[n % 2].redeem(secret, **STREAM) for n in range(10)),
                return_exceptions=True,
            )
            assert got.count(HEADER) == 1
            assert sum(isinstance(one, AuthenticationRequired) for one in got) == 9
        for one in connections:
            await one.aclose()

    asyncio.run(run())


def test_a_ticket_is_for_its_own_stream_alone_and_used_up_by_another(valkey: OwnValkey) -> None:
    async def run() -> None:
        connection = valkey.connected("tickets")
        tickets = SharedTickets(connection)
        secret = await tickets.issue(HEADER, **STREAM)
        for stream in ({"tez_id": "t", "session_id": "other"}, STREAM):
            with pytest.raises(AuthenticationRequired):
                await tickets.redeem(secret, **stream)
        await connection.aclose()

    asyncio.run(run())


def test_valkey_holds_no_token_and_no_ticket_and_neither_for_long(valkey: OwnValkey) -> None:
    async def run() -> None:
        connection = valkey.connected("canary")
        secret = await SharedTickets(connection).issue(HEADER, **STREAM)
        (key,) = await connection.client.keys("{canary}*")
        value = await connection.client.get(key)
        for known in (secret, "tts_canary"):
            assert known.encode() not in key + value
        assert 0 < await connection.client.ttl(key) <= TICKET_S
        await connection.aclose()

    asyncio.run(run())


def test_without_valkey_tickets_are_an_instances_own(mortal_valkey: OwnValkey) -> None:
    async def run() -> None:
        connection = mortal_valkey.connected()
        tickets = SharedTickets(connection)
        before = await tickets.issue(HEADER, **STREAM)
        await asyncio.to_thread(mortal_valkey.stop)
        with pytest.raises(AuthenticationRequired):
            await tickets.redeem(before, **STREAM)
        secret = await tickets.issue(HEADER, **STREAM)
        assert await tickets.redeem(secret, **STREAM) == HEADER
        with contextlib.suppress(AuthenticationRequired):
            await tickets.redeem(secret, **STREAM)
            pytest.fail("a ticket was good twice")
        await connection.aclose()

    asyncio.run(run())
