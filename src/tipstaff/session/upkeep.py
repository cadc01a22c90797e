"""What nobody asks for and must happen: queries of a killed server are ended, sessions run out,
old histories go."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from sqlalchemy import delete, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from tipstaff.domain.events import Event, SessionEnd
from tipstaff.domain.session import SessionStatus
from tipstaff.enveloping import now as timestamp
from tipstaff.errors import GenerationFailed, SessionExpired
from tipstaff.records.audit_trail import of_tenant
from tipstaff.records.database import Records
from tipstaff.records.tables import ASKED, EVENT, EXCHANGE, FINGERPRINT, LOGGED_QUERY, SESSION
from tipstaff.session.ending import Endings
from tipstaff.session.event_log import write, written
from tipstaff.session.rows import StoredSession, is_session, session_of, stored_session
from tipstaff.session.session_settings import SessionSettings
from tipstaff.session.signals import SessionKey, Signals
from tipstaff.streaming import error_event

_OPEN = (SessionStatus.ACTIVE, SessionStatus.SUSPENDED)
_STOPPED = "The server stopped while it was answering."


@dataclass(kw_only=True)
class Upkeep:
    records: Records
    endings: Endings
    signals: Signals
    settings: SessionSettings
    now: Callable[[], float]

    async def recover(self, *, holder: str, starting: bool) -> int:
        """Ends what a killed server left, and gives its reservations back; how many there were.

        A file has one server: at its start nobody else's queries are under way. With a shared
        database others may be at work: dead is who has not renewed what it holds for a lease."""
        wanted = select(ASKED.c.tenant, ASKED.c.query_id, ASKED.c.session_id)
        wanted = wanted.where(ASKED.c.holder != holder)
        if self.records.is_shared:
            wanted = wanted.where(ASKED.c.at < self.now() - self.settings.lease_s)
        elif not starting:
            wanted = wanted.where(ASKED.c.at < self.now() - self.settings.longest_query_s)
        left = await self.records.across(wanted, why="queries of killed servers")
        for row in left:
            key = SessionKey(row.tenant, row.session_id)
            problem = GenerationFailed(_STOPPED, suggestion="Ask again.")
            await self.endings.badly(key, row.query_id, problem, after_words=True)
            await self.signals.tell((key,))
        return len(left)

    async def renewed(self, *, holder: str) -> set[str]:
        """The queries that are still this server's, who says so by this; for another lease."""
        own = ASKED.c.holder == holder
        wanted = select(ASKED.c.tenant).where(own).distinct()
        renewed: set[str] = set()
        for (tenant,) in await self.records.across(wanted, why="leases of this server"):
            async with self.records.writing(tenant) as connection:
                kept = await connection.execute(
                    update(ASKED)
                    .where(own, ASKED.c.tenant == tenant)
                    .values(at=self.now())
                    .returning(ASKED.c.query_id)
                )
                renewed.update(kept.scalars())
        return renewed

    async def sweep(self) -> None:
        """TIP §8.1.5, §8.4: silent sessions are suspended, then expire; their history goes."""
        now = self.now()
        silent = SESSION.c.last_activity_at < now - self.settings.timeout_s
        active = SESSION.c.status == SessionStatus.ACTIVE
        suspended = update(SESSION).where(active, silent).values(status=SessionStatus.SUSPENDED)
        # Found for all at once, changed for each tenant by itself.
        for tenant in {key.tenant for key in await self._keys(active, silent)}:
            async with self.records.writing(tenant) as connection:
                await connection.execute(suspended.where(SESSION.c.tenant == tenant))
        expired = SESSION.c.last_activity_at < now - self.settings.resume_s
        for key in await self._keys(SESSION.c.status.in_(_OPEN), expired):
            await self._expire(key, now)
        for key in await self._keys(
            SESSION.c.status.not_in(_OPEN), SESSION.c.closed_at < now - self.settings.keep_s
        ):
            async with self.records.writing(key.tenant) as connection:
                await erase_rows(connection, key)

    async def _keys(self, *conditions: object) -> list[SessionKey]:
        wanted = select(SESSION.c.tenant, SESSION.c.session_id).where(*conditions)  # type: ignore[arg-type]
        rows = await self.records.across(wanted, why="sessions that have run out")
        return [SessionKey(row.tenant, row.session_id) for row in rows]

    async def _expire(self, key: SessionKey, now: float) -> None:
        async with self.records.writing(key.tenant) as connection:
            stored = await ended_row(
                connection,
                key,
                SessionStatus.EXPIRED,
                at=now,
                silent_since=now - self.settings.resume_s,
            )
            if stored is not None:
                told = error_event(SessionExpired("The session has expired."))
                events: list[Event] = [told, session_end(stored)]
                await write(
                    connection, key, written(events, transparency=self.settings.transparency)
                )
        await self.signals.tell((key,))


async def ended_row(
    connection: AsyncConnection,
    key: SessionKey,
    status: SessionStatus,
    *,
    at: float,
    silent_since: float | None = None,
) -> StoredSession | None:
    """The session, ended now; None if it was ended before or is not silent."""
    ending = update(SESSION).where(*is_session(key)).where(SESSION.c.status.in_(_OPEN))
    if silent_since is not None:
        ending = ending.where(SESSION.c.last_activity_at < silent_since)
    done = await connection.execute(
        ending.values(status=status, closed_at=at).returning(*SESSION.c)
    )
    row = done.mappings().first()
    return session_of(row) if row else None


def session_end(stored: StoredSession) -> SessionEnd:
    """Enterprise §2.4, 4."""
    ended = stored.closed_at or stored.last_activity_at
    return SessionEnd(
        session_id=stored.session_id,
        total_queries=stored.query_count,
        timestamp=timestamp(),
        total_tokens=stored.input_tokens + stored.output_tokens,
        duration_ms=round((ended - stored.initiated_at) * 1_000),
    )


async def erase_rows(connection: AsyncConnection, key: SessionKey) -> None:
    """Everything that was said. Reservations stay: they are counts and money, without words, and
    an erased session must not give its budget back. So does whom its marks stood for."""
    stored = await stored_session(connection, key)
    if stored is not None and stored.watermark is not None:
        async with of_tenant(connection, stored.asked_in):
            words = FINGERPRINT.c.tenant == stored.asked_in
            of_session = FINGERPRINT.c.session_id == key.session_id
            await connection.execute(delete(FINGERPRINT).where(words, of_session))
    # The session before what hangs on it: whoever is just writing to it is waited for, and what
    # they wrote is seen and goes, too. Nobody begins to write to one that is gone.
    for table in (ASKED, SESSION, EVENT, EXCHANGE, LOGGED_QUERY):
        await connection.execute(
            delete(table).where(table.c.tenant == key.tenant, table.c.session_id == key.session_id)
        )
