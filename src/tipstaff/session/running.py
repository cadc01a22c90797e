"""One query at work, in a task of its own: it waits for its turn, appends its events to the log of
its session, and ends well or badly.

Queries of one session wait for each other in line: a follow-up leans on the answer before it.
"""

from __future__ import annotations

import asyncio
import logging
import traceback
from collections import Counter
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import AsyncExitStack, aclosing, asynccontextmanager
from dataclasses import dataclass, field, replace

from tipstaff.asking import Interrogation
from tipstaff.domain.caller import Caller
from tipstaff.domain.events import Event, ResponseEnd, Token
from tipstaff.domain.response import Notice, NoticeKind, ResponseEnvelope, Usage
from tipstaff.domain.retrieval import RetrievalOptions
from tipstaff.embed.hosted import Hosted
from tipstaff.errors import (
    GenerationFailed,
    InternalError,
    QueryTimeout,
    RateLimited,
    TipstaffError,
)
from tipstaff.hosting.limits import Remaining
from tipstaff.hosting.watermarks import Watermarks
from tipstaff.session.audited import search_of
from tipstaff.session.capacity import Admission, Capacity
from tipstaff.session.ending import Answered, Endings
from tipstaff.session.event_log import EventLog, written
from tipstaff.session.interrogations import Interrogations
from tipstaff.session.presence import Presence
from tipstaff.session.rows import StoredSession
from tipstaff.session.session_settings import SessionSettings
from tipstaff.session.signals import SessionKey, Signals
from tipstaff.tokens import count_tokens
from tipstaff.watermark.text_marks import TextMarker, marked_text

_LOG = logging.getLogger("tipstaff.session")
# How many events of a query may be on their way to the log before it waits for them.
_ON_THEIR_WAY = 64
_DEGRADED = (
    "The server is at capacity: this answer was made without language model and reader, and may "
    "miss what they would have found."
)
_SHORTENED = "Follow-up questions lean on the last {} exchanges of this session only."


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """A query that was admitted, with its place in the budget."""

    caller: Caller
    session: StoredSession
    query_id: str
    text: str
    asked_at: float
    admission: Admission
    remaining: Remaining
    options: RetrievalOptions | None = None
    notices: tuple[Notice, ...] = ()

    @property
    def key(self) -> SessionKey:
        return self.session.key


