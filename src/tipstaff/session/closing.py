"""CLOSE (TIP §8.1.5) and erasure (TIP §13.1): a session ends by its recipient's word, and what it
was asked ends with it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tipstaff.domain.caller import Caller
from tipstaff.domain.session import SessionStatus
from tipstaff.errors import GenerationFailed
from tipstaff.instances.announcements import Announcement, Announcements, Kind
from tipstaff.records.audit_trail import append_to
from tipstaff.records.database import Records
from tipstaff.session.audited import ended as ended_bodies
from tipstaff.session.directory import Directory
from tipstaff.session.event_log import write, written
from tipstaff.session.interrogations import Interrogations
from tipstaff.session.leases import Leases
from tipstaff.session.rows import stored_exchanges, stored_session
from tipstaff.session.running import Runner
from tipstaff.session.session_settings import SessionSettings
from tipstaff.session.signals import SessionKey, Signals
from tipstaff.session.summary import Closed, closed
from tipstaff.session.upkeep import ended_row, erase_rows, session_end


@dataclass(kw_only=True)
class Closing:
    records: Records
    directory: Directory
    runner: Runner
    leases: Leases
    interrogations: Interrogations
    signals: Signals
    announcements: Announcements
    settings: SessionSettings
    now: Callable[[], float]

    def __post_init__(self) -> None:
        self.announcements.on(Kind.CANCELLED, self._cancelled_elsewhere)

    async def close(self, caller: Caller, tez_id: str, session_id: str) -> Closed:
        stored = await self.directory.owned(caller, tez_id, session_id)
        if self.directory.status(stored) is SessionStatus.EXPIRED:
            raise self.directory.expired(stored)
        await self._cancel(stored.key, "The session was closed.")
        async with self.records.writing(caller.tenant) as connection:
            ended = await ended_row(connection, stored.key, SessionStatus.CLOSED, at=self.now())
            if ended is not None:
                transparency = self.settings.transparency
                events = written([session_end(ended)], transparency=transparency)
                await write(connection, stored.key, events)
                bodies = ended_bodies(ended, "session_closed")
                await append_to(connection, bodies, now=self.now())
        await self.signals.tell((stored.key,))
        await self.interrogations.forget(stored.key)
        stored = ended or await self.directory.owned(caller, tez_id, session_id)
        async with self.records.reading(caller.tenant) as connection:
            return closed(stored, await stored_exchanges(connection, stored.key))

    async def erase(self, caller: Caller, tez_id: str, session_id: str) -> None:
        stored = await self.directory.owned(caller, tez_id, session_id)
        await self._erase(stored.key)
        await self.records.scrub()

    async def erase_all(self, caller: Caller) -> int:
        keys = await self.directory.keys_of(caller)
        for key in keys:
            await self._erase(key)
        await self.records.scrub()
        return len(keys)

    async def _erase(self, key: SessionKey) -> None:
        await self._cancel(key, "The session was erased.")
        await self.interrogations.forget(key)
        async with self.records.writing(key.tenant) as connection:
            stored = await stored_session(connection, key)
            await erase_rows(connection, key)
            if stored is not None:
                await append_to(connection, ended_bodies(stored, "erasure"), now=self.now())
        await self.signals.tell((key,))

    async def _cancel(self, key: SessionKey, why: str) -> None:
        for run in self.runner.of(key):
            run.cancel(GenerationFailed(why), by_recipient=True)
        await self.announcements.tell(Kind.CANCELLED, tenant=key.tenant, name=key.session_id)
        await self.runner.idle(key)
        await self.leases.ended_elsewhere(key, why)

    def _cancelled_elsewhere(self, told: Announcement | None) -> None:
        """Who missed it is not waited for: `Leases.ended_elsewhere`."""
        if told is not None:
            for run in self.runner.of(SessionKey(told.tenant, told.name)):
                run.cancel(GenerationFailed("The session was ended."), by_recipient=True)
