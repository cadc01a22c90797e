"""Progress for whoever waits: what a long piece of work is at, as MCP's notifications have it.

Nothing unchecked is told: of an answer only that it is being made (TIP §3.4).
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

from tipstaff.agents.desk import Tell
from tipstaff.domain.events import CitationVerified, RetrievalChunk, RetrievalStart
from tipstaff.reading import Progress

# More often than this nobody looks.
_PAUSE_S = 1.0


_SAID = {
    RetrievalStart.name: "searching",
    RetrievalChunk.name: "passages found, answering",
    CitationVerified.name: "citations checked",
}


class Steps:
    """The events of a query, each kind told of when it first comes."""

    def __init__(self, tell: Tell) -> None:
        self._tell = tell
        self._passed: set[str] = set()

    async def passed(self, name: str) -> None:
        if name in _SAID and name not in self._passed:
            self._passed.add(name)
            await self._tell(_SAID[name], float(len(self._passed)), None)


def told_from_threads(tell: Tell) -> Callable[[str], Progress | None]:
    """What `index_bundle` calls from its thread, brought to the loop. Each stage counts on from
    the one before: MCP's progress never goes back."""
    loop = asyncio.get_running_loop()
    last = 0.0
    stages = 0

    def stage(name: str) -> Progress:
        nonlocal stages
        before = float(stages)
        stages += 1

        def show(label: str, done: int, total: int) -> None:
            nonlocal last
            if done < total and time.monotonic() - last < _PAUSE_S:
                return
            last = time.monotonic()
            part = done / total if total else 0.0
            asyncio.run_coroutine_threadsafe(tell(f"{name}: {label}", before + part, None), loop)

        return show

    return stage
