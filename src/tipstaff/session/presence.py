"""Who is listening: a query that nobody has listened to for a while is cancelled.

A reader who drops out and comes back in time misses nothing (decision 12, item 5).
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from tipstaff.session.elsewhere import SHOW_S, Elsewhere, Nowhere
from tipstaff.session.signals import SessionKey


class Presence:
    def __init__(self, *, grace_s: float, elsewhere: Elsewhere | None = None) -> None:
        self._grace_s = grace_s
        self._elsewhere = elsewhere or Nowhere()
        self._shown_at: dict[SessionKey, float] = {}
        self._asking: set[asyncio.Task[None]] = set()
        self._listening: Counter[SessionKey] = Counter()
        self._deserted: dict[SessionKey, Callable[[], None]] = {}
        self._timers: dict[SessionKey, asyncio.TimerHandle] = {}

    @contextmanager
    def listening(self, key: SessionKey) -> Iterator[None]:
        self._listening[key] += 1
        self._stop_timer(key)
        try:
            yield
        finally:
            self._listening[key] -= 1
            if not self._listening[key]:
                del self._listening[key]
                self._shown_at.pop(key, None)
                self._start_timer(key)

    async def show(self, key: SessionKey) -> None:
        """A reader says now and then that it is there, for a query that runs elsewhere."""
        now = asyncio.get_running_loop().time()
        if key not in self._deserted and now - self._shown_at.get(key, -SHOW_S) >= SHOW_S:
            self._shown_at[key] = now
            await self._elsewhere.listens(key)

    @contextmanager
    def watched(self, key: SessionKey, deserted: Callable[[], None]) -> Iterator[None]:
        """Call `deserted` once nobody has listened for so long. One watch a session: one query
        is answered at a time."""
        self._deserted[key] = deserted
        if not self._listening[key]:
            self._start_timer(key)
        try:
            yield
        finally:
            del self._deserted[key]
            self._stop_timer(key)

    def _start_timer(self, key: SessionKey) -> None:
        if key in self._deserted:
            loop = asyncio.get_running_loop()
            self._stop_timer(key)
            self._timers[key] = loop.call_later(self._grace_s, self._desert, key)

    def _stop_timer(self, key: SessionKey) -> None:
        if timer := self._timers.pop(key, None):
            timer.cancel()

    def _desert(self, key: SessionKey) -> None:
        self._timers.pop(key, None)
        task = asyncio.get_running_loop().create_task(self._desert_if_alone(key))
        self._asking.add(task)
        task.add_done_callback(self._asking.discard)

    async def _desert_if_alone(self, key: SessionKey) -> None:
        heard_elsewhere = await self._elsewhere.is_listening(key)
        if key not in self._deserted or self._listening.get(key):
            return
        if heard_elsewhere:
            self._start_timer(key)
        else:
            self._deserted[key]()
