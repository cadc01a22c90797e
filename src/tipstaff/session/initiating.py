"""INIT and resumption (TIP §8.1.1, §8.4): a session begins, or goes on where it was."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from sqlalchemy import insert, update
from sqlalchemy.ext.asyncio import AsyncConnection

from tipstaff.access.authorization import Authorizes
from tipstaff.boundary import GroundingBoundary, boundary_of
from tipstaff.domain.bundle import HostingLimits
from tipstaff.domain.caller import Caller
from tipstaff.domain.response import Notice, NoticeKind
from tipstaff.domain.session import SessionStatus
from tipstaff.enveloping import new_id
from tipstaff.errors import TezUpdated, UsageError
from tipstaff.hosting.asked_tezits import AskedTezits
from tipstaff.hosting.limits import in_force
from tipstaff.hosting.modes import check_interrogable
from tipstaff.hosting.published import Published, asked_as
from tipstaff.hosting.watermarks import NOTICE as WATERMARK_NOTICE
from tipstaff.hosting.watermarks import Watermarks
from tipstaff.records.audit_trail import append_to
from tipstaff.records.database import Records
from tipstaff.records.tables import SESSION
from tipstaff.session.audited import started
from tipstaff.session.directory import Directory
from tipstaff.session.event_log import write, written
from tipstaff.session.interrogations import Interrogations, made_for
from tipstaff.session.opening import (
    Opened,
    context_failure,
    limits_of,
    preference_warnings,
    response_tokens,
)
from tipstaff.session.rows import StoredSession, is_session, session_of, stored_exchanges
from tipstaff.session.session_settings import SessionSettings


class Choice(StrEnum):
    """TIP §8.4, 1: what to do when the tez has a newer version than the session."""

    RESUME_OLD = "resume_old"
    START_NEW = "start_new"

    @classmethod
    def of(cls, word: str) -> Choice:
        try:
            return cls(word)
        except ValueError:
            known = ", ".join(cls)
            raise UsageError(
                f"There is no choice '{word}'.", suggestion=f"There are: {known}."
            ) from None


@dataclass(kw_only=True)
class Initiation:
    records: Records
    tezits: AskedTezits
    directory: Directory
    interrogations: Interrogations
    authorization: Authorizes
    settings: SessionSettings
    defaults: HostingLimits
    watermarks: Watermarks
    now: Callable[[], float]

    async def begin(
        self,
        caller: Caller,
        tez_id: str,
        *,
        preferences: Mapping[str, Any],
        consent: Mapping[str, Any] | None,
        proceed_with_partial: bool,
    ) -> Opened:
        published = await self.tezits.describe(caller, tez_id)
        indexed = await self.tezits.opened(caller.tenant, tez_id, published.version)
        tenant, recipient = asked_as(caller, published)
        boundary = await boundary_of(
            indexed, self.authorization, tenant=tenant, recipient=recipient
        )
        if recipient is not None:
            check_interrogable(boundary.bundle)
        failure = await asyncio.to_thread(context_failure, boundary)
        if failure is not None and not proceed_with_partial:
            raise failure
        limits = in_force(boundary.bundle.hosting.limits, self.defaults)
        facts = {
            "title": "",
            "errors": [failure.code] if failure else [],
            "preferences": dict(preferences),
            "consent": dict(consent) if consent else None,
            "recipient": recipient,
            "origin": published.origin.to_wire() if published.origin else None,
            "model": indexed.settings.model,
            "max_response_tokens": response_tokens(preferences, limits),
            "proceed_with_partial": proceed_with_partial,
        }
        stored = await self._created(caller, published, boundary, facts)
        warnings = preference_warnings(preferences)
        if failure is not None:
            warnings.append(Notice(NoticeKind.DEGRADED_CONTEXT, failure.message))
        return await self._opened(stored, boundary, warnings)

    async def resume(
        self, caller: Caller, tez_id: str, session_id: str, choice: Choice | None
    ) -> Opened:
        """TIP §8.4: with the very same version, or with the recipient's choice of a new one."""
        published = await self.tezits.describe(caller, tez_id)
        stored = await self.directory.owned(caller, tez_id, session_id)
        if choice is Choice.START_NEW:
            return await self._again(caller, stored)
        if self.directory.status(stored) not in (SessionStatus.ACTIVE, SessionStatus.SUSPENDED):
            raise self.directory.expired(stored)
        if published.version != stored.tez_version and choice is None:
            raise TezUpdated(session_version=stored.tez_version, current_version=published.version)
        # Opened before the session is called active: a version that is gone cannot be resumed.
        indexed = await self.tezits.opened(caller.tenant, tez_id, stored.tez_version)
        stored = await self._woken(stored)
        boundary = await boundary_of(
            indexed,
            self.authorization,
            tenant=stored.asked_in,
            recipient=stored.facts.get("recipient"),
        )
        return await self._opened(stored, boundary, [])

    async def _again(self, caller: Caller, stored: StoredSession) -> Opened:
        """A new session with a clean state: nothing is carried over but the wishes."""
        return await self.begin(
            caller,
            stored.tez_id,
            preferences=stored.facts.get("preferences", {}),
            consent=stored.facts.get("consent"),
            proceed_with_partial=bool(stored.facts.get("proceed_with_partial")),
        )

    async def _created(
        self,
        caller: Caller,
        published: Published,
        boundary: GroundingBoundary,
        facts: dict[str, Any],
    ) -> StoredSession:
        """The session and its first two events (Enterprise §2.4, 1 and 2), or neither."""
        indexed = boundary.indexed
        began = self.now()
        stored = StoredSession(
            tenant=caller.tenant,
            session_id=new_id("tip-sess"),
            user=caller.user,
            tez_id=published.tez_id,
            tez_version=published.version,
            status=SessionStatus.ACTIVE,
            model=indexed.settings.model,
            initiated_at=began,
            last_activity_at=began,
            closed_at=None,
            query_count=0,
            input_tokens=0,
            output_tokens=0,
            last_event=0,
            facts=facts,
        )
        interrogation = await made_for(stored, indexed, boundary.grant)
        start, loaded = await asyncio.to_thread(interrogation.opening)
        start = replace(start, tez_id=stored.tez_id)
        stored = replace(
            stored,
            model=interrogation.model_name,
            facts={**facts, "items": list(loaded.indexed_items or ())},
        )
        async with self.records.writing(stored.tenant) as connection:
            stored = await self._tagged(connection, stored, boundary)
            await connection.execute(insert(SESSION).values(stored.values()))
            events = written((start, loaded), transparency=self.settings.transparency)
            await write(connection, stored.key, events)
            await append_to(connection, started(stored), now=began)
        await self.interrogations.keep(stored.key, interrogation, 0)
        return stored

    async def _tagged(
        self, connection: AsyncConnection, stored: StoredSession, boundary: GroundingBoundary
    ) -> StoredSession:
        """TIP §13.3.3: with the tag that its responses carry, if they are to carry any."""
        marks, recipient = self.watermarks, boundary.recipient
        if recipient is None or not marks.wanted(boundary.bundle):
            return stored
        tag = await marks.of_session(
            connection,
            tenant=stored.asked_in,
            user=recipient,
            session_id=stored.session_id,
            tez_id=stored.tez_id if stored.origin is None else stored.origin.tez_id,
        )
        return replace(stored, facts={**stored.facts, "watermark": tag})

    async def _woken(self, stored: StoredSession) -> StoredSession:
        now = self.now()
        async with self.records.writing(stored.tenant) as connection:
            done = await connection.execute(
                update(SESSION)
                .where(*is_session(stored.key))
                .where(SESSION.c.status.in_((SessionStatus.ACTIVE, SessionStatus.SUSPENDED)))
                .values(status=SessionStatus.ACTIVE, last_activity_at=now)
                .returning(*SESSION.c)
            )
            row = done.mappings().first()
        if row is None:
            # It was closed or erased meanwhile.
            raise self.directory.expired(replace(stored, status=SessionStatus.CLOSED))
        return session_of(row)

    async def _opened(
        self, stored: StoredSession, boundary: GroundingBoundary, warnings: Sequence[Notice]
    ) -> Opened:
        limits = in_force(boundary.bundle.hosting.limits, self.defaults)
        async with self.records.reading(stored.tenant) as connection:
            exchanges = await stored_exchanges(connection, stored.key)
        history = [entry for exchange in exchanges for entry in exchange.told()]
        if stored.watermark is not None:
            warnings = [*warnings, Notice(NoticeKind.WATERMARK, WATERMARK_NOTICE)]
        return Opened(
            session=stored.described(stored.status, history),
            boundary=boundary,
            limits=limits_of(limits, self.settings),
            warnings=tuple(warnings),
        )
