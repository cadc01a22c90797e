"""The log of a session is its stream (Enterprise §2.5): numbered from 1 without gaps, written down
before it is sent.

Writers commit in groups: whatever came up while one transaction was on its way goes down in the
next. Numbers are counted in the session's own row, so that two writers of one log, in whichever
process, wait for each other and leave no gap.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import msgspec
from sqlalchemy import insert, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from tipstaff.domain.events import Event, ResponseEnd, SessionEnd, StreamError
from tipstaff.records.database import Records
from tipstaff.records.tables import EVENT, SESSION
from tipstaff.session.signals import SessionKey, Signals
from tipstaff.streaming import wire_event

PAGE = 500
# What ends the part of the log that belongs to a query.
QUERY_ENDS = (ResponseEnd.name, StreamError.name)
SESSION_END = SessionEnd.name


@dataclass(frozen=True, slots=True, kw_only=True)
class NewEvent:
    """An event that has no number yet; `query_id` is empty for the session's own."""

    name: str
    data: bytes
    query_id: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LoggedEvent:
    """`data` is compact JSON, as far as the setting `transparency` shows it."""

    number: int
    name: str
    data: bytes
    query_id: str


def written(events: Iterable[Event], *, transparency: str, query_id: str = "") -> list[NewEvent]:
    """Events as the log has them; those that are not to be shown are not in it."""
    wired = ((event, wire_event(event, transparency=transparency)) for event in events)
    return [
        NewEvent(name=event.name, data=msgspec.json.encode(data), query_id=query_id)
        for event, data in wired
        if data is not None
    ]


async def write(
    connection: AsyncConnection, key: SessionKey, events: Sequence[NewEvent]
) -> int | None:
    """In the caller's transaction; the number of the last, or None if the session is gone."""
    counted = await connection.execute(
        update(SESSION)
        .where(SESSION.c.tenant == key.tenant, SESSION.c.session_id == key.session_id)
        .values(last_event=SESSION.c.last_event + len(events))
        .returning(SESSION.c.last_event)
    )
    last: int | None = counted.scalar()
    if last is None or not events:
        return last
    first = last - len(events) + 1
    rows = [
        {
            "tenant": key.tenant,
            "session_id": key.session_id,
            "number": number,
            "query_id": event.query_id,
            "name": event.name,
            "data": event.data,
        }
        for number, event in enumerate(events, start=first)
    ]
    await connection.execute(insert(EVENT), rows)
    return last


class EventLog:
    def __init__(self, records: Records, signals: Signals) -> None:
        self._records = records
        self._signals = signals
        self._pending: list[tuple[SessionKey, Sequence[NewEvent], asyncio.Future[None]]] = []
        self._writer: asyncio.Task[None] | None = None

    def append(self, key: SessionKey, events: Sequence[NewEvent]) -> asyncio.Future[None]:
        """Taken up for the next group; done when it is written down. Who appends much waits for
        what it appended, so that little is in memory."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        # Whoever appended it may be gone by then: a failure that nobody asks for is no alarm.
        done.add_done_callback(lambda one: one.cancelled() or one.exception())
        self._pending.append((key, events, done))
        if self._writer is None:
            self._writer = asyncio.create_task(self._write_groups())
        return done

    async def page(
        self, key: SessionKey, *, after: int, query_id: str | None = None
    ) -> list[LoggedEvent]:
        """At most `PAGE` events behind a number, in order. Those of the session itself belong to
        every query's part of the log."""
        wanted = (
            select(EVENT.c.number, EVENT.c.name, EVENT.c.data, EVENT.c.query_id)
            .where(EVENT.c.tenant == key.tenant, EVENT.c.session_id == key.session_id)
            .where(EVENT.c.number > after)
            .order_by(EVENT.c.number)
            .limit(PAGE)
        )
        if query_id is not None:
            wanted = wanted.where(or_(EVENT.c.query_id == query_id, EVENT.c.query_id == ""))
        async with self._records.reading(key.tenant) as connection:
            rows = await connection.execute(wanted)
            return [
                LoggedEvent(number=row.number, name=row.name, data=row.data, query_id=row.query_id)
                for row in rows
            ]

    async def aclose(self) -> None:
        """What was appended is written down."""
        if self._writer is not None:
            await asyncio.wait((self._writer,))

    async def _write_groups(self) -> None:
        try:
            while self._pending:
                group, self._pending = self._pending, []
                await self._write_group(group)
        finally:
            self._writer = None

    async def _write_group(
        self, group: Sequence[tuple[SessionKey, Sequence[NewEvent], asyncio.Future[None]]]
    ) -> None:
        by_session: dict[SessionKey, list[NewEvent]] = {}
        for key, events, _ in group:
            by_session.setdefault(key, []).extend(events)
        try:
            # In one order everywhere: two servers with the same sessions never wait for each
            # other in a circle.
            keys = sorted(by_session)
            async with self._records.writing(keys[0].tenant) as connection:
                for key in keys:
                    if key.tenant != connection.tenant:
                        await connection.act_for(key.tenant)
                    await write(connection, key, by_session[key])
        except Exception as problem:
            for _, _, done in group:
                if not done.done():
                    done.set_exception(problem)
            return
        for _, _, done in group:
            if not done.done():
                done.set_result(None)
        await self._signals.tell(by_session)
