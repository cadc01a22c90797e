"""Erased is erased, also while somebody writes (TIP §13.1)."""

from __future__ import annotations

import asyncio

import pytest
from sqlalchemy import func, select, text

from tests.session.test_following import KEY, with_session
from tipstaff.records.database import Records, open_records
from tipstaff.records.tables import EVENT, SESSION
from tipstaff.session.event_log import NewEvent, write
from tipstaff.session.upkeep import erase_rows


async def erased(records: Records) -> None:
    async with records.writing(KEY.tenant) as connection:
        await erase_rows(connection, KEY)


async def somebody_waits(records: Records) -> None:
    """Until a transaction waits for another."""
    async with asyncio.timeout(30):
        while True:
            async with records.reading(KEY.tenant) as connection:
                waiting = await connection.scalar(
                    text("SELECT count(*) FROM pg_locks WHERE NOT granted")
                )
            if waiting:
                return
            await asyncio.sleep(0.01)


@pytest.mark.parametrize("records_address", ["postgres"], indirect=True)
def test_an_event_that_is_being_written_does_not_outlive_its_session(records_address: str) -> None:
    async def work() -> list[int]:
        records = await open_records(records_address)
        try:
            await with_session(records)
            async with records.writing(KEY.tenant) as connection:
                await write(connection, KEY, [NewEvent(name="tip.token", data=b"{}")])
                erasing = asyncio.create_task(erased(records))
                await somebody_waits(records)
            await erasing
            async with records.reading(KEY.tenant) as connection:
                return [
                    int(await connection.scalar(select(func.count()).select_from(table)) or 0)
                    for table in (SESSION, EVENT)
                ]
        finally:
            await records.aclose()

    assert asyncio.run(work()) == [0, 0]
