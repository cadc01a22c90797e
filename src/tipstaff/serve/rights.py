"""Rights end while streams are open: a token is revoked, a tez withdrawn.

Every request is checked anew, but a stream is one long request. Those of a tenant are checked again
as soon as an instance says that something ended there, and now and then although nobody did.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress

from tipstaff.errors import TipstaffError
from tipstaff.instances.announcements import Announcement

# Raises a TipstaffError once the stream may no longer be read.
Still = Callable[[], Awaitable[object]]
CHECK_S = 60.0


class Rights:
    def __init__(self) -> None:
        self._waiting: dict[asyncio.Event, str] = {}

    def may_have_ended(self, told: Announcement | None) -> None:
        """None: it is not known whose."""
        for woken, tenant in self._waiting.items():
            if told is None or told.tenant == tenant:
                woken.set()

    async def lost(
        self, tenant: str, still: Still, *, every_s: float | None = CHECK_S
    ) -> TipstaffError:
        """Why the stream has to end, as soon as it has to."""
        woken = asyncio.Event()
        self._waiting[woken] = tenant
        try:
            while True:
                with suppress(TimeoutError):
                    async with asyncio.timeout(every_s):
                        await woken.wait()
                woken.clear()
                try:
                    await still()
                except TipstaffError as problem:
                    return problem
        finally:
            del self._waiting[woken]
