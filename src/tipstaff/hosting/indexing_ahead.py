"""Indexes built ahead of time (Enterprise §7.3), one after another, with progress in the row.

The task belongs to the server and not to the request: who stops waiting stops nothing.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Awaitable, Callable
from typing import Any

from sqlalchemy import ColumnElement, Row, and_, select, update

from tipstaff.errors import TipstaffError
from tipstaff.hosting.open_tezits import Key, OpenTezits
from tipstaff.hosting.published import Published, TezState
from tipstaff.indexing import IndexedBundle
from tipstaff.records.database import Records
from tipstaff.records.tables import TEZ

Progress = Callable[[str], None]
Preparation = Callable[[str, Published, Progress | None], Callable[[], IndexedBundle]]
_LOG = logging.getLogger(__name__)
# Progress is written no more often than somebody would look.
_TELL_EVERY_S = 0.5
_LOOK_EVERY_S = 0.25
_ENDED_SERVERS = "Each server that indexed this tez ended before it was done."


class IndexingAhead:
    def __init__(self, records: Records, open_tezits: OpenTezits) -> None:
        self._records = records
        self._open = open_tezits
        self._tasks: dict[Key, asyncio.Task[None]] = {}
        # Indexing takes all the cores there are: queries of others wait for one at a time.
        self._turn = asyncio.Lock()

    def begin(
        self,
        tenant: str,
        tez: Published,
        preparation: Preparation,
        progress: Progress | None,
        forget: Callable[[str, str], Awaitable[None]],
    ) -> asyncio.Task[None]:
        """`forget` drops the index of a tez that was withdrawn while it was being built."""
        key = (tenant, tez.tez_id, tez.version)
        if key not in self._tasks:
            work = self._work(key, tez, preparation, progress, forget)
            task = self._tasks[key] = asyncio.create_task(work)
            task.add_done_callback(lambda _: self._tasks.pop(key, None))
        return self._tasks[key]

    async def give_up(self, key: Key) -> None:
        """Whoever began it did not live to its end, time and again."""
        await self._write(key, state=TezState.FAILED, progress=_ENDED_SERVERS)

    async def ended_elsewhere(self, key: Key, progress: Progress | None) -> None:
        """Waits for a job, whichever instance has it: the row tells."""
        told = ""
        while (row := await self._row(key)) is not None and row.state == TezState.INDEXING:
            if progress is not None and row.progress not in ("", told):
                told = row.progress
                progress(told)
            await asyncio.sleep(_LOOK_EVERY_S)

    async def aclose(self) -> None:
        """What has begun is finished, what waits for its turn is left to the next start."""
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _work(
        self,
        key: Key,
        tez: Published,
        preparation: Preparation,
        progress: Progress | None,
        forget: Callable[[str, str], Awaitable[None]],
    ) -> None:
        async with self._turn:
            telling = _Telling(lambda text: self._write(key, progress=text), progress)
            state, said = TezState.READY, ""
            try:
                await self._open.get(key, preparation(key[0], tez, telling), ahead=True)
            except TipstaffError as problem:
                state, said = TezState.FAILED, problem.message
            except Exception as problem:
                _LOG.exception("indexing failed", exc_info=problem)
                state, said = TezState.FAILED, "Something went wrong inside the server."
            finally:
                await telling.finish()
            await self._write(key, state=state, progress=said)
            if await self._is_withdrawn(key):
                await forget(key[0], key[1])

    async def _write(self, key: Key, **values: str) -> None:
        """Only of a row that still waits for its index: one that was withdrawn stays so."""
        waits = _this(key) & (TEZ.c.state == TezState.INDEXING)
        async with self._records.writing(key[0]) as connection:
            await connection.execute(update(TEZ).where(waits).values(**values))

    async def _is_withdrawn(self, key: Key) -> bool:
        row = await self._row(key)
        return row is not None and row.state == TezState.WITHDRAWN

    async def _row(self, key: Key) -> Row[Any] | None:
        async with self._records.reading(key[0]) as connection:
            found = await connection.execute(select(TEZ.c.state, TEZ.c.progress).where(_this(key)))
            return found.first()


def _this(key: Key) -> ColumnElement[bool]:
    tenant, tez_id, version = key
    return and_(TEZ.c.tenant == tenant, TEZ.c.tez_id == tez_id, TEZ.c.version == version)


class _Telling:
    """Progress out of a thread: to whoever published, and into the row."""

    def __init__(self, write: Callable[[str], Awaitable[object]], also: Progress | None) -> None:
        self._write = write
        self._also = also
        self._loop = asyncio.get_running_loop()
        self._next = 0.0
        self._last: asyncio.Task[None] | None = None

    def __call__(self, text: str) -> None:
        """Called in the thread that indexes."""
        if time.monotonic() < self._next:
            return
        self._next = time.monotonic() + _TELL_EVERY_S
        with contextlib.suppress(RuntimeError):  # the server has stopped meanwhile
            self._loop.call_soon_threadsafe(self._tell, text)

    def _tell(self, text: str) -> None:
        if self._also is not None:
            self._also(text)
        if self._last is None or self._last.done():
            self._last = asyncio.create_task(self._written(text))

    async def _written(self, text: str) -> None:
        await self._write(text)

    async def finish(self) -> None:
        if self._last is not None:
            await asyncio.gather(self._last, return_exceptions=True)
