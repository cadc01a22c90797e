"""How many queries are answered at once, and what becomes of the others (Enterprise §7.6).

`queue`: they wait in line, up to a bound. `reject`: they are refused at once. `degrade`: they are
answered at once without model and reader, and say so. Beyond the bound every one is refused with
the time after which to come again.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from tipstaff.errors import RateLimited
from tipstaff.session.session_settings import Backpressure, SessionSettings

# How much the last query weighs in what one is thought to take.
_LATEST = 0.2


@dataclass(frozen=True, slots=True)
class Admission:
    """A place among those that are answered or wait; `degraded` ones wait for nobody."""

    degraded: bool = False


class Capacity:
    def __init__(self, settings: SessionSettings) -> None:
        self._settings = settings
        self._admitted = 0
        self._slots = asyncio.Semaphore(settings.concurrent_queries)
        self._usual_s = 1.0

    @property
    def admitted(self) -> int:
        return self._admitted

    def admit(self) -> Admission:
        """A place, or `RateLimited`; who has one gives it back with `leave`."""
        settings = self._settings
        most = settings.concurrent_queries
        if settings.backpressure is not Backpressure.REJECT:
            most += settings.waiting_queries
        if self._admitted >= most:
            raise RateLimited(
                scope="global",
                limit=f"the server is answering or holding {self._admitted} queries",
                retry_after_seconds=self._retry_after_s(),
            )
        beyond = self._admitted >= settings.concurrent_queries
        self._admitted += 1
        return Admission(degraded=beyond and settings.backpressure is Backpressure.DEGRADE)

    def leave(self) -> None:
        self._admitted -= 1

    @asynccontextmanager
    async def slot(self, admission: Admission) -> AsyncIterator[None]:
        """First come, first served; a degraded query needs none."""
        if admission.degraded:
            yield
            return
        await self._slots.acquire()
        began = time.monotonic()
        try:
            yield
        finally:
            self._slots.release()
            took = time.monotonic() - began
            self._usual_s += _LATEST * (took - self._usual_s)

    def waited_too_long(self) -> RateLimited:
        return RateLimited(
            scope="global",
            limit=f"no place came free within {self._settings.waiting_s:.0f} seconds",
            retry_after_seconds=self._retry_after_s(),
        )

    def _retry_after_s(self) -> int:
        ahead = self._admitted / self._settings.concurrent_queries
        return max(1, min(60, math.ceil(ahead * self._usual_s)))
