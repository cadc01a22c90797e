"""QUERY (TIP §8.1.2): what a query has to pass before it is taken up.

In this order: it is well formed, the tez is there for the caller, the session is theirs and takes
queries, there is room, there is budget. What fails here leaves nothing behind; what passes has a
row in `asked`, which whoever ends the query removes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from sqlalchemy import delete, insert, select, update

from tipstaff.asking import check_not_empty
from tipstaff.domain.caller import Caller
from tipstaff.domain.response import Notice, NoticeKind
from tipstaff.domain.retrieval import RetrievalOptions
from tipstaff.domain.session import SessionStatus
from tipstaff.enveloping import new_id
from tipstaff.errors import LimitError, MalformedQuery, RateLimited
from tipstaff.hosting.asked_tezits import AskedTezits
from tipstaff.hosting.ledger import Ledger
from tipstaff.hosting.limit_notes import LimitNotes
from tipstaff.hosting.limits import Remaining
from tipstaff.hosting.modes import download_permitted
from tipstaff.records.audit_trail import append_to
from tipstaff.records.database import Records
from tipstaff.records.tables import ASKED, SESSION
from tipstaff.session.audited import limited
from tipstaff.session.directory import Directory
from tipstaff.session.rows import StoredSession, is_session, session_of
from tipstaff.session.run import Query, Run
from tipstaff.session.running import Runner
from tipstaff.session.session_settings import SessionSettings
from tipstaff.tokens import count_tokens
from tipstaff.watermark.text_marks import without_marks

# `tip.session.start` and `tip.context.loaded` stand before the first query of a session.
_OPENING_EVENTS = 2


@dataclass(kw_only=True)
class Admitting:
    records: Records
    tezits: AskedTezits
    ledger: Ledger
    directory: Directory
    runner: Runner
    settings: SessionSettings
    holder: str
    now: Callable[[], float]
    limit_notes: LimitNotes = field(default_factory=LimitNotes)

    async def ask(
        self,
        caller: Caller,
        tez_id: str,
        session_id: str,
        text: str,
        *,
        options: RetrievalOptions | None,
    ) -> Run:
        # Words that were copied from an answer are asked about, not their marks.
        text = without_marks(text)
        check_query(text, most_tokens=self.settings.max_query_tokens)
        published = await self.tezits.describe(caller, tez_id)
        stored = await self.directory.owned(caller, tez_id, session_id)
        if self.directory.status(stored) is not SessionStatus.ACTIVE:
            raise self.directory.expired(stored)
        query_id = new_id("query")
        try:
            admission = self.runner.admit(stored.key)
        except LimitError as problem:
            await self._noted(stored, problem)
            raise
        try:
            stored, first_event = await self._taken_up(stored, query_id)
            remaining = await self._reserved(caller, stored, query_id)
        except BaseException as problem:
            self.runner.left(stored.key)
            if isinstance(problem, LimitError):
                await self._noted(stored, problem)
            raise
        query = Query(
            caller=caller,
            session=stored,
            query_id=query_id,
            text=text,
            asked_at=self.now(),
            admission=admission,
            remaining=remaining,
            options=options,
            notices=_newer(published.version, stored.tez_version),
        )
        return self.runner.start(query, first_event=first_event)

    async def _noted(self, stored: StoredSession, problem: LimitError) -> None:
        now = self.now()
        told = self.limit_notes.due(problem, now, stored.tenant, stored.user, stored.tez_id)
        if told is not None:
            async with self.records.writing(stored.tenant) as connection:
                await append_to(connection, limited(stored, told), now=now)

    async def _taken_up(self, stored: StoredSession, query_id: str) -> tuple[StoredSession, int]:
        """A row that says so; from here on a killed server's successor ends it."""
        key, now = stored.key, self.now()
        async with self.records.writing(stored.tenant) as connection:
            # Whoever else takes up a query of this session waits here.
            touched = await connection.execute(
                update(SESSION)
                .where(*is_session(key))
                .where(SESSION.c.status == SessionStatus.ACTIVE)
                .where(SESSION.c.last_activity_at >= now - self.settings.timeout_s)
                .values(last_activity_at=now)
                .returning(*SESSION.c)
            )
            row = touched.mappings().first()
            if row is None:
                raise self.directory.expired(stored)
            others = (
                await connection.scalars(
                    select(ASKED.c.holder).where(
                        ASKED.c.tenant == key.tenant, ASKED.c.session_id == key.session_id
                    )
                )
            ).all()
            if set(others) - {self.holder}:
                raise RateLimited(
                    scope="session",
                    limit="another server is answering a query of this session",
                    retry_after_seconds=1,
                )
            await connection.execute(
                insert(ASKED).values(
                    tenant=key.tenant,
                    query_id=query_id,
                    session_id=key.session_id,
                    at=now,
                    holder=self.holder,
                )
            )
        current = session_of(row)
        is_first = current.last_event == _OPENING_EVENTS and not others
        return current, 1 if is_first else current.last_event + 1

    async def _reserved(self, caller: Caller, stored: StoredSession, query_id: str) -> Remaining:
        indexed = await self.tezits.opened(stored.tenant, stored.tez_id, stored.tez_version)
        hosting = indexed.opened.bundle.hosting
        try:
            return await self.ledger.reserve(
                caller,
                tez_id=stored.tez_id,
                session_id=stored.session_id,
                query_id=query_id,
                limits=hosting.limits,
                download_permitted=download_permitted(hosting),
            )
        except BaseException:
            async with self.records.writing(stored.tenant) as connection:
                await connection.execute(
                    delete(ASKED).where(
                        ASKED.c.tenant == stored.tenant, ASKED.c.query_id == query_id
                    )
                )
            raise


def check_query(text: str, *, most_tokens: int) -> None:
    """TIP §14.4: what cannot be a question is refused with the reason."""
    check_not_empty(text)
    tokens = count_tokens(text)
    if tokens > most_tokens:
        raise MalformedQuery(
            f"Query exceeds maximum length of {most_tokens} tokens (received: {tokens} tokens).",
            suggestion="Please shorten your query or break it into multiple questions.",
        )


def _newer(published: int, bound: int) -> tuple[Notice, ...]:
    """TIP §8.4: a session stays with its version; that there is a newer one is said."""
    if published == bound:
        return ()
    told = f"The tez has a newer version ({published}); this session stays with version {bound}."
    return (Notice(NoticeKind.VERSION, told),)
