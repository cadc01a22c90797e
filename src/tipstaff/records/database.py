"""One database for everything that a server must not forget: SQLite, or PostgreSQL by setting."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import Row, Select, event, text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from tipstaff.errors import RateLimited, UsageError
from tipstaff.records.job_schema import jobs_missing
from tipstaff.records.migrating import check_isolation, make_ready
from tipstaff.records.sqlite_in_place import checkpoint, connecting
from tipstaff.records.tenant_connection import OnForeignRow, TenantConnection
from tipstaff.settings import Settings

FILE = "records.sqlite"
_WAIT_S = 30
_READERS = 15
# Transactions, of which each writes a few pages into the journal.
_WRITTEN_BACK_EVERY = 200
_LOG = logging.getLogger("tipstaff.records")
_COME_AGAIN_S = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Pool:
    """Connections that a server keeps to PostgreSQL (Enterprise §7.2). SQLite has its own: one
    writer, and readers that wait for nobody."""

    size: int = 10
    overflow: int = 10
    wait_s: int = _WAIT_S

    @classmethod
    def of(cls, settings: Settings) -> Pool:
        return cls(
            size=settings.records_connections,
            overflow=settings.records_connections_more,
            wait_s=settings.records_wait_s,
        )


class Records:
    """`writing` is one transaction that nobody else's writes come between; `reading` sees what
    was committed. Both are for one tenant, and see nothing of another's."""

    def __init__(self, writer: AsyncEngine, reader: AsyncEngine, file: Path | None = None) -> None:
        self._writer = writer
        self._reader = reader
        self._file = file
        self._written = 0
        self._checkpoint: asyncio.Future[None] | None = None
        self.is_shared = file is None
        # Told of every row of another tenant that was read and dropped: an alarm (§10.2).
        self.on_foreign_row: OnForeignRow | None = None

    @asynccontextmanager
    async def writing(self, tenant: str, *, lock: str = "") -> AsyncIterator[TenantConnection]:
        """`lock` names what is counted before it is written: writers of the same name wait for
        each other. SQLite has one writer at a time in any case."""
        async with self._connection(self._writer, tenant) as connection, connection.begin():
            await connection.act_for(tenant)
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
    async def reading(self, tenant: str) -> AsyncIterator[TenantConnection]:
        async with self._connection(self._reader, tenant) as connection:
            await connection.act_for(tenant)
            yield connection

    async def whose(self, wanted: Select[Any], *, digest: str) -> Row[Any] | None:
        """The row that bears the digest of a secret, whosever it is: who shows a secret has not
        said their tenant, the row does."""
        async with self._connection(self._reader, "") as connection:
            await connection.show_secret(digest)
            return await connection.whose(wanted)

    async def across(self, wanted: Select[Any], *, why: str) -> Sequence[Row[Any]]:
        """Whose and which rows of all tenants there are, for upkeep; what is then done with them
        is done for each tenant by itself."""
        async with self._connection(self._reader, "") as connection:
            return await connection.across(wanted, why=why)

    async def answers(self) -> None:
        """Raises if the database does not."""
        async with self._reader.connect() as connection:
            await connection.execute(text("SELECT 1"))

    async def jobs_missing(self) -> str | None:
        """None if jobs can wait in this database; else why not."""
        return (
            "records in a file have one server" if self._file else await jobs_missing(self._reader)
        )

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

    @asynccontextmanager
    async def _connection(
        self, engine: AsyncEngine, tenant: str
    ) -> AsyncIterator[TenantConnection]:
        connection = TenantConnection(engine, tenant=tenant, on_foreign_row=self.on_foreign_row)
        async with AsyncExitStack() as stack:
            try:
                await stack.enter_async_context(connection)
            except PoolTimeout:
                # Enterprise §7.6: the server is full, and says when to come again.
                raise RateLimited(
                    scope="global",
                    limit="no connection to the database is free",
                    retry_after_seconds=_COME_AGAIN_S,
                ) from None
            yield connection


def records_address(settings: Settings, data_folder: Path) -> str | Path:
    """Where a server with these settings keeps its records."""
    return data_folder / FILE if settings.records_url == "none" else settings.records_url


async def open_records(address: str | Path, *, pool: Pool | None = None) -> Records:
    """`address` is a file for SQLite or `postgresql://…`. An empty database is made, a file that
    is behind is brought up to date; a PostgreSQL that is behind is refused (decision 15)."""
    url = database_url(address)
    # TIP §13.1: what is written here is in no log, however much a server logs.
    logging.getLogger("aiosqlite").setLevel(logging.INFO)
    if isinstance(address, Path):
        writer, reader = _sqlite_engines(address)
    else:
        writer = reader = postgres_engine(url, pool or Pool())
    records = Records(writer, reader, address if isinstance(address, Path) else None)
    try:
        await make_ready(writer)
        if records.is_shared:
            await check_isolation(writer)
    except BaseException:
        await records.aclose()
        raise
    return records


def records_engine(settings: Settings, data_folder: Path) -> tuple[AsyncEngine, str | None]:
    """For `tip migrate`: the database as its owner sees it, and the role that works with it."""
    address = records_address(settings, data_folder)
    if isinstance(address, Path):
        writer, _ = _sqlite_engines(address)
        return writer, None
    used = database_url(address)
    owner = settings.records_owner_url
    owned = used if owner == "none" else database_url(owner)
    return postgres_engine(owned, Pool(size=1, overflow=0)), used.username


def postgres_engine(url: URL, pool: Pool) -> AsyncEngine:
    return create_async_engine(
        url,
        pool_size=pool.size,
        max_overflow=pool.overflow,
        pool_timeout=pool.wait_s,
        pool_pre_ping=True,
        hide_parameters=True,
    )


def _sqlite_engines(file: Path) -> tuple[AsyncEngine, AsyncEngine]:
    """One writer that others wait for, in line and not by chance; readers wait for nobody."""
    writer, reader = (
        create_async_engine(
            database_url(file),
            async_creator=connecting(file, patience_s=_WAIT_S),
            pool_size=size,
            max_overflow=0,
            pool_timeout=_WAIT_S,
            hide_parameters=True,
        )
        for size in (1, _READERS)
    )
    _begin_at_once(writer)
    return writer, reader


def database_url(address: str | Path) -> URL:
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
