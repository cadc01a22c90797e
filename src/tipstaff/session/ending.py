"""How a query ends: well, or badly; in one transaction each, and only once.

Killed before that transaction the query never was; killed after it, it is there with all that
belongs to it (decision 12, item 4).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import delete, insert, update
from sqlalchemy.ext.asyncio import AsyncConnection

from tipstaff.domain.caller import Caller
from tipstaff.domain.events import ResponseEnd
from tipstaff.domain.response import Notice, ResponseEnvelope, SessionUsage, Usage
from tipstaff.domain.wire import to_wire
from tipstaff.errors import GenerationFailed, TipstaffError
from tipstaff.hosting.ledger import Ledger
from tipstaff.hosting.query_log import QueryLog
from tipstaff.hosting.watermarks import Watermarks
from tipstaff.records.audit_trail import append_to
from tipstaff.records.database import Records
from tipstaff.records.tables import ASKED, EXCHANGE, SESSION
from tipstaff.retrieve.exposure import exposed_response
from tipstaff.session.audited import Search, answered, failed
from tipstaff.session.directory import no_such_session
from tipstaff.session.event_log import write, written
from tipstaff.session.rows import StoredSession, is_session, stored_session
from tipstaff.session.signals import SessionKey
from tipstaff.streaming import error_event

# TIP §8.2's `errors`: the last ones are enough to see what is wrong.
_KEPT_ERRORS = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """Everything that a finished exchange leaves behind."""

    caller: Caller
    session: StoredSession
    query_id: str
    query: str
    understood: str
    end: ResponseEnd
    asked_at: float
    answered_at: float
    remaining_queries: int | None
    notices: tuple[Notice, ...]
    search: Search
    embedding_tokens: int = 0

    @property
    def key(self) -> SessionKey:
        return self.session.key

    @property
    def consent(self) -> Mapping[str, Any] | None:
        agreed: Mapping[str, Any] | None = self.session.facts.get("consent")
        return agreed


@dataclass(frozen=True, slots=True, kw_only=True)
class Endings:
    records: Records
    ledger: Ledger
    query_log: QueryLog
    watermarks: Watermarks
    transparency: str
    now: Callable[[], float] = time.time

    async def well(self, done: Answered) -> ResponseEnvelope:
        """The exchange, the session's counts, the settled reservation and `tip.response.end`."""
        if done.end.envelope is None:
            raise RuntimeError("a stream ended without its response")
        async with self.records.writing(done.key.tenant) as connection:
            if not await _removed(connection, done.key.tenant, done.query_id):
                # It was given up by whoever took this server for dead.
                raise GenerationFailed("The query was given up.", suggestion="Ask again.")
            session = await self._counted(connection, done)
            envelope = replace(
                done.end.envelope,
                query_id=done.query_id,
                session=session,
                notices=(*done.end.envelope.notices, *done.notices),
            )
            await self._recorded(connection, done, envelope)
            end = replace(done.end, envelope=envelope, notices=envelope.notices)
            events = written([end], transparency=self.transparency, query_id=done.query_id)
            await write(connection, done.key, events)
            await self.ledger.settle(
                connection,
                done.query_id,
                tenant=done.key.tenant,
                usage=envelope.usage,
                model=envelope.model,
                classification=str(envelope.response.classification),
                embedding_tokens=done.embedding_tokens,
            )
            bodies = answered(done.session, done.caller, envelope, done.search)
            await append_to(connection, bodies, now=done.answered_at)
        return envelope

    async def badly(
        self,
        key: SessionKey,
        query_id: str,
        problem: TipstaffError,
        *,
        after_words: bool,
        taken: Usage | None = None,
    ) -> None:
        """The reservation is given back behind the row's removal, in one transaction with it: a
        query that another instance is just ending well is paid for. `taken`: a recipient who left
        on their own has used it after all."""
        async with self.records.writing(key.tenant) as connection:
            removed = await _removed(connection, key.tenant, query_id)
            if taken is None or not removed:
                await self.ledger.give_back(key.tenant, query_id, connection)
            if not removed:
                return
            if taken is not None:
                await self.ledger.settle(
                    connection,
                    query_id,
                    tenant=key.tenant,
                    usage=taken,
                    model="",
                    classification="",
                )
            told = error_event(problem, after_words=after_words)
            events = written([told], transparency=self.transparency, query_id=query_id)
            if await write(connection, key, events) is None:
                return
            # The row is ours since its events were counted, so that nobody changes it meanwhile.
            stored = await stored_session(connection, key)
            if stored is not None:
                errors = [*stored.facts.get("errors", ()), problem.code][-_KEPT_ERRORS:]
                await connection.execute(
                    update(SESSION)
                    .where(*is_session(key))
                    .values(facts={**stored.facts, "errors": errors})
                )
                bodies = failed(stored, query_id, problem)
                await append_to(connection, bodies, now=self.now())

    async def _counted(self, connection: AsyncConnection, done: Answered) -> SessionUsage:
        usage = done.end.envelope.usage if done.end.envelope else None
        into, out = (usage.input_tokens, usage.output_tokens) if usage else (0, 0)
        counted = await connection.execute(
            update(SESSION)
            .where(*is_session(done.key))
            .values(
                query_count=SESSION.c.query_count + 1,
                input_tokens=SESSION.c.input_tokens + into,
                output_tokens=SESSION.c.output_tokens + out,
                last_activity_at=done.answered_at,
            )
            .returning(SESSION.c.query_count, SESSION.c.input_tokens, SESSION.c.output_tokens)
        )
        row = counted.one_or_none()
        if row is None:
            raise no_such_session()
        return SessionUsage(
            session_id=done.key.session_id,
            query_count=row.query_count,
            input_tokens=row.input_tokens,
            output_tokens=row.output_tokens,
            total_tokens_used=row.input_tokens + row.output_tokens,
            remaining_queries=done.remaining_queries,
        )

    async def _recorded(
        self, connection: AsyncConnection, done: Answered, envelope: ResponseEnvelope
    ) -> None:
        await connection.execute(
            insert(EXCHANGE).values(
                tenant=done.key.tenant,
                session_id=done.key.session_id,
                number=envelope.session.query_count,
                query_id=done.query_id,
                query=done.query,
                understood=done.understood,
                envelope=exposed_response(to_wire(envelope), self.transparency),
                asked_at=done.asked_at,
                answered_at=done.answered_at,
            )
        )
        if (tag := done.session.watermark) is not None:
            await self.watermarks.remember(
                connection,
                tenant=done.session.asked_in,
                tag=tag,
                session_id=done.key.session_id,
                query_id=done.query_id,
                said=envelope.response.text,
            )
        if done.consent is not None:
            await self.query_log.log(
                connection,
                caller=done.caller,
                tez_id=done.session.tez_id,
                session_id=done.key.session_id,
                query_id=done.query_id,
                query=done.query,
                response=envelope.response.text,
                consent=done.consent,
            )


async def _removed(connection: AsyncConnection, tenant: str, query_id: str) -> bool:
    removed = await connection.execute(
        delete(ASKED).where(ASKED.c.tenant == tenant, ASKED.c.query_id == query_id)
    )
    return removed.rowcount == 1
