"""Whose session is it: every way to one leads through here.

A session of another tenant, user or tez is not there, as one that never was (TIP §8.3).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from sqlalchemy import select, update

from tipstaff.domain.caller import Caller
from tipstaff.domain.session import Session, SessionStatus
from tipstaff.domain.timestamp import timestamp
from tipstaff.errors import NotFound, SessionExpired
from tipstaff.records.database import Records
from tipstaff.records.tables import SESSION
from tipstaff.session.rows import (
    StoredSession,
    is_session,
    session_of,
    stored_exchanges,
    stored_session,
)
from tipstaff.session.session_settings import SessionSettings
from tipstaff.session.signals import SessionKey


def no_such_session() -> NotFound:
    return NotFound("There is no such session.")


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionEntry:
    """A session in a list: its state without its history, and the name its recipient gave it."""

    session: Session
    title: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Directory:
    records: Records
    settings: SessionSettings
    now: Callable[[], float]

    async def owned(self, caller: Caller, tez_id: str, session_id: str) -> StoredSession:
        async with self.records.reading(caller.tenant) as connection:
            stored = await stored_session(connection, SessionKey(caller.tenant, session_id))
        if stored is None or (stored.user, stored.tez_id) != (caller.user, tez_id):
            raise no_such_session()
        return stored

    def status(self, stored: StoredSession) -> SessionStatus:
        return stored.status_at(self.now(), self.settings)

    def expired(self, stored: StoredSession) -> SessionExpired:
        """Why it takes no queries, and whether it can be resumed (TIP §8.4)."""
        status = self.status(stored)
        if status is SessionStatus.CLOSED:
            return SessionExpired("The session is closed.", resumable=False)
        if status is SessionStatus.EXPIRED:
            return SessionExpired(
                "The session has expired.", resumable=False, suggestion="Start a new session."
            )
        return SessionExpired(
            f"The session is suspended after {self.settings.timeout_s / 60:.0f} minutes without "
            "a query.",
            resumable=True,
            resume_until=timestamp(stored.last_activity_at + self.settings.resume_s),
            suggestion="Resume it, or start a new session.",
        )

    async def described(self, caller: Caller, tez_id: str, session_id: str) -> Session:
        """TIP §8.2, with the whole history."""
        stored = await self.owned(caller, tez_id, session_id)
        async with self.records.reading(stored.tenant) as connection:
            exchanges = await stored_exchanges(connection, stored.key)
        history = [entry for exchange in exchanges for entry in exchange.told()]
        return stored.described(self.status(stored), history)

    async def listed(self, caller: Caller, tez_id: str) -> list[SessionEntry]:
        """The caller's own sessions with a tez, the latest first."""
        wanted = (
            select(SESSION)
            .where(SESSION.c.tenant == caller.tenant, SESSION.c.user == caller.user)
            .where(SESSION.c.tez_id == tez_id)
            .order_by(SESSION.c.last_activity_at.desc(), SESSION.c.session_id)
        )
        async with self.records.reading(caller.tenant) as connection:
            rows = (await connection.execute(wanted)).mappings().all()
        found = [session_of(row) for row in rows]
        return [
            SessionEntry(
                session=stored.described(self.status(stored)), title=stored.facts.get("title", "")
            )
            for stored in found
        ]

    async def keys_of(self, caller: Caller) -> list[SessionKey]:
        """Every session of the caller, whatever the tez."""
        wanted = select(SESSION.c.tenant, SESSION.c.session_id).where(
            SESSION.c.tenant == caller.tenant, SESSION.c.user == caller.user
        )
        async with self.records.reading(caller.tenant) as connection:
            rows = await connection.execute(wanted)
            return [SessionKey(row.tenant, row.session_id) for row in rows]

    async def renamed(self, caller: Caller, tez_id: str, session_id: str, title: str) -> None:
        stored = await self.owned(caller, tez_id, session_id)
        async with self.records.writing(caller.tenant) as connection:
            # Held from here on, so that an error which is noted meanwhile is not lost.
            await connection.execute(
                update(SESSION)
                .where(*is_session(stored.key))
                .values(last_event=SESSION.c.last_event)
            )
            current = await stored_session(connection, stored.key)
            if current is not None:
                await connection.execute(
                    update(SESSION)
                    .where(*is_session(stored.key))
                    .values(facts={**current.facts, "title": title})
                )
