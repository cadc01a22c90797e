"""Who waits for a session's log is woken when there is more of it.

A signal carries nothing but that: the log is read again. One that is missed costs a wait, never
an event. `elsewhere.py` has signals that reach other instances.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import NamedTuple, Protocol


class SessionKey(NamedTuple):
    tenant: str
    session_id: str


class Signals(Protocol):
    @property
    def look_again_s(self) -> float:
        """After so long the log is read again although nobody said anything."""
        ...

    def waiting_for(self, key: SessionKey) -> AbstractContextManager[asyncio.Event]:
        """An event that is set whenever the session's log may have grown."""
        ...

    async def tell(self, keys: Iterable[SessionKey]) -> None: ...

    def tell_all(self) -> None:
        """Everybody who waits in this process: the server stops."""
        ...


class LocalSignals:
    """Signals within one process. Where others write to the same log, unheard, a reader has to
    look by itself: `look_again_s`."""

    def __init__(self, *, look_again_s: float = math.inf) -> None:
        self.look_again_s = look_again_s
        self._waiting: dict[SessionKey, set[asyncio.Event]] = {}

    @contextmanager
    def waiting_for(self, key: SessionKey) -> Iterator[asyncio.Event]:
        woken = asyncio.Event()
        self._waiting.setdefault(key, set()).add(woken)
        try:
            yield woken
        finally:
            others = self._waiting[key]
            others.discard(woken)
            if not others:
                del self._waiting[key]

    async def tell(self, keys: Iterable[SessionKey]) -> None:
        for key in keys:
            for woken in self._waiting.get(key, ()):
                woken.set()

    def tell_all(self) -> None:
        for waiting in self._waiting.values():
            for woken in waiting:
                woken.set()
