"""One database for everything that a server must not forget: SQLite, or PostgreSQL by setting."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import event, text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from tipstaff.errors import UsageError
from tipstaff.records.append_only import guards
from tipstaff.records.tables import METADATA
from tipstaff.settings import Settings

FILE = "records.sqlite"
_WAIT_S = 30
_READERS = 15


class Records:
    """`writing` is one transaction that nobody else's writes come between; `reading` sees what
    was committed."""

    def __init__(self, writer: AsyncEngine, reader: AsyncEngine) -> None:
        self._writer = writer
        self._reader = reader
        self.is_shared = writer.dialect.name != "sqlite"

    @asynccontextmanager
    async def writing(self, *, lock: str = "") -> AsyncIterator[AsyncConnection]:
        """`lock` names what is counted before it is written: writers of the same name wait for
        each other. SQLite has one writer at a time in any case."""
        async with self._writer.begin() as connection:
            if self.is_shared and lock:
                await connection.execute(
                    text("SELECT pg_advisory_xact_lock(hashtextextended(:name, 0))"),
                    {"name": lock},
                )
            yield connection

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[AsyncConnection]:
        async with self._reader.connect() as connection:
            yield connection

    async def create(self) -> None:
        """The tables, where they are not there yet."""
        async with self.writing(lock="tables") as connection:
            await connection.run_sync(METADATA.create_all)
            for guard in guards(connection.dialect.name):
                await connection.exec_driver_sql(guard)

    async def scrub(self) -> None:
        """What was deleted is no longer in any file: SQLite keeps it in its journal until then.
        PostgreSQL lets go of it by itself (autovacuum)."""
        if self.is_shared:
            return
        async with self._reader.connect() as connection:
            await connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")

    async def aclose(self) -> None:
        await self._writer.dispose()
        if self._reader is not self._writer:
            await self._reader.dispose()


def records_address(settings: Settings, data_folder: Path) -> str | Path:
    """Where a server with these settings keeps its records."""
    return data_folder / FILE if settings.records_url == "none" else settings.records_url


async def open_records(address: str | Path) -> Records:
    """`address` is a file for SQLite or `postgresql://…`; tables are made if they are missing."""
    url = _url(address)
    # TIP §13.1: what is written here is in no log, however much a server logs.
    logging.getLogger("aiosqlite").setLevel(logging.INFO)
    if url.get_backend_name() == "sqlite":
        # One writer that others wait for, in line and not by chance; readers wait for nobody.
        writer = create_async_engine(
            url, pool_size=1, max_overflow=0, pool_timeout=_WAIT_S, hide_parameters=True
        )
        # Kept open, all of them: each has a thread, and to begin one more is dearer than a read.
        reader = create_async_engine(
            url,
            pool_size=_READERS,
            max_overflow=0,
            pool_timeout=_WAIT_S,
            isolation_level="AUTOCOMMIT",
            hide_parameters=True,
        )
        _prepare(writer)
        _prepare(reader)
        _begin_at_once(writer)
    else:
        writer = reader = create_async_engine(url, pool_pre_ping=True, hide_parameters=True)
    records = Records(writer, reader)
    await records.create()
    return records


def _url(address: str | Path) -> URL:
    if isinstance(address, Path):
        address.parent.mkdir(parents=True, exist_ok=True)
        return URL.create("sqlite+aiosqlite", database=str(address))
    try:
        url = make_url(address)
    except ArgumentError:
        raise UsageError(f"'{address}' is no address of a database.") from None
    if url.get_backend_name() not in ("postgresql", "postgres"):
        raise UsageError("Records are kept in SQLite (a file) or PostgreSQL (postgresql://…).")
    return url.set(drivername="postgresql+asyncpg")


def _prepare(engine: AsyncEngine) -> None:
    @event.listens_for(engine.sync_engine, "connect")
    def prepare(connection: Any, _: object) -> None:
        connection.isolation_level = None  # transactions begin where we say
        cursor = connection.cursor()
        cursor.execute("PRAGMA journal_mode=WAL")
        cursor.execute("PRAGMA synchronous=NORMAL")
        # TIP §13.6: what was erased is overwritten, not only forgotten.
        cursor.execute("PRAGMA secure_delete=ON")
        cursor.execute(f"PRAGMA busy_timeout={_WAIT_S * 1_000}")
        cursor.close()


def _begin_at_once(engine: AsyncEngine) -> None:
    """A writer waits for the others (of other processes, too) from its first word on, so that
    what it has counted stays true until it has written."""

    @event.listens_for(engine.sync_engine, "begin")
    def begin(connection: Any) -> None:
        connection.exec_driver_sql("BEGIN IMMEDIATE")
