"""A reader of a session's log: from any place on, page by page, waiting at its end.

Whoever comes back with the number of the last event they saw gets what follows it, once and in
order (Enterprise §2.5). A slow reader holds one page, not the log.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from dataclasses import dataclass

import msgspec
from sqlalchemy import func, select

from tipstaff.domain.events import Heartbeat, StreamError
from tipstaff.domain.session import SessionStatus
from tipstaff.records.database import Records
from tipstaff.records.tables import ASKED, SESSION
from tipstaff.session.event_log import PAGE, QUERY_ENDS, SESSION_END, EventLog, LoggedEvent
from tipstaff.session.presence import Presence
from tipstaff.session.rows import is_session
from tipstaff.session.signals import SessionKey, Signals

_OVER = (SessionStatus.CLOSED, SessionStatus.EXPIRED)


@dataclass(kw_only=True)
class Followers:
    records: Records
    log: EventLog
    signals: Signals
    presence: Presence
    idle_timeout_s: float
    stopping: bool = False

    async def follow(
        self, key: SessionKey, *, after: int, query_id: str | None, heartbeat_s: float
    ) -> AsyncGenerator[LoggedEvent | Heartbeat, None]:
        """To the end of the query or of the session, or until nothing came for too long."""
        clock = asyncio.get_running_loop().time
        over = False
        with self.presence.listening(key), self.signals.waiting_for(key) as woken:
            last_event_at = clock()
            while True:
                # Cleared before the log is read: what is written from now on wakes us.
                woken.clear()
                page = await self.log.page(key, after=after, query_id=query_id)
                for event in page:
                    yield event
                    after = event.number
                    if _ends(event, query_id):
                        return
                if page:
                    last_event_at = clock()
                elif over or self.stopping:
                    return
                elif await self._over(key, query_id):
                    # Its last events may have been written since the page was read.
                    over = True
                    continue
                if len(page) == PAGE:
                    continue
                rest_s = self.idle_timeout_s - (clock() - last_event_at)
                if rest_s <= 0:
                    return
                if not await _woken(woken, within_s=min(heartbeat_s, rest_s)):
                    yield Heartbeat()

    async def _over(self, key: SessionKey, query_id: str | None) -> bool:
        """Whether nothing more will come, as far as the records know."""
        status = select(SESSION.c.status).where(*is_session(key))
        running = (
            select(func.count())
            .select_from(ASKED)
            .where(ASKED.c.tenant == key.tenant, ASKED.c.session_id == key.session_id)
            .where(ASKED.c.query_id == query_id)
        )
        async with self.records.reading(key.tenant) as connection:
            known = await connection.scalar(status)
            if known is None or known in _OVER:
                return True
            return query_id is not None and not await connection.scalar(running)


def _ends(event: LoggedEvent, query_id: str | None) -> bool:
    if event.name == SESSION_END:
        return True
    if query_id is not None:
        return event.query_id == query_id and event.name in QUERY_ENDS
    # Enterprise §2.4: behind an error that cannot be recovered from the connection is closed.
    return event.name == StreamError.name and not msgspec.json.decode(event.data).get("recoverable")


async def _woken(woken: asyncio.Event, *, within_s: float) -> bool:
    try:
        async with asyncio.timeout(within_s):
            await woken.wait()
    except TimeoutError:
        return False
    return True
