"""Bundles on this computer, for one agent over stdio: opened here, asked as one recipient.

A bundle is indexed when it is first needed, not at the start: a client waits for its server's
first word for seconds only.
"""

from __future__ import annotations

import asyncio
import shutil
from collections import OrderedDict
from collections.abc import AsyncIterator
from contextlib import ExitStack, aclosing, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from tipstaff.access.recipients import Grant
from tipstaff.agents.desk import Tell, TezEntry
from tipstaff.agents.drafts import Drafts
from tipstaff.agents.folders import AllowedFolders
from tipstaff.agents.telling import Steps, told_from_threads
from tipstaff.asking import Interrogation
from tipstaff.boundary import GroundingBoundary
from tipstaff.bundle.file_names import numbered
from tipstaff.bundle.opening import OpenBundle
from tipstaff.domain.events import ResponseEnd
from tipstaff.domain.response import ResponseEnvelope
from tipstaff.engine import grant_for, index_bundle, interrogate, open_bundle
from tipstaff.errors import NotFound, SessionExpired, UsageError
from tipstaff.indexing import IndexedBundle
from tipstaff.settings import Settings

# An agent that begins more than this has let the first ones go.
_MOST_SESSIONS = 64


@dataclass(kw_only=True)
class _Held:
    """A bundle that is open; `indexed` once somebody asked."""

    path: Path
    opened: OpenBundle
    indexed: IndexedBundle | None = None
    grant: Grant | None = None
    boundary: GroundingBoundary | None = None
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)


@dataclass(kw_only=True)
class _Session:
    tez_id: str
    interrogation: Interrogation
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)


@dataclass(kw_only=True)
class LocalDesk:
    """`recipient` None is the owner of the bundles, who sees everything."""

    settings: Settings
    recipient: str | None = None
    model: str | None = None
    folders: AllowedFolders = field(default_factory=AllowedFolders)
    drafts: Drafts = field(default_factory=Drafts)
    owner: str = "local"
    _held: dict[str, _Held] = field(default_factory=dict)
    _sessions: OrderedDict[str, _Session] = field(default_factory=OrderedDict)
    _stack: ExitStack = field(default_factory=ExitStack)

    async def aclose(self) -> None:
        for one in self._sessions.values():
            await one.interrogation.aclose()
        await asyncio.to_thread(self._stack.close)

    def add(self, path: Path) -> TezEntry:
        """A bundle opened; of two with one id, the second gets a number."""
        for tez_id, held in self._held.items():
            if held.path == path.resolve():
                return self._entry(tez_id)
        opened = self._stack.enter_context(open_bundle(path, settings=self.settings))
        tez_id = opened.bundle.id
        if tez_id in self._held:
            tez_id = numbered(tez_id, list(self._held))
        self._held[tez_id] = _Held(path=path.resolve(), opened=opened)
        return self._entry(tez_id)

    async def tezits(self) -> list[TezEntry]:
        return [self._entry(tez_id) for tez_id in self._held]

    async def boundary(self, tez_id: str, tell: Tell) -> GroundingBoundary:
        return (await self._ready(tez_id, tell))[1]

    @asynccontextmanager
    async def counted(self, tez_id: str, boundary: GroundingBoundary) -> AsyncIterator[None]:  # noqa: ARG002
        """On one's own computer nothing is."""
        yield

    async def ask(
        self,
        tez_id: str,
        query: str,
        *,
        session_id: str | None,
        proceed: bool,  # noqa: ARG002 (a notice tells what is missing)
        tell: Tell,
    ) -> ResponseEnvelope:
        session = await self._session(tez_id, session_id, tell)
        async with session.turn, aclosing(session.interrogation.events(query)) as events:
            steps = Steps(tell)
            async for event in events:
                await steps.passed(event.name)
                if isinstance(event, ResponseEnd) and event.envelope is not None:
                    return event.envelope
        raise RuntimeError("a stream ended without its response")

    async def open(self, path: Path, tell: Tell) -> TezEntry:
        entry = await asyncio.to_thread(self.add, path)
        await self._ready(entry.tez_id, tell)
        return entry

    async def keep(self, packed: Path, name: str, tell: Tell) -> tuple[TezEntry, str]:
        target = self.folders.inside(name)
        if target.exists():
            raise UsageError(f"'{name}' exists already.", suggestion="Give another `output`.")
        await asyncio.to_thread(shutil.copyfile, packed, target)
        return await self.open(target, tell), str(target)

    def _entry(self, tez_id: str) -> TezEntry:
        bundle = self._held[tez_id].opened.bundle
        return TezEntry(tez_id=tez_id, title=bundle.title, version=bundle.version)

    async def _ready(self, tez_id: str, tell: Tell) -> tuple[_Held, GroundingBoundary]:
        held = self._held.get(tez_id)
        if held is None:
            raise NotFound(f"There is no tez '{tez_id[:100]}' here.")
        async with held.turn:
            if held.boundary is None:
                progress = told_from_threads(tell)
                indexed = await asyncio.to_thread(
                    index_bundle, held.opened, settings=self.settings, progress=progress
                )
                grant = await grant_for(indexed, self.recipient)
                boundary = GroundingBoundary(indexed=indexed, recipient=self.recipient, grant=grant)
                held.indexed, held.grant, held.boundary = indexed, grant, boundary
            return held, held.boundary

    async def _session(self, tez_id: str, session_id: str | None, tell: Tell) -> _Session:
        held, _ = await self._ready(tez_id, tell)
        if session_id is not None:
            found = self._sessions.get(session_id)
            if found is None or found.tez_id != tez_id:
                raise SessionExpired(
                    "There is no such session on this tez.",
                    suggestion="Leave session_id out to begin a new one.",
                )
            self._sessions.move_to_end(session_id)
            return found
        assert held.indexed is not None  # noqa: S101 (made ready above)
        begun = await asyncio.to_thread(
            interrogate,
            held.indexed,
            recipient=self.recipient,
            grant=held.grant,
            model=self.model,
        )
        session = _Session(tez_id=tez_id, interrogation=begun)
        self._sessions[begun.session_id] = session
        if len(self._sessions) > _MOST_SESSIONS:
            _, oldest = self._sessions.popitem(last=False)
            await oldest.interrogation.aclose()
        return session
