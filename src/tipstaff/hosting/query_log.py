"""The log of queries that recipients agreed to (TIP §13.1.2), and its deletion.

Whether there is a consent is read in the same transaction that would write: one that was taken
back a moment ago is no consent, whatever somebody still has in memory.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

from sqlalchemy import ColumnElement, and_, delete, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from tipstaff.domain.caller import Caller, Permission
from tipstaff.hosting.consent import Consent, LoggingScope
from tipstaff.hosting.published import no_such_tez, once_managed
from tipstaff.records.audit_trail import append
from tipstaff.records.database import Records
from tipstaff.records.tables import LOGGED_QUERY, SESSION

_DAY_S = 86_400
_LOGGED = LOGGED_QUERY.c


class QueryLog:
    def __init__(self, records: Records, *, now: Callable[[], float] = time.time) -> None:
        self._records = records
        self._now = now

    async def log(
        self,
        connection: AsyncConnection,
        *,
        caller: Caller,
        tez_id: str,
        session_id: str,
        query_id: str,
        query: str,
        response: str,
        consent: Mapping[str, Any] | None,
    ) -> None:
        """As much as was agreed to, or nothing. `consent` is what the session began with; what is
        in its row now decides."""
        facts = await connection.scalar(select(SESSION.c.facts).where(_session(caller, session_id)))
        agreed = Consent.from_wire((facts or {}).get("consent"))
        if agreed is None or Consent.from_wire(consent) is None:
            return
        now = self._now()
        await connection.execute(
            insert(LOGGED_QUERY).values(
                tenant=caller.tenant,
                query_id=query_id,
                session_id=session_id,
                tez_id=tez_id,
                user=caller.user,
                query=query,
                response=None if agreed.scope is LoggingScope.QUERIES else response,
                at=now,
                expires_at=now + agreed.retention_days * _DAY_S,
            )
        )

    async def revoke(self, caller: Caller, session_id: str) -> int:
        """The consent of one session taken back: nothing more is logged, what was is deleted."""
        this = _session(caller, session_id)
        async with self._records.writing(caller.tenant) as connection:
            facts = await connection.scalar(select(SESSION.c.facts).where(this).with_for_update())
            if facts is not None:
                without = {name: value for name, value in facts.items() if name != "consent"}
                await connection.execute(update(SESSION).where(this).values(facts=without))
            gone = await connection.execute(
                delete(LOGGED_QUERY).where(_of(caller), _LOGGED.session_id == session_id)
            )
            told = {"user": caller.user, "session_id": session_id, "queries": gone.rowcount}
            await append(connection, caller.tenant, "consent_revoked", told, now=self._now())
        await self._records.scrub()
        return gone.rowcount

    async def erase(self, caller: Caller, *, tez_id: str | None = None) -> int:
        """Everything that was logged of a recipient (of one tez), deleted; how many queries."""
        mine = _of(caller) if tez_id is None else _of(caller) & (_LOGGED.tez_id == tez_id)
        async with self._records.writing(caller.tenant) as connection:
            gone = await connection.execute(delete(LOGGED_QUERY).where(mine))
            told = {"user": caller.user, "of": "logged queries", "queries": gone.rowcount}
            await append(connection, caller.tenant, "erasure", told, now=self._now())
        await self._records.scrub()
        return gone.rowcount

    async def sweep(self, now: float | None = None) -> int:
        """What was kept for as long as was agreed is deleted; how many queries."""
        moment = self._now() if now is None else now
        over = _LOGGED.expires_at <= moment
        found = select(_LOGGED.tenant).where(over).distinct()
        count = 0
        for (tenant,) in await self._records.across(found, why="logged queries that have run out"):
            async with self._records.writing(tenant) as connection:
                gone = await connection.execute(
                    delete(LOGGED_QUERY).where(_LOGGED.tenant == tenant, over)
                )
            count += gone.rowcount
        if count:
            await self._records.scrub()
        return count

    async def own(self, caller: Caller) -> list[dict[str, Any]]:
        """What is logged of the caller, for themselves (TIP §13.6, portability)."""
        return await self._read(caller.tenant, _of(caller))

    async def shared(self, caller: Caller, tez_id: str, *, sharing: bool) -> list[dict[str, Any]]:
        """What recipients agreed to have logged, for the sender: only if the terms that they
        agreed to said so (`sharing` is the manifest's `query_sharing_with_sender`)."""
        async with self._records.reading(caller.tenant) as connection:
            await once_managed(connection, caller, tez_id)
        if not sharing or not (caller.may(Permission.PUBLISH) or caller.may(Permission.ADMIN)):
            raise no_such_tez()
        of_tez = (_LOGGED.tenant == caller.tenant) & (_LOGGED.tez_id == tez_id)
        return await self._read(caller.tenant, of_tez)

    async def _read(self, tenant: str, which: ColumnElement[bool]) -> list[dict[str, Any]]:
        names = ("query_id", "session_id", "tez_id", "query", "response", "at", "expires_at")
        wanted = select(*(_LOGGED[name] for name in names)).where(which)
        current = wanted.where(_LOGGED.expires_at > self._now()).order_by(_LOGGED.at)
        async with self._records.reading(tenant) as connection:
            return [dict(row) for row in (await connection.execute(current)).mappings()]


def _session(caller: Caller, session_id: str) -> ColumnElement[bool]:
    return and_(
        SESSION.c.tenant == caller.tenant,
        SESSION.c.user == caller.user,
        SESSION.c.session_id == session_id,
    )


def _of(caller: Caller) -> ColumnElement[bool]:
    return and_(_LOGGED.tenant == caller.tenant, _LOGGED.user == caller.user)
