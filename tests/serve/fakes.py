"""The parts of a service in memory: real answers of the engine, a list for a log."""
# ruff: noqa: ARG002 (they answer to names that they do not need)

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from tipstaff.asking import Interrogation
from tipstaff.domain.bundle import Bundle, HostingLimits, Privacy
from tipstaff.domain.caller import Caller, Permission
from tipstaff.domain.events import Event, Heartbeat, ResponseEnd
from tipstaff.domain.response import ResponseEnvelope
from tipstaff.domain.retrieval import RetrievalOptions
from tipstaff.domain.session import Session, SessionStatus
from tipstaff.engine import index_bundle, interrogate, open_bundle
from tipstaff.enveloping import new_id, now
from tipstaff.errors import (
    AuthenticationRequired,
    BudgetExhausted,
    NotFound,
    RateLimited,
    TipstaffError,
    error_from_wire,
)
from tipstaff.indexing import IndexedBundle
from tipstaff.serve.configuration import ServeConfiguration
from tipstaff.serve.service import Service
from tipstaff.settings import Settings, load_settings
from tipstaff.streaming import reported, wire_event

JANE = Caller(
    tenant="acme", user="user:jane@example.com", permissions=frozenset({Permission.INTERROGATE})
)
SENDER = Caller(tenant="acme", user="user:sender@example.com", permissions=frozenset(Permission))
STRANGER = Caller(
    tenant="other", user="user:jane@example.com", permissions=frozenset({Permission.INTERROGATE})
)
TOKENS = {"jane": JANE, "sender": SENDER, "stranger": STRANGER}
QUICK = {"reader": "none", "embedder": "static"}


@dataclass(frozen=True, kw_only=True)
class FakePublished:
    tez_id: str
    version: int = 1
    digest: str = "0" * 64
    title: str = "A small tez"
    state: str = "ready"
    progress: str = ""
    published_at: float = 1_700_000_000.0
    published_by: str = SENDER.user


@dataclass
class FakeTezits:
    """Folders by id, all of the tenant `acme`."""

    folders: dict[str, Path]
    settings: Settings
    received: dict[str, bytes] = field(default_factory=dict)
    _open: dict[str, IndexedBundle] = field(default_factory=dict)

    async def publish(
        self,
        caller: Caller,
        content: AsyncIterator[bytes] | Path,
        *,
        tez_id: str | None = None,
        proceed: bool = False,
        wait: bool = True,
    ) -> FakePublished:
        assert not isinstance(content, Path)
        assert tez_id is not None
        self.received[tez_id] = b"".join([piece async for piece in content])
        return FakePublished(tez_id=tez_id, state="ready" if wait else "indexing")

    async def describe(
        self, caller: Caller, tez_id: str, version: int | None = None
    ) -> FakePublished:
        if caller.tenant != "acme" or tez_id not in self.folders or version not in (None, 1):
            raise NotFound(f"{tez_id} is secret")
        return FakePublished(tez_id=tez_id)

    async def list(self, caller: Caller) -> list[FakePublished]:
        known = self.folders if caller.tenant == "acme" else ()
        return [FakePublished(tez_id=tez_id) for tez_id in known]

    async def withdraw(self, caller: Caller, tez_id: str) -> None:
        await self.describe(caller, tez_id)
        del self.folders[tez_id]

    async def opened(self, tenant: str, tez_id: str, version: int) -> IndexedBundle:
        if tez_id not in self._open:
            opened = open_bundle(self.folders[tez_id], settings=self.settings)
            self._open[tez_id] = index_bundle(opened, settings=self.settings)
        return self._open[tez_id]


@dataclass(frozen=True, kw_only=True)
class FakeEvent:
    number: int
    name: str
    data: bytes
    query_id: str


@dataclass(frozen=True, kw_only=True)
class FakeRemaining:
    queries: int | None = 9
    tokens: int | None = None
    per_minute_limit: int | None = 10
    per_minute: int | None = 9
    resets_at: float = 1_800_000_000.0
    scope: str = "recipient"
    counted_together: bool = True


@dataclass(kw_only=True)
class FakeRun:
    query_id: str
    first_event: int
    result: asyncio.Future[ResponseEnvelope]
    remaining: FakeRemaining = field(default_factory=FakeRemaining)

    async def envelope(self) -> ResponseEnvelope:
        return await asyncio.shield(self.result)

    async def ended(self) -> None:
        await asyncio.wait((self.result,))


@dataclass(frozen=True, kw_only=True)
class FakeLimits:
    max_queries: int | None = 10
    max_tokens_per_query: int | None = None
    session_timeout_minutes: int = 60


@dataclass(frozen=True, kw_only=True)
class FakeOpened:
    session: Session
    bundle: Bundle
    limits: FakeLimits = field(default_factory=FakeLimits)
    warnings: tuple[Any, ...] = ()


