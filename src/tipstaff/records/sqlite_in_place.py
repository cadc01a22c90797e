"""SQLite without a thread of its own: a statement takes some 50 µs, to hand it to another thread
and back takes several times as much, and a server does little else but short statements.

In WAL mode reading waits for nobody, and a commit waits for no disk. What could wait does so
without holding up the event loop: the lock of another process is asked for again and again, and
the journal is written back by `checkpoint`, which belongs into a thread.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

_FIRST_WAIT_S, _LONGEST_WAIT_S = 0.001, 0.05
# Pages. `checkpoint` comes long before; this holds if it never does.
_JOURNAL_AT_MOST = 5_000


class InPlaceConnection:
    """What SQLAlchemy's dialect for `aiosqlite` asks of a connection."""

    def __init__(self, path: Path | str, *, patience_s: float) -> None:
        self._connection: sqlite3.Connection | None = sqlite3.connect(
            path,
            isolation_level=None,  # transactions begin where we say
            timeout=0,
            check_same_thread=False,  # closed by whoever ends the program
        )
        self._patience_s = patience_s
        for pragma in (
            "journal_mode=WAL",
            "synchronous=NORMAL",
            # TIP §13.6: what was erased is overwritten, not only forgotten.
            "secure_delete=ON",
            f"wal_autocheckpoint={_JOURNAL_AT_MOST}",
        ):
            _patiently_at_start(self._connection, f"PRAGMA {pragma}", patience_s)

    @property
    def isolation_level(self) -> str | None:
        return None

    def cursor(self) -> InPlaceCursor:
        return InPlaceCursor(self._open(), self._patience_s)

    async def commit(self) -> None:
        self._open().commit()

    async def rollback(self) -> None:
        self._open().rollback()

    async def create_function(self, *given: Any, **named: Any) -> None:
        self._open().create_function(*given, **named)

    async def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def stop(self) -> None:
        """What ends a connection that cannot be asked any more."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _open(self) -> sqlite3.Connection:
        if self._connection is None:
            raise ValueError("Connection closed")
        return self._connection


class InPlaceCursor:
    def __init__(self, connection: sqlite3.Connection, patience_s: float) -> None:
        self._connection = connection
        self._cursor = connection.cursor()
        self._patience_s = patience_s

    async def __aenter__(self) -> InPlaceCursor:
        return self

    @property
    def description(self) -> Any:
        return self._cursor.description

    @property
    def rowcount(self) -> int:
        return self._cursor.rowcount

    @property
    def lastrowid(self) -> int | None:
        return self._cursor.lastrowid

    @property
    def arraysize(self) -> int:
        return self._cursor.arraysize

    async def execute(self, statement: str, parameters: Sequence[Any] = ()) -> InPlaceCursor:
        await self._patiently(lambda: self._cursor.execute(statement, parameters))
        return self

    async def executemany(self, statement: str, rows: Sequence[Sequence[Any]]) -> InPlaceCursor:
        await self._patiently(lambda: self._cursor.executemany(statement, rows))
        return self

    async def fetchall(self) -> list[Any]:
        return self._cursor.fetchall()

    async def fetchmany(self, size: int | None = None) -> list[Any]:
        return self._cursor.fetchmany(self._cursor.arraysize if size is None else size)

    async def fetchone(self) -> Any:
        return self._cursor.fetchone()

    async def close(self) -> None:
        self._cursor.close()

    async def _patiently(self, do: Callable[[], object]) -> None:
        """Within a transaction nobody else can be in the way any more."""
        wait_s, deadline = _FIRST_WAIT_S, None
        loop = asyncio.get_running_loop()
        while True:
            try:
                do()
            except sqlite3.OperationalError as problem:
                deadline = deadline or loop.time() + self._patience_s
                if not _is_busy(problem) or self._connection.in_transaction:
                    raise
                if loop.time() > deadline:
                    raise
            else:
                return
            await asyncio.sleep(wait_s)
            wait_s = min(2 * wait_s, _LONGEST_WAIT_S)


def connecting(path: Path | str, *, patience_s: float) -> Callable[..., Awaitable[Any]]:
    """For `create_async_engine(async_creator=…)`."""

    async def connect() -> InPlaceConnection:
        return InPlaceConnection(path, patience_s=patience_s)

    return connect


def checkpoint(path: Path | str, *, whole: bool = False, patience_s: float = 0) -> None:
    """The journal's pages go into the file; `whole` waits for readers and empties the journal."""
    connection = sqlite3.connect(path, isolation_level=None, timeout=patience_s)
    try:
        connection.execute("PRAGMA synchronous=NORMAL")
        connection.execute(f"PRAGMA wal_checkpoint({'TRUNCATE' if whole else 'PASSIVE'})")
    finally:
        connection.close()


def _patiently_at_start(connection: sqlite3.Connection, statement: str, patience_s: float) -> None:
    """The first connection of all changes the file to WAL, which needs it alone for a moment."""
    connection.execute(f"PRAGMA busy_timeout={round(patience_s * 1_000)}")
    connection.execute(statement)
    connection.execute("PRAGMA busy_timeout=0")


def _is_busy(problem: sqlite3.OperationalError) -> bool:
    return problem.sqlite_errorcode & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
