"""A response as the events of a stream (Enterprise §2), in §2.4's order.

Words leave in groups of a few; a citation is told before the words that carry its mark. Joined
again, the words are the response's text, letter by letter.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncGenerator, AsyncIterator, Iterable, Iterator
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Any

from tipstaff.citation.grammar import parse_citations
from tipstaff.domain.events import (
    CitationVerified,
    Event,
    Heartbeat,
    ResponseEnd,
    RetrievalChunk,
    StreamError,
    Token,
    TokensUsed,
)
from tipstaff.domain.response import CheckedCitation, ResponseEnvelope
from tipstaff.domain.retrieval import Retrieval
from tipstaff.domain.wire import to_wire
from tipstaff.enveloping import now
from tipstaff.errors import STREAM_CODE, LimitError, ServiceError, TipstaffError
from tipstaff.retrieve.exposure import ALL, NONE, exposed, exposed_response

# Enterprise §2.3.5: groups of one to five. A mark is never cut, a very long word is.
_GROUP = 4
_WORD = re.compile(r"\s*\S{1,40}|\s+$")
# What clients and proxies between take for a live connection.
HEARTBEAT_S = 15.0
_INCOMPLETE = " What was said before this is incomplete."
# The names under which exposure knows the fields of a chunk event.
_CHUNK_FIELDS = {"chunk_id": "chunk_id", "score": "hybrid_score", "tokens": "chunk_tokens"}


@dataclass(slots=True)
class Telling:
    """What has been told of one response: its text so far, and which citations."""

    text: str = ""
    _known: dict[str, CheckedCitation] = field(default_factory=dict)
    _told: dict[str, CheckedCitation] = field(default_factory=dict)

    def say(self, text: str, citations: Iterable[CheckedCitation]) -> Iterator[Event]:
        """Some more words, each citation before the words with its mark."""
        for citation in citations:
            self._known.setdefault(citation.reference, citation)
        marks = _marks(text)
        position = 0
        for group in word_groups(text):
            position += len(group)
            while marks and marks[0][0] < position:
                _, written, named = marks.pop(0)
                for reference in self._known:
                    if reference in named or reference in written:
                        yield from self._cite(reference)
            self.text += group
            yield Token(group)

    def end(self, envelope: ResponseEnvelope) -> Iterator[Event]:
        """What of a finished response was not told yet, then its end."""
        response = envelope.response
        if not response.text.startswith(self.text):
            raise RuntimeError("words were released that the response does not have")
        yield from self.say(response.text[len(self.text) :], response.citations)
        for reference in self._known:
            yield from self._cite(reference)
        usage = envelope.usage
        yield ResponseEnd(
            classification=response.classification,
            confidence=response.confidence,
            citation_count=sum(citation.verified for citation in self._told.values()),
            timestamp=now(),
            tokens_used=TokensUsed(
                prompt=usage.input_tokens,
                completion=usage.output_tokens,
                total=usage.input_tokens + usage.output_tokens,
            ),
            retrieval_summary=envelope.retrieval_summary,
            context_scope=envelope.context_scope,
            notices=envelope.notices,
            envelope=envelope,
        )

    def _cite(self, reference: str) -> Iterator[Event]:
        if reference in self._told or reference not in self._known:
            return
        citation = self._told[reference] = self._known[reference]
        yield CitationVerified(
            item_id=citation.item_id,
            verified=citation.verified,
            timestamp=now(),
            location=citation.location or None,
            text_excerpt=citation.text_excerpt,
            citation_index=len(self._told),
            retrieval=citation.retrieval,
        )


def _marks(text: str) -> list[tuple[int, str, set[str]]]:
    """Where each mark begins, as it is written, and what it names."""
    return [
        (mark.start, text[mark.start : mark.end], {cited.reference for cited in mark.citations})
        for mark in parse_citations(text)
    ]


def word_groups(text: str) -> Iterator[str]:
    """The text in groups of a few words, white space and all."""
    words = list(_words(text))
    for start in range(0, len(words), _GROUP):
        yield "".join(words[start : start + _GROUP])


def _words(text: str) -> Iterator[str]:
    """Each with the white space before it. A mark is cut nowhere, whatever stands in it."""
    marks = [(mark.start, mark.end) for mark in parse_citations(text)]
    start = 0
    for word in _WORD.finditer(text):
        while marks and marks[0][1] <= word.end():
            marks.pop(0)
        if not marks or word.end() <= marks[0][0]:
            yield text[start : word.end()]
            start = word.end()


def chunk_events(searches: Iterable[Retrieval]) -> Iterator[RetrievalChunk]:
    """Every passage that the searches of one query found, once."""
    told: set[str] = set()
    for done in searches:
        for found in done.found:
            if found.chunk.chunk_id in told:
                continue
            told.add(found.chunk.chunk_id)
            yield RetrievalChunk(
                item_id=found.chunk.item_id,
                timestamp=now(),
                chunk_id=found.chunk.chunk_id,
                location=str(found.chunk.location) or None,
                score=round(found.score, 6) if found.is_scored else None,
                method=str(done.method),
                tokens=found.chunk.tokens,
            )


def error_event(problem: TipstaffError, *, after_words: bool = False) -> StreamError:
    """TIP §14.5: half an answer never looks like a whole one."""
    retry = problem.details.get("retry_after_seconds")
    return StreamError(
        code=STREAM_CODE[problem.code],
        message=problem.message + (_INCOMPLETE if after_words else ""),
        timestamp=now(),
        item_id=problem.details.get("item_id"),
        recoverable=isinstance(problem, LimitError | ServiceError)
        and problem.code not in ("budget_exhausted", "token_limit_exceeded"),
        scope=problem.details.get("scope"),
        retry_after_seconds=retry,
        error=problem.to_wire()["error"],
    )


async def reported(events: AsyncGenerator[Event, None]) -> AsyncGenerator[Event, None]:
    """The same events; one that fails ends with `tip.error` instead of an exception."""
    spoken = False
    async with aclosing(events):
        try:
            async for event in events:
                spoken = spoken or isinstance(event, Token)
                yield event
        except TipstaffError as problem:
            yield error_event(problem, after_words=spoken)


async def with_heartbeats(
    events: AsyncIterator[Event], *, every_s: float = HEARTBEAT_S
) -> AsyncGenerator[Event | Heartbeat, None]:
    """The same events, and a heartbeat whenever none came for so long."""
    waiting: asyncio.Future[Event] | None = None
    try:
        while True:
            waiting = waiting or asyncio.ensure_future(anext(events))
            done, _ = await asyncio.wait((waiting,), timeout=every_s)
            if not done:
                yield Heartbeat()
                continue
            try:
                event = waiting.result()
            except StopAsyncIteration:
                return
            finally:
                waiting = None
            yield event
    finally:
        if waiting is not None:
            waiting.cancel()
            await asyncio.wait((waiting,))


def wire_event(event: Event, *, transparency: str = ALL) -> dict[str, Any] | None:
    """The `data` of an event, as far as the setting `transparency` shows it; None: not at all."""
    if isinstance(event, RetrievalChunk) and transparency != ALL:
        if transparency == NONE:
            return None
        data = to_wire(event)
        named = {_CHUNK_FIELDS.get(name, name): value for name, value in data.items()}
        kept = exposed(named, transparency)
        shown = {
            name for name in data if _CHUNK_FIELDS.get(name, name) in kept or name == "timestamp"
        }
        return {name: value for name, value in data.items() if name in shown}
    wired: dict[str, Any] = exposed_response(to_wire(event), transparency)
    return wired
