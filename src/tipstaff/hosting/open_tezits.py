"""Published tezits that are open: shared by all who ask them, the least recently used let go.

Nobody has to give one back. What is let go here is closed when the last session that still reads
it has gone, and not before.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable

from tipstaff.indexing import IndexedBundle

Key = tuple[str, str, int]


class OpenTezits:
    def __init__(self, most: int) -> None:
        self._most = most
        self._open: OrderedDict[Key, IndexedBundle] = OrderedDict()
        self._opening: dict[Key, asyncio.Task[IndexedBundle]] = {}

    async def get(self, key: Key, make: Callable[[], IndexedBundle]) -> IndexedBundle:
        """Opened in a thread, once, however many wait for it. Who stops waiting stops nobody."""
        if key in self._open:
            self._open.move_to_end(key)
            return self._open[key]
        if key not in self._opening:
            task = asyncio.create_task(asyncio.to_thread(make))
            self._opening[key] = task
            task.add_done_callback(lambda done: self._opened(key, done))
        return await asyncio.shield(self._opening[key])

    def drop(self, tenant: str, tez_id: str) -> None:
        """All versions of a tez; one that is being opened is not kept."""
        for key in [key for key in self._open if key[:2] == (tenant, tez_id)]:
            del self._open[key]
        for key in [key for key in self._opening if key[:2] == (tenant, tez_id)]:
            del self._opening[key]

    async def aclose(self) -> None:
        await asyncio.gather(*self._opening.values(), return_exceptions=True)
        self._opening.clear()
        self._open.clear()

    def _opened(self, key: Key, done: asyncio.Task[IndexedBundle]) -> None:
        failed = done.cancelled() or done.exception() is not None
        if not failed:
            done.result().opened.close_with_its_last_user()
        if self._opening.get(key) is not done:
            return
        del self._opening[key]
        if not failed:
            self._open[key] = done.result()
            while len(self._open) > self._most:
                self._open.popitem(last=False)
