"""Queries at work, each in a task of its own: it waits for its turn, appends its events to the log
of its session, and ends well or badly.

Queries of one session wait for each other in line: a follow-up leans on the answer before it.
"""

from __future__ import annotations

import asyncio
import logging
import traceback
from collections import Counter
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import AsyncExitStack, aclosing, asynccontextmanager
from dataclasses import dataclass, field

from tipstaff.asking import Interrogation
from tipstaff.domain.events import Event, ResponseEnd
from tipstaff.domain.response import Notice, NoticeKind, ResponseEnvelope
from tipstaff.embed.hosted import Hosted
from tipstaff.errors import (
    GenerationFailed,
    InternalError,
    QueryTimeout,
    RateLimited,
    TipstaffError,
)
from tipstaff.hosting.watermarks import Watermarks
from tipstaff.session.audited import search_of
from tipstaff.session.capacity import Admission, Capacity
from tipstaff.session.ending import Answered, Endings
from tipstaff.session.event_log import EventLog, written
from tipstaff.session.interrogations import Interrogations
from tipstaff.session.presence import Presence
from tipstaff.session.rows import StoredSession
from tipstaff.session.run import Query, Run
from tipstaff.session.session_settings import SessionSettings
from tipstaff.session.signals import SessionKey, Signals
from tipstaff.tokens import count_tokens

_LOG = logging.getLogger("tipstaff.session")
# How many events of a query may be on their way to the log before it waits for them.
_ON_THEIR_WAY = 64
_DEGRADED = (
    "The server is at capacity: this answer was made without language model and reader, and may "
    "miss what they would have found."
)
_SHORTENED = "Follow-up questions lean on the last {} exchanges of this session only."


