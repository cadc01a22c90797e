"""A tez as a program holds it: opened once, asked many times.

async with tipstaff.open("report.tez") as tez:
    response = await tez.ask("What was the revenue?")
    async for event in tez.stream("And the margin?"):
        ...
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import ExitStack, aclosing, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from tipstaff.asking import Interrogation
from tipstaff.domain.bundle import Bundle
from tipstaff.domain.events import Event
from tipstaff.domain.response import ResponseEnvelope
from tipstaff.engine import IndexedBundle, grant_for, index_bundle, interrogate, open_bundle
from tipstaff.settings import DEFAULTS, Settings


@dataclass(kw_only=True)
class Tez:
    """One session with one bundle. Queries wait for each other: a follow-up leans on the answer
    before it."""

    interrogation: Interrogation
    _turn: asyncio.Lock = field(default_factory=asyncio.Lock)
    _began: bool = False

    @property
    def bundle(self) -> Bundle:
        """As it exists for the recipient."""
        return self.interrogation.boundary.bundle

    async def ask(self, query: str) -> ResponseEnvelope:
        """One response; an abstention is one, an error is raised."""
        async with self._turn:
            return await self.interrogation.answer(query)

    async def stream(self, query: str) -> AsyncGenerator[Event, None]:
        """Enterprise §2.4: the session's own events before those of the first query; what goes
        wrong is the last event. The end of the session is `close`'s."""
        async with self._turn, aclosing(self.interrogation.stream(query)) as events:
            if not self._began:
                self._began = True
                for first in await asyncio.to_thread(self.interrogation.opening):
                    yield first
            async for event in events:
                yield event

    async def close(self) -> Event:
        """Lets go of the model; gives the session's last event."""
        async with self._turn:
            await self.interrogation.aclose()
            return self.interrogation.closing()


@asynccontextmanager
async def open(  # noqa: A001 (it reads as `tipstaff.open`)
    path: str | Path,
    *,
    recipient: str | None = None,
    model: str | None = None,
    grounding: str = "standard",
    settings: Settings = DEFAULTS,
) -> AsyncIterator[Tez]:
    """A bundle of any level, indexed and ready to be asked."""
    with ExitStack() as stack:

        def indexed() -> IndexedBundle:
            opened = stack.enter_context(open_bundle(path, settings=settings))
            return index_bundle(opened, settings=settings)

        ready = await asyncio.to_thread(indexed)
        interrogation = await asyncio.to_thread(
            interrogate,
            ready,
            recipient=recipient,
            grant=await grant_for(ready, recipient),
            model=model,
            grounding=grounding,
        )
        tez = Tez(interrogation=interrogation)
        try:
            yield tez
        finally:
            await tez.interrogation.aclose()
