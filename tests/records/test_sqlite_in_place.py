"""SQLite on the event loop's own thread: what would wait does not hold up the loop."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.exc import OperationalError

from tipstaff.records.database import FILE, Records, open_records
from tipstaff.records.sqlite_in_place import InPlaceConnection

_INSERT = text("INSERT INTO token_note VALUES (:word)")


async def with_table(file: Path) -> Records:
    records = await open_records(file)
    async with records.writing("acme") as connection:
        await connection.execute(text("CREATE TABLE token_note (word TEXT)"))
    return records


async def lost(records: Records) -> None:
    async with records.writing("acme") as connection:
        await connection.execute(_INSERT, {"word": "lost"})
        await connection.execute(text("INSERT INTO no_such_table VALUES (1)"))


def journal_bytes(file: Path) -> int:
    return Path(f"{file}-wal").stat().st_size


def test_the_loop_goes_on_while_another_process_holds_the_file(tmp_path: Path) -> None:
    async def scenario() -> None:
        file = tmp_path / FILE
        records = await with_table(file)
        with closing(sqlite3.connect(file, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")

            async def written() -> None:
                async with records.writing("acme") as connection:
                    await connection.execute(_INSERT, {"word": "late"})

            waiting = asyncio.ensure_future(written())
            for _ in range(20):
                await asyncio.sleep(0.002)
            assert not waiting.done()
            async with records.reading("acme") as connection:
                assert await connection.scalar(text("SELECT count(*) FROM token_note")) == 0
            other.execute("COMMIT")
            await asyncio.wait_for(waiting, 5)
        async with records.reading("acme") as connection:
            assert await connection.scalar(text("SELECT word FROM token_note")) == "late"
        await records.aclose()


def test_who_waits_too_long_is_told(tmp_path: Path) -> None:
    async def scenario() -> None:
        file = tmp_path / FILE
        connection = InPlaceConnection(file, patience_s=0.05)
        with closing(sqlite3.connect(file, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(sqlite3.OperationalError, match="locked"):
                await connection.cursor().execute("BEGIN IMMEDIATE")
        await connection.close()


def test_a_failed_transaction_leaves_nothing_and_the_next_one_begins(tmp_path: Path) -> None:
    async def scenario() -> None:
        records = await with_table(tmp_path / FILE)
        with pytest.raises(OperationalError):
            await lost(records)
        async with records.writing("acme") as connection:
            await connection.execute(_INSERT, {"word": "kept"})
        async with records.reading("acme") as connection:
            words = (await connection.scalars(text("SELECT word FROM token_note"))).all()
        assert words == ["kept"]
        await records.aclose()


def test_the_journal_is_written_back_and_begun_anew(tmp_path: Path) -> None:
    async def scenario() -> None:
        file = tmp_path / FILE
        records = await with_table(file)

        async def write() -> None:
            async with records.writing("acme") as connection:
                await connection.execute(_INSERT, {"word": "w" * 2_000})

        while records._checkpoint is None:
            await write()
        await records._checkpoint
        size = journal_bytes(file)
        for _ in range(50):
            await write()
        assert journal_bytes(file) == size
        await records.scrub()
        assert journal_bytes(file) == 0
        await records.aclose()

    asyncio.run(scenario())
