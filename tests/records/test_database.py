"""One database: transactions that count before they write, in SQLite and in PostgreSQL alike."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import func, insert, select

from tipstaff.errors import RateLimited, UsageError
from tipstaff.records.database import Pool, Records, open_records
from tipstaff.records.tables import RESERVATION
from tipstaff.settings import Settings

Address = Callable[[], str | Path]


async def reserved(records: Records, name: str, *, most: int) -> bool:
    """One place of `most`: counted, then written."""
    async with records.writing("a", lock="places") as connection:
        taken = await connection.scalar(select(func.count()).select_from(RESERVATION))
        if taken is not None and taken >= most:
            return False
        await asyncio.sleep(0)
        await connection.execute(
            insert(RESERVATION).values(
                tenant="a",
                query_id=name,
                tez_id="t",
                user="u",
                session_id="s",
                at=0.0,
                state="held",
            )
        )
        return True


def test_racers_for_places_get_exactly_as_many_as_there_are(records_address: str | Path) -> None:
    async def race() -> list[bool]:
        one, other = await open_records(records_address), await open_records(records_address)
        try:
            return await asyncio.gather(
                *(reserved((one, other)[n % 2], str(n), most=7) for n in range(30))
            )
        finally:
            await one.aclose()
            await other.aclose()

    assert sum(asyncio.run(race())) == 7


async def broken(records: Records) -> None:
    async with records.writing("a") as connection:
        values = {"tenant": "a", "query_id": "q", "tez_id": "t", "user": "u", "session_id": "s"}
        await connection.execute(insert(RESERVATION).values(**values, at=0.0, state="held"))
        raise RuntimeError


def test_a_transaction_that_fails_leaves_nothing(records_address: str | Path) -> None:
    async def run() -> int | None:
        records = await open_records(records_address)
        try:
            with pytest.raises(RuntimeError):
                await broken(records)
            async with records.reading("a") as connection:
                return await connection.scalar(select(func.count()).select_from(RESERVATION))
        finally:
            await records.aclose()

    assert asyncio.run(run()) == 0


def test_who_gets_no_connection_in_time_is_told_to_come_again(postgres_address: str) -> None:
    settings = Settings(records_connections=1, records_connections_more=0, records_wait_s=1)

    async def run() -> None:
        records = await open_records(postgres_address, pool=Pool.of(settings))
        try:
            async with records.reading("a"):
                with pytest.raises(RateLimited) as refused:
                    async with records.reading("a"):
                        pass
            assert refused.value.details["scope"] == "global"
            async with records.reading("a"):
                pass
        finally:
            await records.aclose()

    asyncio.run(run())


def test_an_address_of_another_kind_is_refused() -> None:
    for address in ("mysql://host/name", "not an address"):
        with pytest.raises(UsageError):
            asyncio.run(open_records(address))
