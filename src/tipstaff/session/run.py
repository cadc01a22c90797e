"""A query that was admitted, and the query under way: what it has said so far, and how it may still
be cancelled. Whoever asked holds it; `running.py` makes it run."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field, replace

from tipstaff.domain.caller import Caller
from tipstaff.domain.events import Event, ResponseEnd, Token
from tipstaff.domain.response import Notice, ResponseEnvelope, Usage
from tipstaff.domain.retrieval import RetrievalOptions
from tipstaff.errors import TipstaffError
from tipstaff.hosting.limits import Remaining
from tipstaff.session.capacity import Admission
from tipstaff.session.presence import Presence
from tipstaff.session.rows import StoredSession
from tipstaff.session.signals import SessionKey
from tipstaff.tokens import count_tokens
from tipstaff.watermark.text_marks import TextMarker, marked_text


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
    presence: Presence
    result: asyncio.Future[ResponseEnvelope]
    task: asyncio.Task[None] | None = None
    has_started: bool = False
    # Set with its last transaction: then it ends as it ends.
    is_ending: bool = False
    # Why it was cancelled, and whether its recipient did it.
    why: TipstaffError | None = None
    by_recipient: bool = False
    # What it appended to the log and is not yet written down.
    on_their_way: list[asyncio.Future[None]] = field(default_factory=list)
    _words: list[str] = field(default_factory=list)
    # TIP §13.3.3: what marks its words, if they are to be marked.
    _code: bytes | None = None
    _marker: TextMarker | None = None

    @property
    def query_id(self) -> str:
        return self.query.query_id

    @property
    def remaining(self) -> Remaining:
        """What its recipient has left behind it."""
        return self.query.remaining

    @property
    def has_spoken(self) -> bool:
        return bool(self._words)

    async def envelope(self) -> ResponseEnvelope:
        """The response; whoever waits for it is listening. An error is raised."""
        with self.presence.listening(self.query.key):
            return await asyncio.shield(self.result)

    def cancel(self, why: TipstaffError, *, by_recipient: bool) -> None:
        if not self.is_ending and self.why is None:
            self.why = why
            self.by_recipient = by_recipient
            # A task that is cancelled before its first step would not even end its query.
            if self.task is not None and self.has_started:
                self.task.cancel()

    async def ended(self) -> None:
        if self.task is not None:
            await asyncio.wait((self.task,))

    def mark_with(self, code: bytes) -> None:
        self._code, self._marker = code, TextMarker(code)

    def said(self, event: Event) -> Event:
        """The event as it is told: its words are remembered, and marked."""
        if not isinstance(event, Token):
            return event
        self._words.append(event.delta)
        if self._marker is None:
            return event
        return replace(event, delta=self._marker.marked(event.delta))

    def marked(self, end: ResponseEnd) -> ResponseEnd:
        """The one response object has the marks that its stream had."""
        if self._code is None or end.envelope is None:
            return end
        response = end.envelope.response
        response = replace(response, text=marked_text(response.text, self._code))
        return replace(end, envelope=replace(end.envelope, response=response))

    def taken(self) -> Usage | None:
        """What whoever has left took along. To read the words and leave before the end is no way
        around a budget."""
        if not self.by_recipient or not self._words:
            return None
        return Usage(
            input_tokens=count_tokens(self.query.text),
            output_tokens=count_tokens("".join(self._words)),
        )
