"""Who waits for a session's log is woken when there is more of it.

A signal carries nothing but that: the log is read again. One that is missed costs a wait, never
an event. Several servers on one database need signals that reach each other (LISTEN/NOTIFY of
PostgreSQL, Valkey's channels): another implementation of `Signals`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import NamedTuple, Protocol


class SessionKey(NamedTuple):
    tenant: str
    session_id: str


class Signals(Protocol):
    def waiting_for(self, key: SessionKey) -> AbstractContextManager[asyncio.Event]:
        """An event that is set whenever the session's log may have grown."""
        ...

    async def tell(self, keys: Iterable[SessionKey]) -> None: ...

    def tell_all(self) -> None:
        """Everybody who waits in this process: the server stops."""
        ...


class LocalSignals:
    """Signals within one process."""

    def __init__(self) -> None:
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
