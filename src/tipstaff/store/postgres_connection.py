"""Connections to PostgreSQL for code that does not wait asynchronously.

The driver (asyncpg) lives on an event loop in a thread of its own, so searches of several
threads share one pool. Every piece of work is one transaction that names its tenant.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable, Coroutine
from typing import TYPE_CHECKING, Any, TypeVar

from tipstaff.errors import MissingExtra, RetrievalFailed, TipstaffError, UsageError
from tipstaff.store.postgres_schema import CREATE, LOCK, SCHEMA, TENANT

if TYPE_CHECKING:
    from asyncpg import Connection, Pool

Result = TypeVar("Result")
Work = Callable[["Connection"], Awaitable[Result]]

_CONNECT_TIMEOUT_S = 10
# Writing a large index takes long; a search that takes this long is lost.
_STATEMENT_TIMEOUT_S = 120


class Database:
    """A pool that connects when it is first used and makes the tables if there are none."""

    def __init__(self, url: str, *, connections: int) -> None:
        self._connections = connections
        self._asyncpg = _driver()
        self._url = url
        self._pool: Pool | None = None
        self._loop = asyncio.new_event_loop()
        self._starting = asyncio.Lock()
        self._thread = threading.Thread(
            target=self._loop.run_forever, name="tipstaff-postgres", daemon=True
        )
        self._thread.start()

    def run(self, tenant: str, work: Work[Result]) -> Result:
        """Do some work in one transaction that sees the rows of one tenant."""
        return self._wait(self._within(tenant, work))

    def close(self) -> None:
        if self._loop.is_closed():
            return
        if self._pool is not None:
            self._wait(self._pool.close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def _wait(self, work: Coroutine[Any, Any, Result]) -> Result:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    async def _within(self, tenant: str, work: Work[Result]) -> Result:
        try:
            pool = await self._connected()
            async with pool.acquire() as connection, connection.transaction():
                # For this transaction only: a pooler may give the session to another tenant.
                await connection.execute("SELECT set_config($1, $2, true)", TENANT, tenant)
                return await work(connection)
        except TipstaffError:
            raise
        except (self._asyncpg.PostgresError, self._asyncpg.InterfaceError, OSError) as problem:
            # Never the address: it may hold a password.
            raise RetrievalFailed(f"PostgreSQL did not answer: {problem}") from None

    async def _connected(self) -> Pool:
        async with self._starting:
            if self._pool is None:
                pool = await self._asyncpg.create_pool(
                    self._url,
                    min_size=1,
                    max_size=self._connections,
                    timeout=_CONNECT_TIMEOUT_S,
                    command_timeout=_STATEMENT_TIMEOUT_S,
                    # A transaction leaves nothing to be reset, which would be another round trip.
                    reset=_nothing,
                )
                try:
                    await self._prepare(pool)
                except BaseException:
                    await pool.close()
                    raise
                self._pool = pool
            return self._pool

    async def _prepare(self, pool: Pool) -> None:
        async with pool.acquire() as connection, connection.transaction():
            await _refuse_exempt_roles(connection)
            await connection.execute("SELECT pg_advisory_xact_lock($1)", LOCK)
            if await connection.fetchval("SELECT to_regnamespace($1) IS NULL", SCHEMA):
                await self._make_extension(connection)
                await connection.execute(CREATE)

    async def _make_extension(self, connection: Connection) -> None:
        if await connection.fetchval("SELECT 1 FROM pg_extension WHERE extname = 'vector'"):
            return
        try:
            await connection.execute("CREATE EXTENSION vector")
        except self._asyncpg.InsufficientPrivilegeError:
            raise UsageError(
                "The database lacks the extension 'vector', and this role may not add it.",
                suggestion="Let an administrator run CREATE EXTENSION vector there once.",
            ) from None


async def _nothing(_connection: Connection) -> None:
    pass


async def _refuse_exempt_roles(connection: Connection) -> None:
    """Enterprise §6.2.1: a role that row-level security does not bind would see every tenant."""
    exempt = await connection.fetchval(
        "SELECT rolsuper OR rolbypassrls FROM pg_roles WHERE rolname = current_user"
    )
    if exempt:
        raise UsageError(
            "The store 'postgres' does not work as a superuser or with BYPASSRLS: tenants would "
            "not be kept apart.",
            suggestion="Connect as an ordinary role that may create a schema in the database.",
        )


def _driver() -> Any:
    try:
        import asyncpg
    except ImportError:
        raise MissingExtra("The store 'postgres'", extra="postgres") from None
    return asyncpg