@dataclass(kw_only=True)
class Run:
    """A query under way. `first_event` is the number from which on its events may stand in the
    log; the first query of a session has the session's own before it."""

    query: Query
    first_event: int
    _presence: Presence
    _result: asyncio.Future[ResponseEnvelope]
    _task: asyncio.Task[None] | None = None
    _started: bool = False
    _why: TipstaffError | None = None
    _left: bool = False
    _may_be_cancelled: bool = True
    # TIP §13.3.3: what marks its words, if they are to be marked.
    _code: bytes | None = None
    _marker: TextMarker | None = None
    _words: list[str] = field(default_factory=list)
    _on_their_way: list[asyncio.Future[None]] = field(default_factory=list)

    @property
    def query_id(self) -> str:
        return self.query.query_id

    @property
    def remaining(self) -> Remaining:
        """What its recipient has left behind it."""
        return self.query.remaining

    async def envelope(self) -> ResponseEnvelope:
        """The response; whoever waits for it is listening. An error is raised."""
        with self._presence.listening(self.query.key):
            return await asyncio.shield(self._result)

    def cancel(self, why: TipstaffError, *, by_recipient: bool) -> None:
        """Unless its last transaction has begun: then it ends as it ends."""
        if self._may_be_cancelled and self._why is None:
            self._why = why
            self._left = by_recipient
            # A task that is cancelled before its first step would not even end its query.
            if self._task is not None and self._started:
                self._task.cancel()

    async def ended(self) -> None:
        if self._task is not None:
            await asyncio.wait((self._task,))


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
        run = Run(query=query, first_event=first_event, _presence=self.presence, _result=result)
        self._runs[query.query_id] = run
        run._task = asyncio.create_task(self._run(run))
        return run

    def of(self, key: SessionKey | None = None) -> list[Run]:
        """What is under way, in one session or in all."""
        return [run for run in self._runs.values() if key is None or run.query.key == key]

    async def idle(self, key: SessionKey | None = None) -> None:
        """When nothing is under way any more."""
        while runs := self.of(key):
            await runs[0].ended()

    async def _run(self, run: Run) -> None:
        run._started = True
        key = run.query.key
        # The turn is held until the end is written down, well or badly: queries do not mingle.
        async with AsyncExitStack() as turn:
            try:
                run._result.set_result(await self._answered(run, turn))
            except asyncio.CancelledError:
                if run._why is None:
                    # Not ours: the whole program stops. The next start ends this query.
                    run._result.cancel()
                    raise
                await self._failed(run, run._why)
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
        run._may_be_cancelled = False
        try:
            # What was said before must not come after the error.
            await asyncio.gather(*run._on_their_way, return_exceptions=True)
            await self.endings.badly(
                query.key,
                query.query_id,
                problem,
                after_words=bool(run._words),
                taken=_taken(run) if run._left else None,
            )
        except Exception as another:
            # The records are out of reach: the next start ends this query.
            _tell(another, run.query_id)
        finally:
            run._result.set_exception(problem)

    async def _answered(self, run: Run, turn: AsyncExitStack) -> ResponseEnvelope:
        query = run.query
        if run._why is not None:
            raise run._why
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
                run._code = self.watermarks.code_of(stored.watermark)
                run._marker = TextMarker(run._code)
            interrogation.retrieve_with(query.options)
            limits = (stored.facts["max_response_tokens"], query.remaining.granted_tokens)
            interrogation.say_at_most(min((one for one in limits if one is not None), default=None))
            events = await held.enter_async_context(aclosing(interrogation.events(query.text)))
            # That it was taken up is told before it waits for a place among those at work.
            self._log(run, await anext(events))
            async with self._patience(patience.when()):
                await turn.enter_async_context(self.capacity.slot(query.admission))
            end = _marked(await self._told(run, events), run._code)
            run._may_be_cancelled = False
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
                        await asyncio.gather(*run._on_their_way)
                        return event
                    self._log(run, event)
                    if len(run._on_their_way) >= _ON_THEIR_WAY:
                        await asyncio.gather(*run._on_their_way)
                        run._on_their_way.clear()
        except TimeoutError:
            if limit.expired():
                # TIP §14.5
                raise QueryTimeout(timeout_seconds=round(limit_s)) from None
            raise
        raise RuntimeError("a stream ended without its response")

    def _log(self, run: Run, event: Event) -> None:
        if isinstance(event, Token):
            run._words.append(event.delta)
            if run._marker is not None:
                event = replace(event, delta=run._marker.marked(event.delta))
        query, transparency = run.query, self.settings.transparency
        new = written([event], transparency=transparency, query_id=query.query_id)
        if new:
            run._on_their_way.append(self.log.append(query.key, new))

    def _notices(self, query: Query, stored: StoredSession) -> list[Notice]:
        notices = []
        if query.admission.degraded:
            notices.append(Notice(NoticeKind.FALLBACK_MODEL, _DEGRADED))
        if stored.query_count > self.settings.history_exchanges:
            told = _SHORTENED.format(self.settings.history_exchanges)
            notices.append(Notice(NoticeKind.HISTORY_TRUNCATED, told))
        return notices


def _marked(end: ResponseEnd, code: bytes | None) -> ResponseEnd:
    """The one response object has the marks that its stream had."""
    if code is None or end.envelope is None:
        return end
    response = end.envelope.response
    response = replace(response, text=marked_text(response.text, code))
    return replace(end, envelope=replace(end.envelope, response=response))


def _taken(run: Run) -> Usage | None:
    """What whoever has left took along. To read the words and leave before the end is no way
    around a budget."""
    if not run._words:
        return None
    return Usage(
        input_tokens=count_tokens(run.query.text), output_tokens=count_tokens("".join(run._words))
    )


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
