"""A service of sessions on a real database; its tezits are folders that lie where they are."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping
from contextlib import ExitStack, aclosing, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec
from sqlalchemy import select

from tipstaff.access.authorization import Authorizes
from tipstaff.domain.caller import Caller, Permission
from tipstaff.domain.events import Heartbeat
from tipstaff.domain.response import ResponseEnvelope
from tipstaff.engine import IndexedBundle, index_bundle, open_bundle
from tipstaff.hosting.ledger import Ledger
from tipstaff.hosting.published import Published, TezState, no_such_tez
from tipstaff.hosting.query_log import QueryLog
from tipstaff.hosting.watermarks import Watermarks
from tipstaff.records.database import Records, open_records
from tipstaff.records.tables import RESERVATION
from tipstaff.session.event_log import LoggedEvent
from tipstaff.session.run import Run
from tipstaff.session.session_settings import SessionSettings
from tipstaff.session.sessions import Sessions
from tipstaff.settings import DEFAULTS, load_settings

Address = str | Path
TEZ = "small-tez"
QUICK = {"reader": "none", "embedder": "static"}
NOTES = (
    b"The budget for the sky fund is $77,000.\n\nThe budget for infrastructure is $500,000.\n\n"
    b"The budget for training is $20,000.\n"
)
FUND = "What is the budget for the sky fund?"
BUDGET = "What is the budget for infrastructure?"
# Told by the script below: a sentence that holds, then nothing for an hour.
HANGS = "Please hang: what is the budget for the sky fund?"
FAILS = "Please fail: what is the budget for the sky fund?"


def caller(user: str = "jane@example.com", tenant: str = "acme") -> Caller:
    return Caller(
        tenant=tenant, user=f"user:{user}", permissions=frozenset({Permission.INTERROGATE})
    )


JANE = caller()


@dataclass
class Clock:
    """Time that stands still until it is told to pass."""

    seconds: float = 1_760_000_000.0

    def __call__(self) -> float:
        return self.seconds

    def passes(self, *, minutes: float = 0, hours: float = 0) -> None:
        self.seconds += minutes * 60 + hours * 3_600


@dataclass
class FolderTezits:
    """Folders by tez and version, for everybody of the tenant `acme`."""

    folders: dict[str, dict[int, Path]]
    model: str = "extractive"
    also: dict[str, str] = field(default_factory=dict)
    withdrawn: set[str] = field(default_factory=set)
    _open: dict[tuple[str, int], IndexedBundle] = field(default_factory=dict)
    _stack: ExitStack = field(default_factory=ExitStack)

    async def describe(self, caller: Caller, tez_id: str, version: int | None = None) -> Published:
        if caller.tenant != "acme" or tez_id not in self.folders or tez_id in self.withdrawn:
            raise no_such_tez()
        return Published(
            tez_id=tez_id,
            version=version or max(self.folders[tez_id]),
            digest="",
            title="A small tez",
            state=TezState.READY,
            progress="",
            published_at=0.0,
            published_by="user:sender@example.com",
        )

    async def opened(
        self,
        tenant: str,  # noqa: ARG002
        tez_id: str,
        version: int,
    ) -> IndexedBundle:
        if (tez_id, version) not in self._open:
            self._open[tez_id, version] = await asyncio.to_thread(self._opened, tez_id, version)
        return self._open[tez_id, version]

    def _opened(self, tez_id: str, version: int) -> IndexedBundle:
        settings = load_settings({**QUICK, "model": self.model, **self.also})
        opened = open_bundle(self.folders[tez_id][version], settings=settings)
        return index_bundle(self._stack.enter_context(opened), settings=settings)

    def close(self) -> None:
        self._stack.close()


@dataclass
class Service:
    records: Records
    tezits: FolderTezits
    query_log: QueryLog
    sessions: Sessions
    clock: Clock

    async def begun(self, who: Caller = JANE, **also: Any) -> str:
        return (await self.sessions.init(who, TEZ, **also)).session.session_id

    async def asked(self, session_id: str, query: str, who: Caller = JANE) -> Any:
        return await (await self.sessions.ask(who, TEZ, session_id, query)).envelope()

    async def reservations(self) -> list[str]:
        """The states of what was reserved of budgets."""
        async with self.records.reading(JANE.tenant) as connection:
            return sorted((await connection.scalars(select(RESERVATION.c.state))).all())

    async def log(self, session_id: str, **also: Any) -> list[LoggedEvent]:
        """Everything up to the end of the log, without waiting there."""
        found: list[LoggedEvent] = []
        events = self.sessions.follow(JANE, TEZ, session_id, heartbeat_s=0.001, **also)
        async with aclosing(events):
            async for event in events:
                if isinstance(event, Heartbeat):
                    break
                found.append(event)
        return found

    async def part(self, session_id: str, run: Run) -> list[LoggedEvent]:
        """The stream of a query, to its end."""
        return await self.part_from(session_id, run, run.first_event - 1)

    async def part_from(self, session_id: str, run: Run, after: int) -> list[LoggedEvent]:
        events = self.sessions.follow(JANE, TEZ, session_id, after=after, query_id=run.query_id)
        return [event async for event in events if isinstance(event, LoggedEvent)]


@asynccontextmanager
async def serving(
    address: str | Path,
    *folders: Path,
    model: str = "extractive",
    clock: Clock | None = None,
    started: bool = True,
    max_item_percent: str = "100",
    authorization: Authorizes | None = None,
    others: Mapping[str, Any] | None = None,
    watermarks: Callable[[Records], Watermarks] | None = None,
    **settings: Any,
) -> AsyncIterator[Service]:
    """Sessions on the versions of one tez."""
    clock = clock or Clock()
    records = await open_records(address)
    tezits = FolderTezits({TEZ: dict(enumerate(folders, start=1))}, model=model)
    tezits.also["max_item_percent"] = max_item_percent
    query_log = QueryLog(records, now=clock)
    sessions = Sessions(
        records,
        tezits,
        Ledger(records, now=clock),
        query_log,
        (watermarks or unmarked)(records),
        settings=SessionSettings(**settings),
        authorization=authorization,
        now=clock,
        **(others or {}),
    )
    try:
        if started:
            await sessions.start()
        yield Service(records, tezits, query_log, sessions, clock)
    finally:
        await sessions.stop(0)
        tezits.close()
        await records.aclose()


def unmarked(records: Records) -> Watermarks:
    return Watermarks(records, key=b"of the tests", settings=DEFAULTS)


def scripted(folder: Path, also: Mapping[str, Any] | None = None) -> str:
    """A model that knows the fund, hangs when it is asked to, and fails when it is asked to."""
    answers = {
        "": ["The budget for the sky fund is $77,000 [[notes:L1]]."],
        "Please hang": [
            "The budget for the sky fund is $77,000 [[notes:L1]]. And ",
            {"delay_ms": 3_600_000},
        ],
        "Please fail": [
            "The budget for the sky fund is $77,000 [[notes:L1]]. And ",
            {"error": "generation_failed"},
        ],
        **(also or {}),
    }
    script = folder / "script.json"
    script.write_text(json.dumps(answers), encoding="utf-8")
    return f"scripted:{script}"


def data(event: LoggedEvent) -> dict[str, Any]:
    decoded: dict[str, Any] = msgspec.json.decode(event.data)
    return decoded


def names(events: list[LoggedEvent]) -> list[str]:
    return [event.name.removeprefix("tip.") for event in events]


async def until(events: Any, name: str) -> list[LoggedEvent]:
    """What a reader has seen when an event of that name comes."""
    seen = []
    async for event in events:
        if isinstance(event, LoggedEvent):
            seen.append(event)
            if event.name == name:
                return seen
    raise AssertionError(f"the stream ended without {name}")


def run(
    address: Address,
    work: Callable[[Service], Coroutine[Any, Any, None]],
    *folders: Path,
    **also: Any,
) -> None:
    async def serve() -> None:
        async with serving(address, *folders, **also) as service:
            await work(service)

    asyncio.run(serve())


def leaned(answer: ResponseEnvelope) -> bool:
    """Whether a query was understood by the one before it."""
    return "follow_up" in {str(notice.kind) for notice in answer.notices}