@dataclass(frozen=True, kw_only=True)
class FakeSummary:
    query_count: int
    total_tokens: int = 30
    total_input_tokens: int = 10
    total_output_tokens: int = 20
    duration_minutes: int = 0
    classifications: Mapping[str, int] = field(default_factory=lambda: {"grounded": 1})
    unique_items_cited: int = 1
    most_cited_item: str | None = "notes"


@dataclass(frozen=True, kw_only=True)
class FakeClosed:
    session_id: str
    summary: FakeSummary
    closed_at: str = "2026-01-01T00:00:00Z"


@dataclass(frozen=True, kw_only=True)
class FakeEntry:
    session: Session
    title: str


@dataclass(kw_only=True)
class FakeSession:
    caller: Caller
    tez_id: str
    interrogation: Interrogation
    session: Session
    log: list[FakeEvent] = field(default_factory=list)
    grown: asyncio.Condition = field(default_factory=asyncio.Condition)
    over: bool = False
    title: str = ""
    task: asyncio.Task[None] | None = None

    async def add(self, event: Event, query_id: str = "") -> None:
        data = msgspec.json.encode(wire_event(event))
        async with self.grown:
            number = len(self.log) + 1
            self.log.append(FakeEvent(number=number, name=event.name, data=data, query_id=query_id))
            self.grown.notify_all()


@dataclass(kw_only=True)
class FakeSessions:
    tezits: FakeTezits
    sessions: dict[str, FakeSession] = field(default_factory=dict)
    refuse: TipstaffError | None = None
    consents: list[Mapping[str, Any] | None] = field(default_factory=list)
    options: list[RetrievalOptions | None] = field(default_factory=list)
    # Opened by a test: a query says its first word and waits.
    gate: asyncio.Event | None = None
    readers: int = 0
    started: bool = False
    stopped: bool = False

    async def start(self) -> None:
        self.started = True

    async def stop(self, drain_s: float) -> None:
        running = [one.task for one in self.sessions.values() if one.task and not one.task.done()]
        if running:
            await asyncio.wait(running, timeout=drain_s)
        self.stopped = True

    async def init(
        self,
        caller: Caller,
        tez_id: str,
        *,
        preferences: Mapping[str, Any],
        consent: Mapping[str, Any] | None,
        proceed_with_partial: bool,
    ) -> FakeOpened:
        await self.tezits.describe(caller, tez_id)
        self.consents.append(consent)
        indexed = await self.tezits.opened(caller.tenant, tez_id, 1)
        interrogation = interrogate(indexed, recipient=caller.user)
        session = Session(
            session_id=interrogation.session_id,
            tez_id=tez_id,
            tez_version=1,
            initiated_at=now(),
            last_activity_at=now(),
            status=SessionStatus.ACTIVE,
            model="extractive",
        )
        held = FakeSession(
            caller=caller, tez_id=tez_id, interrogation=interrogation, session=session
        )
        self.sessions[session.session_id] = held
        for event in interrogation.opening():
            await held.add(event)
        return FakeOpened(session=session, bundle=indexed.opened.bundle)

    async def permitted(self, caller: Caller, tez_id: str, session_id: str) -> FakeSession:
        held = self.sessions.get(session_id)
        if held is None or (held.caller, held.tez_id) != (caller, tez_id):
            raise NotFound("no such session, of whoever")
        return held

    async def ask(
        self,
        caller: Caller,
        tez_id: str,
        session_id: str,
        query: str,
        *,
        options: RetrievalOptions | None,
    ) -> FakeRun:
        held = await self.permitted(caller, tez_id, session_id)
        if self.refuse is not None:
            raise self.refuse
        self.options.append(options)
        query_id = new_id("query")
        result: asyncio.Future[ResponseEnvelope] = asyncio.get_running_loop().create_future()
        result.add_done_callback(lambda one: one.cancelled() or one.exception())
        run = FakeRun(
            query_id=query_id,
            first_event=1 if len(held.log) == 2 else len(held.log) + 1,
            result=result,
        )
        held.task = asyncio.create_task(self._answer(held, query, run))
        return run

    async def _answer(self, held: FakeSession, query: str, run: FakeRun) -> None:
        async for event in reported(held.interrogation.events(query)):
            if self.gate is not None and event.name == "tip.response.end":
                await self.gate.wait()
            await held.add(event, run.query_id)
            if isinstance(event, ResponseEnd) and event.envelope is not None:
                run.result.set_result(event.envelope)
        if not run.result.done():
            error = msgspec.json.decode(held.log[-1].data)["error"]
            run.result.set_exception(error_from_wire(error))

    async def follow(
        self,
        caller: Caller,
        tez_id: str,
        session_id: str,
        *,
        after: int = 0,
        query_id: str | None = None,
    ) -> AsyncGenerator[FakeEvent | Heartbeat, None]:
        held = await self.permitted(caller, tez_id, session_id)
        self.readers += 1
        try:
            while True:
                for event in held.log[after:]:
                    after = event.number
                    if query_id is None or event.query_id in ("", query_id):
                        yield event
                    ended = event.name in ("tip.response.end", "tip.error")
                    if query_id is not None and event.query_id == query_id and ended:
                        return
                if held.over:
                    return
                async with held.grown:
                    if len(held.log) == after and not held.over:
                        try:
                            await asyncio.wait_for(held.grown.wait(), 0.05)
                        except TimeoutError:
                            yield Heartbeat()
        finally:
            self.readers -= 1

    async def close(self, caller: Caller, tez_id: str, session_id: str) -> FakeClosed:
        held = await self.permitted(caller, tez_id, session_id)
        await held.add(held.interrogation.closing())
        held.over = True
        return FakeClosed(session_id=session_id, summary=FakeSummary(query_count=1))

    async def resume(
        self, caller: Caller, tez_id: str, session_id: str, *, choice: str | None
    ) -> FakeOpened:
        held = await self.permitted(caller, tez_id, session_id)
        indexed = await self.tezits.opened(caller.tenant, tez_id, 1)
        return FakeOpened(session=held.session, bundle=indexed.opened.bundle)

    async def describe(self, caller: Caller, tez_id: str, session_id: str) -> Session:
        return (await self.permitted(caller, tez_id, session_id)).session

    async def list(self, caller: Caller, tez_id: str) -> list[FakeEntry]:
        await self.tezits.describe(caller, tez_id)
        return [
            FakeEntry(session=one.session, title=one.title)
            for one in self.sessions.values()
            if (one.caller, one.tez_id) == (caller, tez_id)
        ]

    async def rename(self, caller: Caller, tez_id: str, session_id: str, title: str) -> None:
        (await self.permitted(caller, tez_id, session_id)).title = title

    async def erase(self, caller: Caller, tez_id: str, session_id: str) -> None:
        await self.permitted(caller, tez_id, session_id)
        del self.sessions[session_id]

    async def erase_all(self, caller: Caller) -> int:
        mine = [key for key, one in self.sessions.items() if one.caller == caller]
        for key in mine:
            del self.sessions[key]
        return len(mine)


