"""What this instance shares with others by Valkey: limits, signals, tickets, announcements.

Without `valkey_url` it is alone: the same names, kept in its own memory.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field

from tipstaff.access.authorization import Authorization
from tipstaff.hosting.tezits import Tezits
from tipstaff.instances.announcements import Announcement, Announcements, Kind
from tipstaff.instances.channels import Channels
from tipstaff.instances.valkey import SharedValkey
from tipstaff.limits.limiter import Limiter
from tipstaff.limits.surviving import limiter_from
from tipstaff.serve.logs import log
from tipstaff.serve.metrics import Metrics
from tipstaff.serve.shared_tickets import SharedTickets
from tipstaff.serve.tickets import Tickets
from tipstaff.session.elsewhere import Elsewhere, Nowhere, OtherInstances, SharedSignals
from tipstaff.session.signals import Signals
from tipstaff.settings import Settings


@dataclass(kw_only=True)
class Others:
    """`signals` None: those of one process, which sessions make for themselves."""

    limiter: Limiter
    metrics: Metrics
    announcements: Announcements = field(default_factory=Announcements)
    signals: Signals | None = None
    elsewhere: Elsewhere = field(default_factory=Nowhere)
    tickets: Tickets = field(default_factory=Tickets)

    def bind(self, *, authorization: Authorization, tezits: Tezits) -> None:
        """What is kept in memory follows what any instance announces."""

        def changed(told: Announcement | None) -> None:
            authorization.forget(None if told is None else told.tenant)

        def withdrawn(told: Announcement | None) -> None:
            if told is not None:
                tezits.let_go(told.tenant, told.name)

        self.announcements.on(Kind.ACCESS_CHANGED, changed)
        self.announcements.on(Kind.WITHDRAWN, withdrawn)


@asynccontextmanager
async def instances(settings: Settings, *, shared_records: bool) -> AsyncIterator[Others]:
    metrics = Metrics()
    valkey = SharedValkey.from_settings(settings)

    def uncounted(outcome: str) -> None:
        metrics.uncounted.labels(outcome).inc()

    limiter = limiter_from(settings, valkey, told=uncounted)
    if valkey is None:
        if shared_records:
            log(
                "instance_alone",
                level=logging.WARNING,
                reason="without valkey_url each instance counts rate limits for itself",
            )
        yield Others(limiter=limiter, metrics=metrics)
        return
    metrics.valkey_lost.set_function(lambda: float(valkey.is_lost))
    async with AsyncExitStack() as stack:
        stack.push_async_callback(valkey.aclose)
        channels = Channels(valkey)
        await channels.start()
        stack.push_async_callback(channels.aclose)
        announcements = Announcements(channels)
        stack.callback(announcements.close)
        yield Others(
            limiter=limiter,
            metrics=metrics,
            announcements=announcements,
            signals=SharedSignals(channels),
            elsewhere=OtherInstances(valkey),
            tickets=SharedTickets(valkey),
        )
