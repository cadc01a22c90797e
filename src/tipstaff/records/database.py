"""One database for everything that a server must not forget: SQLite, or PostgreSQL by setting."""

from __future__ import annotations

import asyncio
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
from tipstaff.records.sqlite_in_place import checkpoint, connecting
from tipstaff.records.tables import METADATA
from tipstaff.settings import Settings

FILE = "records.sqlite"
_WAIT_S = 30
_READERS = 15
# Transactions, of which each writes a few pages into the journal.
_WRITTEN_BACK_EVERY = 200
_LOG = logging.getLogger("tipstaff.records")


class Records:
    """`writing` is one transaction that nobody else's writes come between; `reading` sees what
    was committed."""

    def __init__(self, writer: AsyncEngine, reader: AsyncEngine, file: Path | None = None) -> None:
        self._writer = writer
        self._reader = reader
        self._file = file
        self._written = 0
        self._checkpoint: asyncio.Future[None] | None = None
        self.is_shared = file is None

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
        self._written += 1
        if self._file and not self._checkpoint and self._written >= _WRITTEN_BACK_EVERY:
            self._written = 0
            self._checkpoint = asyncio.ensure_future(asyncio.to_thread(checkpoint, self._file))
            self._checkpoint.add_done_callback(self._checkpointed)

    def _checkpointed(self, done: asyncio.Future[None]) -> None:
        self._checkpoint = None
        if not done.cancelled() and done.exception():
            _LOG.warning("the journal of the records was not written back: %s", done.exception())

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[AsyncConnection]:
        async with self._reader.connect() as connection:
            yield connection

    async def create(self) -> None:
        """The tables, where they are not there yet."""
        async with self.writing(lock="tables") as connection:
            await connection.run_sync(METADATA.create_all)

    async def scrub(self) -> None:
        """What was deleted is no longer in any file: SQLite keeps it in its journal until then.
        PostgreSQL lets go of it by itself (autovacuum)."""
        if self._file is not None:
            await asyncio.to_thread(checkpoint, self._file, whole=True, patience_s=_WAIT_S)

    async def aclose(self) -> None:
        if self._checkpoint:
            await asyncio.wait((self._checkpoint,))
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
    if isinstance(address, Path):
        connect = connecting(address, patience_s=_WAIT_S)
        # One writer that others wait for, in line and not by chance; readers wait for nobody.
        writer, reader = (
            create_async_engine(
                url,
                async_creator=connect,
                pool_size=size,
                max_overflow=0,
                pool_timeout=_WAIT_S,
                hide_parameters=True,
            )
            for size in (1, _READERS)
        )
        _begin_at_once(writer)
    else:
        writer = reader = create_async_engine(url, pool_pre_ping=True, hide_parameters=True)
    records = Records(writer, reader, address if isinstance(address, Path) else None)
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


def _begin_at_once(engine: AsyncEngine) -> None:
    """A writer waits for the others (of other processes, too) from its first word on, so that
    what it has counted stays true until it has written."""

    @event.listens_for(engine.sync_engine, "begin")
    def begin(connection: Any) -> None:
        connection.exec_driver_sql("BEGIN IMMEDIATE")
