"""Indexes built ahead of time (Enterprise §7.3), one after another, with progress in the row; or
left to jobs, which any instance takes.

The task belongs to the server and not to the request: who stops waiting stops nothing.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Any

from sqlalchemy import ColumnElement, Row, and_, select, update

from tipstaff.errors import TipstaffError
from tipstaff.hosting.open_tezits import Key, OpenTezits
from tipstaff.hosting.published import Published, TezState, versions_of
from tipstaff.indexing import IndexedBundle
from tipstaff.records.database import Records
from tipstaff.records.tables import TEZ

if TYPE_CHECKING:
    from tipstaff.hosting.index_jobs import IndexJobs

Progress = Callable[[str], None]
Preparation = Callable[[str, Published, Progress | None], Callable[[], IndexedBundle]]
_LOG = logging.getLogger(__name__)
# Progress is written no more often than somebody would look.
_TELL_EVERY_S = 0.5
_LOOK_EVERY_S = 0.25
_ENDED_SERVERS = "Each server that indexed this tez ended before it was done."


class IndexingAhead:
    """`preparation` opens a version, `forget` drops the index of a tez that was withdrawn while it
    was being built."""

    def __init__(
        self,
        records: Records,
        open_tezits: OpenTezits,
        *,
        preparation: Preparation,
        forget: Callable[[str, str], Awaitable[None]],
    ) -> None:
        self._records = records
        self._open = open_tezits
        self._preparation = preparation
        self._forget = forget
        # Set before the start: indexes are built by jobs, here or at another instance.
        self.jobs: IndexJobs | None = None
        self._tasks: dict[Key, asyncio.Task[None]] = {}
        # Indexing takes all the cores there are: queries of others wait for one at a time.
        self._turn = asyncio.Lock()

    async def resume(self) -> None:
        """What a killed server left undone; jobs look for it themselves."""
        if self.jobs is None:
            for key in await self.waiting():
                await self._begin_waiting(key)

    async def see_to(
        self, tenant: str, tez: Published, progress: Progress | None, *, wait: bool
    ) -> None:
        """Here, or by a job that any instance takes."""
        if self.jobs is None:
            task = self._begin(tenant, tez, progress)
            if wait:
                await asyncio.shield(task)
            return
        key = (tenant, tez.tez_id, tez.version)
        await self.jobs.defer(key)
        if wait:
            await self._ended_elsewhere(key, progress)

    async def waiting(self) -> Sequence[Key]:
        """Every version of any tenant that waits for its index: there may be a million others."""
        wanted = select(TEZ.c.tenant, TEZ.c.tez_id, TEZ.c.version)
        rows = await self._records.across(
            wanted.where(TEZ.c.state == TezState.INDEXING), why="indexes left undone"
        )
        return [(row.tenant, row.tez_id, row.version) for row in rows]

    async def index(self, key: Key) -> None:
        """What a job does. A version that was withdrawn, or is ready, needs nothing."""
        task = await self._begin_waiting(key)
        if task is not None:
            await asyncio.shield(task)

    async def _begin_waiting(self, key: Key) -> asyncio.Task[None] | None:
        tenant, tez_id, version = key
        async with self._records.reading(tenant) as connection:
            versions = await versions_of(connection, tenant, tez_id)
        for tez in versions:
            if tez.version == version and tez.state is TezState.INDEXING:
                return self._begin(tenant, tez)
        return None

    def _begin(
        self, tenant: str, tez: Published, progress: Progress | None = None
    ) -> asyncio.Task[None]:
        key = (tenant, tez.tez_id, tez.version)
        if key not in self._tasks:
            work = self._work(key, tez, progress)
            task = self._tasks[key] = asyncio.create_task(work)
            task.add_done_callback(lambda _: self._tasks.pop(key, None))
        return self._tasks[key]

    async def give_up(self, key: Key) -> None:
        """Whoever began it did not live to its end, time and again."""
        await self._write(key, state=TezState.FAILED, progress=_ENDED_SERVERS)

    async def _ended_elsewhere(self, key: Key, progress: Progress | None) -> None:
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

    async def _work(self, key: Key, tez: Published, progress: Progress | None) -> None:
        async with self._turn:
            telling = _Telling(lambda text: self._write(key, progress=text), progress)
            state, said = TezState.READY, ""
            try:
                await self._open.get(key, self._preparation(key[0], tez, telling), ahead=True)
            except TipstaffError as problem:
                state, said = TezState.FAILED, problem.message
            except Exception as problem:
                _LOG.exception("indexing failed", exc_info=problem)
                state, said = TezState.FAILED, "Something went wrong inside the server."
            finally:
                await telling.finish()
            await self._write(key, state=state, progress=said)
            if await self._is_withdrawn(key):
                await self._forget(key[0], key[1])

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
