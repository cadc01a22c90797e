"""A server's tezits for agents over HTTP: the caller is the token's, every request anew.

Sessions, budgets, rates, logs and marks are the service's own; nothing is decided here that its
other routes do not decide.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from tipstaff.agents.desk import Tell, TezEntry
from tipstaff.agents.drafts import Drafts
from tipstaff.agents.folders import AllowedFolders
from tipstaff.agents.telling import Steps
from tipstaff.boundary import GroundingBoundary
from tipstaff.domain.caller import Caller, Permission
from tipstaff.domain.response import ResponseEnvelope
from tipstaff.errors import TipstaffError, UsageError
from tipstaff.hosting.published import Published
from tipstaff.serve.callers import require
from tipstaff.serve.queries import begun, check_room, counted
from tipstaff.serve.schemas import InitRequest, QueryRequest
from tipstaff.serve.service import Service
from tipstaff.serve.visible import boundary_for
from tipstaff.serve.welcome import begin
from tipstaff.session.run import Run
from tipstaff.settings import Settings


@dataclass(frozen=True, kw_only=True)
class HostedDesk:
    """Made for one request. Drafts stay with the instance that they were begun at."""

    service: Service
    caller: Caller
    drafts: Drafts
    allowed: AllowedFolders

    @property
    def settings(self) -> Settings:
        return self.service.settings

    @property
    def folders(self) -> AllowedFolders:
        """For senders: a recipient learns nothing of the server's files, not even which exist."""
        require(self.caller, Permission.PUBLISH)
        return self.allowed

    @property
    def owner(self) -> str:
        return f"{self.caller.tenant}\n{self.caller.user}"

    async def tezits(self) -> list[TezEntry]:
        return [_entry(one) for one in await self.service.tezits.list(self.caller)]

    async def boundary(self, tez_id: str, tell: Tell) -> GroundingBoundary:  # noqa: ARG002
        check_room(self.service)
        return await boundary_for(self.service, self.caller, tez_id)

    @asynccontextmanager
    async def counted(self, tez_id: str, boundary: GroundingBoundary) -> AsyncIterator[None]:
        async with counted(self.service, self.caller, tez_id, boundary):
            yield

    async def ask(
        self, tez_id: str, query: str, *, session_id: str | None, proceed: bool, tell: Tell
    ) -> ResponseEnvelope:
        service, caller = self.service, self.caller
        check_room(service)
        if session_id is None:
            opened = await begin(service, caller, tez_id, InitRequest(proceed_with_partial=proceed))
            session_id = opened.session.session_id
        run = await begun(service, caller, tez_id, session_id, QueryRequest(query=query))
        telling = asyncio.create_task(self._tell_of(run, tez_id, session_id, tell))
        try:
            envelope = await run.envelope()
        finally:
            telling.cancel()
            await asyncio.wait((telling,))
        service.metrics.count_answer(envelope)
        return envelope

    async def open(self, path: Path, tell: Tell) -> TezEntry:
        require(self.caller, Permission.PUBLISH)
        if not await asyncio.to_thread(path.is_file):
            raise UsageError(
                "Over HTTP a tez is opened from one file.", suggestion="Pack it first: tip pack."
            )
        await tell("publishing", 1, None)
        return _entry(await self.service.tezits.publish(self.caller, path))

    async def keep(self, packed: Path, name: str, tell: Tell) -> tuple[TezEntry, str]:  # noqa: ARG002
        entry = await self.open(packed, tell)
        return entry, f"published as version {entry.version} of {entry.tez_id}"

    async def _tell_of(self, run: Run, tez_id: str, session_id: str, tell: Tell) -> None:
        steps = Steps(tell)
        events = self.service.sessions.follow(
            self.caller, tez_id, session_id, after=run.first_event - 1, query_id=run.query_id
        )
        # What goes wrong is told by whoever waits for the envelope.
        with suppress(TipstaffError):
            async with aclosing(events):
                async for event in events:
                    await steps.passed(getattr(event, "name", ""))


def _entry(tez: Published) -> TezEntry:
    return TezEntry(tez_id=tez.tez_id, title=tez.title, version=tez.version, state=str(tez.state))