@dataclass(kw_only=True)
class Runner:
    log: EventLog
    signals: Signals
    presence: Presence
    capacity: Capacity
    endings: Endings
    interrogations: Interrogations
    settings: SessionSettings
    watermarks: Watermarks
    now: Callable[[], float]
    _runs: dict[str, Run] = field(default_factory=dict)
    _turns: dict[SessionKey, asyncio.Lock] = field(default_factory=dict)
    _under_way: Counter[SessionKey] = field(default_factory=Counter)

    def admit(self, key: SessionKey) -> Admission:
        """A place in the session's line and in the server's; `left` gives both back."""
        if self._under_way[key] >= self.settings.session_queries:
            raise RateLimited(
                scope="session",
                limit=f"{self._under_way[key]} queries of this session are under way",
                retry_after_seconds=1,
            )
        admission = self.capacity.admit()
        self._under_way[key] += 1
        self._turns.setdefault(key, asyncio.Lock())
        return admission

    def left(self, key: SessionKey) -> None:
        self.capacity.leave()
        self._under_way[key] -= 1
        if not self._under_way[key]:
            del self._under_way[key], self._turns[key]

    def start(self, query: Query, *, first_event: int) -> Run:
        result: asyncio.Future[ResponseEnvelope] = asyncio.get_running_loop().create_future()
        # Who reads the stream never asks for the result: its error is in the log.
        result.add_done_callback(lambda one: one.cancelled() or one.exception())
        run = Run(query=query, first_event=first_event, presence=self.presence, result=result)
        self._runs[query.query_id] = run
        run.task = asyncio.create_task(self._run(run))
        return run

    def of(self, key: SessionKey | None = None) -> list[Run]:
        """What is under way, in one session or in all."""
        return [run for run in self._runs.values() if key is None or run.query.key == key]

    async def idle(self, key: SessionKey | None = None) -> None:
        """When nothing is under way any more."""
        while runs := self.of(key):
            await runs[0].ended()

    async def _run(self, run: Run) -> None:
        run.has_started = True
        key = run.query.key
        # The turn is held until the end is written down, well or badly: queries do not mingle.
        async with AsyncExitStack() as turn:
            try:
                run.result.set_result(await self._answered(run, turn))
            except asyncio.CancelledError:
                if run.why is None:
                    # Not ours: the whole program stops. The next start ends this query.
                    run.result.cancel()
                    raise
                await self._failed(run, run.why)
            except TipstaffError as problem:
                await self._failed(run, problem)
            except Exception as problem:
                _tell(problem, run.query_id)
                await self._failed(run, InternalError("The query could not be answered."))
            finally:
                del self._runs[run.query_id]
                self.left(key)
        await self.signals.tell((key,))

    async def _failed(self, run: Run, problem: TipstaffError) -> None:
        query = run.query
        # It ends as it ends: whoever cancels it now must not cut its ending short.
        run.is_ending = True
        try:
            # What was said before must not come after the error.
            await asyncio.gather(*run.on_their_way, return_exceptions=True)
            await self.endings.badly(
                query.key,
                query.query_id,
                problem,
                after_words=run.has_spoken,
                taken=run.taken(),
            )
        except Exception as another:
            # The records are out of reach: the next start ends this query.
            _tell(another, run.query_id)
        finally:
            run.result.set_exception(problem)

    async def _answered(self, run: Run, turn: AsyncExitStack) -> ResponseEnvelope:
        query = run.query
        if run.why is not None:
            raise run.why
        async with self._patience() as patience:
            await turn.enter_async_context(self._turns[query.key])
        async with AsyncExitStack() as held:
            held.enter_context(
                self.presence.watched(query.key, lambda: run.cancel(_deserted(), by_recipient=True))
            )
            interrogation, stored = await held.enter_async_context(
                self.interrogations.taken(query.key, degraded=query.admission.degraded)
            )
            if stored.watermark is not None:
                run.mark_with(self.watermarks.code_of(stored.watermark))
            interrogation.retrieve_with(query.options)
            limits = (stored.facts["max_response_tokens"], query.remaining.granted_tokens)
            interrogation.say_at_most(min((one for one in limits if one is not None), default=None))
            events = await held.enter_async_context(aclosing(interrogation.events(query.text)))
            # That it was taken up is told before it waits for a place among those at work.
            self._log(run, await anext(events))
            async with self._patience(patience.when()):
                await turn.enter_async_context(self.capacity.slot(query.admission))
            end = run.marked(await self._told(run, events))
            run.is_ending = True
            return await self.endings.well(
                Answered(
                    caller=query.caller,
                    session=stored,
                    query_id=query.query_id,
                    query=query.text,
                    understood=interrogation.last_understood,
                    end=end,
                    asked_at=query.asked_at,
                    answered_at=self.now(),
                    remaining_queries=query.remaining.queries,
                    notices=(*query.notices, *self._notices(query, stored)),
                    search=search_of(interrogation, transparency=self.settings.transparency),
                    embedding_tokens=_embedded(interrogation),
                )
            )

    @asynccontextmanager
    async def _patience(self, until: float | None = None) -> AsyncIterator[asyncio.Timeout]:
        """How long a query waits in all, for its session's turn and for a place."""
        until = until or asyncio.get_running_loop().time() + self.settings.waiting_s
        try:
            async with asyncio.timeout_at(until) as patience:
                yield patience
        except TimeoutError:
            if patience.expired():
                raise self.capacity.waited_too_long() from None
            raise

    async def _told(self, run: Run, events: AsyncGenerator[Event, None]) -> ResponseEnd:
        """Every event but the last goes to the log as it comes."""
        limit_s = self.settings.query_timeout_s
        try:
            async with asyncio.timeout(limit_s) as limit:
                async for event in events:
                    if isinstance(event, ResponseEnd):
                        await asyncio.gather(*run.on_their_way)
                        return event
                    self._log(run, event)
                    if len(run.on_their_way) >= _ON_THEIR_WAY:
                        await asyncio.gather(*run.on_their_way)
                        run.on_their_way.clear()
        except TimeoutError:
            if limit.expired():
                # TIP §14.5
                raise QueryTimeout(timeout_seconds=round(limit_s)) from None
            raise
        raise RuntimeError("a stream ended without its response")

    def _log(self, run: Run, event: Event) -> None:
        query, transparency = run.query, self.settings.transparency
        new = written([run.said(event)], transparency=transparency, query_id=query.query_id)
        if new:
            run.on_their_way.append(self.log.append(query.key, new))

    def _notices(self, query: Query, stored: StoredSession) -> list[Notice]:
        notices = []
        if query.admission.degraded:
            notices.append(Notice(NoticeKind.FALLBACK_MODEL, _DEGRADED))
        if stored.query_count > self.settings.history_exchanges:
            told = _SHORTENED.format(self.settings.history_exchanges)
            notices.append(Notice(NoticeKind.HISTORY_TRUNCATED, told))
        return notices


def _embedded(interrogation: Interrogation) -> int:
    """Enterprise §6.5: tokens that an embedder elsewhere was given; one in this process bills
    none."""
    if not isinstance(interrogation.indexed.embedder, Hosted):
        return 0
    return sum(
        count_tokens(text)
        for done in interrogation.searches
        for text in (done.query, *done.sub_queries)
    )


def _deserted() -> TipstaffError:
    return GenerationFailed(
        "The query was cancelled: nobody was listening any more.", suggestion="Ask again."
    )


def _tell(problem: Exception, query_id: str) -> None:
    """For the operator: where it happened. Its words may be a recipient's, and stay out."""
    places = traceback.extract_tb(problem.__traceback__)
    where = " < ".join(f"{place.name}:{place.lineno}" for place in reversed(places[-4:]))
    _LOG.error("query %s failed: %s in %s", query_id, type(problem).__name__, where)
