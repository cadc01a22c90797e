"""A question to an indexed bundle: understood, answered, verified, said.

One interrogation is one recipient with one bundle. It remembers its own questions and nothing
of anybody else's (TIP §8.3).
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, replace

from tipstaff.access.recipients import Grant
from tipstaff.answer.context import AnswerContext
from tipstaff.answer.extractive import part_answers
from tipstaff.answer.follow_up import resolved
from tipstaff.answer.item_summaries import answer_from_summaries
from tipstaff.answer.part_answer import PartAnswer, draft_of
from tipstaff.answer.question import Question, understand
from tipstaff.answer.responding import response_of
from tipstaff.answer.wording import said_back
from tipstaff.boundary import GroundingBoundary
from tipstaff.domain.events import (
    ContextLoaded,
    Event,
    ResponseEnd,
    RetrievalStart,
    SessionEnd,
    SessionStart,
)
from tipstaff.domain.evidence import SupportSearch
from tipstaff.domain.response import (
    ContextScope,
    Notice,
    Released,
    Response,
    ResponseEnvelope,
    SessionUsage,
    Usage,
)
from tipstaff.domain.retrieval import Retrieval, RetrievalOptions, Strategy
from tipstaff.domain.scope import Filter
from tipstaff.enveloping import MAX_QUERY_CHARS, new_id, notices_on, now, summary_of
from tipstaff.errors import MalformedQuery
from tipstaff.guarding import SessionGuard
from tipstaff.indexing import IndexedBundle, options_from
from tipstaff.read.reader import Reader, reader_named
from tipstaff.retrieve.decomposition import sub_queries
from tipstaff.streaming import Telling, chunk_events, reported
from tipstaff.tokens import count_tokens

MODEL = "extractive"
GROUNDING_MODES = ("strict", "standard", "exploratory")


@dataclass(frozen=True, slots=True, kw_only=True)
class Settled:
    """The whole response, after whatever was released of it before."""

    response: Response
    model: str = MODEL
    usage: Usage | None = None
    notices: tuple[Notice, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Remembered:
    """One exchange of a session: the query as it was understood, and what was said. `shown` are
    its statements, each with the items that it is from."""

    understood: str
    said: str
    input_tokens: int
    output_tokens: int
    query: str = ""
    shown: tuple[tuple[str, tuple[str, ...]], ...] = ()


@dataclass(kw_only=True)
class Interrogation:
    """One query at a time: `events` answers it step by step, `ask` is the fold of them. Follow-up
    questions may lean on those before."""

    indexed: IndexedBundle
    recipient: str | None = None
    grant: Grant | None = None
    options: RetrievalOptions | None = None
    grounding: str = "standard"
    reader: Reader | None = field(init=False)
    boundary: GroundingBoundary = field(init=False)
    guard: SessionGuard = field(init=False)
    session_id: str = field(default_factory=lambda: new_id("session"))
    started: float = field(default_factory=time.monotonic)
    response_tokens: int | None = None
    _history: list[str] = field(default_factory=list)
    _searches: list[Retrieval] = field(default_factory=list)
    _support_searches: list[SupportSearch] = field(default_factory=list)
    _tokens: tuple[int, int] = (0, 0)
    _known: AnswerContext | None = None

    def __post_init__(self) -> None:
        settings = self.indexed.settings
        self.reader = reader_named(settings.reader, threads=settings.embed_threads)
        self.boundary = GroundingBoundary(
            indexed=self.indexed, recipient=self.recipient, grant=self.grant
        )
        self.guard = SessionGuard(boundary=self.boundary)

    @property
    def model_name(self) -> str:
        return MODEL

    @property
    def last_retrieval(self) -> Retrieval | None:
        """How the passages of the last answer were found (`--explain`)."""
        return self._searches[0] if self._searches else None

    @property
    def searches(self) -> Sequence[Retrieval]:
        """Every search of the last answer for what to say."""
        return self._searches

    @property
    def support_searches(self) -> Sequence[SupportSearch]:
        """Those for a place that supports a model's statement, by which it is repaired."""
        return self._support_searches

    def ask(self, query: str) -> ResponseEnvelope:
        """One query, one response. What could not be verified is not in it."""
        return asyncio.run(self._ask_and_let_go(query))

    async def answer(self, query: str) -> ResponseEnvelope:
        """The same, where an event loop runs already."""
        async with aclosing(self.events(query)) as events:
            async for event in events:
                if isinstance(event, ResponseEnd) and event.envelope is not None:
                    return event.envelope
        raise RuntimeError("a stream ended without its response")

    def stream(self, query: str) -> AsyncGenerator[Event, None]:
        """The events of one query; what goes wrong is the last of them."""
        return reported(self.events(query))

    async def events(self, query: str) -> AsyncGenerator[Event, None]:
        """Enterprise §2.4, 3a to 3d. Nothing in them is unchecked; errors are raised."""
        question, full = self.begin(query)
        yield RetrievalStart(query=full, timestamp=now(), strategy=self._strategy(full))
        telling, settled = Telling(), None
        async with aclosing(self.respond(question, full)) as steps:
            async for step in steps:
                if settled is None and not telling.text:
                    for found in chunk_events(self._searches):
                        yield found
                if isinstance(step, Settled):
                    settled = step
                    break
                for event in telling.say(step.text, step.citations):
                    yield event
        if settled is None:
            raise RuntimeError("a query was not settled")
        for event in telling.end(self.finish(query, full, settled)):
            yield event

    def opening(self) -> tuple[SessionStart, ContextLoaded]:
        """Enterprise §2.4, 1 and 2: once in a session."""
        scope = self.scope()
        items = self.context().items
        return (
            SessionStart(
                tez_id=self.boundary.bundle.id,
                session_id=self.session_id,
                timestamp=now(),
                model=self.model_name,
                context_item_count=scope.accessible_items,
            ),
            ContextLoaded(
                item_count=len(items),
                timestamp=now(),
                total_tokens=sum(item.tokens for item in items),
                indexed_items=tuple(item.id for item in items),
            ),
        )

    def closing(self) -> Event:
        """Enterprise §2.4, 4."""
        return SessionEnd(
            session_id=self.session_id,
            total_queries=len(self._history),
            timestamp=now(),
            total_tokens=sum(self._tokens),
            duration_ms=round((time.monotonic() - self.started) * 1_000),
        )

    def remember(self, exchanges: Sequence[Remembered]) -> None:
        """A session that was not in memory takes up again where it was (TIP §8.4)."""
        for one in exchanges:
            self._history.append(one.understood)
            self.guard.remember(one.query or one.understood, one.shown)
            into, out = self._tokens
            self._tokens = (into + one.input_tokens, out + one.output_tokens)

    def keep_last(self, exchanges: int) -> None:
        """A longer history than this is not leaned on."""
        del self._history[:-exchanges]

    def retrieve_with(self, options: RetrievalOptions | None) -> None:
        """How the next queries search; None is as the settings say."""
        self.options = options
        if self._known is not None:
            self._known.options = options or options_from(self.indexed.settings)

    def say_at_most(self, tokens: int | None) -> None:
        """TIP §13.3.2: how long the next responses may be; None is as ever."""
        self.response_tokens = tokens
        most = self.indexed.settings.max_response_tokens
        self.guard.disclosure.max_tokens = most if tokens is None else max(1, min(most, tokens))

    async def aclose(self) -> None:
        """Let go of what answers came from; without a model there is nothing."""

    async def respond(
        self,
        question: Question,
        full: str,  # noqa: ARG002 (the words are for a model)
    ) -> AsyncGenerator[Released | Settled, None]:
        """The answer without a model: settled at once, in a thread of its own."""
        yield Settled(response=await asyncio.to_thread(self._offline, question))

    def _offline(self, question: Question) -> Response:
        if question.is_meta:
            return self.refusal(question)
        return self.offline_response(question, self.answers(question))

    async def _ask_and_let_go(self, query: str) -> ResponseEnvelope:
        try:
            return await self.answer(query)
        finally:
            await self.aclose()

    def _strategy(self, query: str) -> str | None:
        """Enterprise §2.3.3 and §5.4: the one that is used; which `auto` comes to is known only
        when it has looked."""
        options = self.options or options_from(self.indexed.settings)
        if options.strategy is Strategy.AUTO:
            return None
        parts = sub_queries(query, limit=options.max_sub_queries)
        if options.strategy is Strategy.MULTI_PASS and len(parts) < 2:
            return str(Strategy.SINGLE_PASS)
        return str(options.strategy)

    def begin(self, query: str) -> tuple[Question, str]:
        """A query taken up: what it asks, and its words with what they lean on."""
        check_not_empty(query)
        self._searches.clear()
        self._support_searches.clear()
        judged = self.guard.take_up(query)
        asked = said_back(judged.fair or query, most_chars=MAX_QUERY_CHARS)
        # Nothing leans on what was refused.
        full = resolved(asked, [one for one in self._history if one])
        return replace(understand(full), is_meta=judged.is_refused), full

    def answers(self, question: Question) -> list[PartAnswer]:
        """What the engine without a model makes of each part."""
        return part_answers(question, self.context(), grounding=self.grounding)

    def offline_response(self, question: Question, answers: Sequence[PartAnswer]) -> Response:
        """These answers, verified and worded, with what summaries say."""
        summaries = answer_from_summaries(question, self.boundary.summarised())
        proposed = draft_of(answers, also=summaries)
        checked = self.boundary.verifier().verify(proposed)
        sides = [side for two in proposed.contradictions for side in two.positions]
        verified = self.guard.disclosure.within(checked, [side.citation for side in sides])
        if not verified.paragraphs and (told := self.guard.exhausted(said_back(question.text))):
            return told
        return response_of(proposed, verified, self.context())

    def refusal(self, question: Question) -> Response:
        """A query that is not a question to the bundle (TIP §4.4)."""
        return self.guard.refusal(said_back(question.text))

    @property
    def last_understood(self) -> str:
        """The last query that was answered, as a question of its own."""
        return self._history[-1] if self._history else ""

    def finish(self, query: str, full: str, settled: Settled) -> ResponseEnvelope:
        """The response in its envelope; only now does the session count it."""
        response = self.boundary.without_unknown(settled.response)
        self._history.append("" if self.guard.judged.is_refused else full)
        usage = settled.usage or Usage(
            input_tokens=count_tokens(query), output_tokens=count_tokens(response.text)
        )
        into, out = self._tokens
        self._tokens = (into + usage.input_tokens, out + usage.output_tokens)
        return ResponseEnvelope(
            response_id=new_id("response"),
            query_id=new_id("query"),
            created_at=now(),
            session=SessionUsage(
                session_id=self.session_id,
                query_count=len(self._history),
                input_tokens=self._tokens[0],
                output_tokens=self._tokens[1],
                total_tokens_used=sum(self._tokens),
            ),
            response=response,
            context_scope=self.scope(),
            retrieval_summary=summary_of(self._searches, response.citations),
            model=settled.model,
            usage=usage,
            notices=(
                *notices_on(self.boundary, query, full),
                *self.guard.notices(),
                *settled.notices,
            ),
        )

    def scope(self) -> ContextScope:
        return self.boundary.scope()

    def context(self) -> AnswerContext:
        """Made once: units of evidence that were cut stay cut."""
        if self._known is None:
            searchable = self.boundary.searchable()
            items = self.indexed.index.items.named(searchable)
            self._known = AnswerContext(
                bundle=self.boundary.bundle,
                index=self.indexed.index,
                scope=Filter().scope(items),
                search=self._search,
                options=self.options or options_from(self.indexed.settings),
                documents=self.boundary.document,
                reader=self.reader,
                quotable=self.boundary.quotable,
            )
        return self._known

    def aspects(self, query: str, limit: int) -> list[str]:
        """What multi_pass searches for, by grammar."""
        return sub_queries(query, limit=limit)

    def _search(self, query: str, options: RetrievalOptions) -> Retrieval:
        permitted = self.boundary.searchable()
        done = self.indexed.search(
            query,
            options=options,
            permitted=permitted,
            recipient=self.recipient,
            reasons=self.boundary.reasons,
            decompose=self.aspects,
        )
        self._searches.append(done)
        return done


def check_not_empty(query: str) -> None:
    """TIP §14.4."""
    if not query.strip():
        raise MalformedQuery("The query is empty.", suggestion="Ask a question about the bundle.")