class FakeLedger:
    async def reserve(
        self,
        caller: Caller,
        *,
        tez_id: str,
        session_id: str,
        query_id: str,
        limits: HostingLimits,
    ) -> FakeRemaining:
        return FakeRemaining()

    async def give_back(self, tenant: str, query_id: str) -> None:
        return None

    async def remaining(self, caller: Caller, tez_id: str, limits: HostingLimits) -> FakeRemaining:
        return FakeRemaining()

    async def cost_report(
        self, caller: Caller, tez_id: str, since: float, until: float
    ) -> dict[str, Any]:
        if not caller.may(Permission.PUBLISH):
            raise NotFound("not the sender")
        return {"cost_report": {"tez_id": tez_id, "seconds": until - since}}

    async def cost_by_day(self, _: Caller, since: float, until: float) -> list[dict[str, Any]]:
        return [{"date": "2026-02-01", "queries": int((until - since) // 86_400)}]


@dataclass
class FakeQueryLog:
    revoked: list[str] = field(default_factory=list)

    async def own(self, caller: Caller) -> list[dict[str, Any]]:
        return []

    async def revoke(self, caller: Caller, session_id: str) -> int:
        self.revoked.append(session_id)
        return 0

    async def erase(self, caller: Caller) -> int:
        return 0


class FakeTerms:
    def costs(self) -> dict[str, str]:
        return {
            "cost_model": "sender_funded",
            "told_to_sender": "You pay.",
            "told_to_recipients": "The sender pays.",
        }

    def logging(self, privacy: Privacy) -> dict[str, Any] | None:
        return None

    def consent(self, privacy: Privacy, said: Mapping[str, Any] | None) -> dict[str, Any] | None:
        return dict(said) if said and said.get("query_logging") else None

    def with_fallback(self, problem: TipstaffError, bundle: Bundle) -> TipstaffError:
        if isinstance(problem, BudgetExhausted):
            problem.details["options"]["download"] = "Download it."
        return problem


async def authenticate(header: str | None) -> Caller:
    caller = TOKENS.get((header or "").removeprefix("Bearer "))
    if caller is None:
        raise AuthenticationRequired("A bearer token is needed.")
    return caller


def fake_service(
    folders: Mapping[str, Path], *, configuration: ServeConfiguration | None = None
) -> tuple[Service, FakeSessions]:
    settings = load_settings(QUICK)
    tezits = FakeTezits(dict(folders), settings)
    sessions = FakeSessions(tezits=tezits)
    service = Service(
        tezits=tezits,
        sessions=sessions,
        ledger=FakeLedger(),
        query_log=FakeQueryLog(),
        terms=FakeTerms(),
        authenticate=authenticate,
        configuration=configuration or ServeConfiguration(),
        settings=settings,
    )
    return service, sessions


def full() -> RateLimited:
    return RateLimited(scope="global", limit="the server is full", retry_after_seconds=7)
