"""Published tezits that are open: shared by all who ask them, the least often asked let go.

Nobody has to give one back. What is let go here is closed when the last session that still reads
it has gone, and not before. The one opened last stays, however seldom it was asked.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

from tipstaff.hosting.asked_often import AskedOften
from tipstaff.indexing import IndexedBundle

Key = tuple[str, str, int]
# How many more are counted than are open: what is let go is not forgotten.
_COUNTED = 64


class OpenTezits:
    def __init__(self, most: int, *, now: Callable[[], float] = time.time) -> None:
        self._most = most
        self.asked = AskedOften(most * _COUNTED, now)
        # Told of every asking whether it was open.
        self.on_asked: Callable[[bool], None] | None = None
        self._open: dict[Key, IndexedBundle] = {}
        self._opening: dict[Key, asyncio.Task[IndexedBundle]] = {}

    @property
    def is_full(self) -> bool:
        return len(self._open) + len(self._opening) >= self._most

    async def get(
        self, key: Key, make: Callable[[], IndexedBundle], *, ahead: bool = False
    ) -> IndexedBundle:
        """Opened in a thread, once, however many wait for it. Who stops waiting stops nobody.
        `ahead`: nobody has asked it yet."""
        if not ahead:
            self.asked.count(key[:2])
            if self.on_asked is not None:
                self.on_asked(key in self._open)
        if key in self._open:
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
                self._let_go_besides(key)

    def _let_go_besides(self, newest: Key) -> None:
        others = [key for key in self._open if key != newest]
        # Of those asked alike, an older version, or the one that was opened first.
        del self._open[min(others, key=lambda key: (self.asked.weight(key[:2]), key[2]))]
