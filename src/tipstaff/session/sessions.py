"""Sessions (TIP §8): opened, asked, followed, resumed, closed, erased.

INIT is `init`, QUERY `ask`, RESPONSE and FOLLOW-UP the events and exchanges that come of it, CLOSE
`close`. Each session is bound to one tenant, user, tez and version; to anybody else it does not
exist (§8.3).
"""

from __future__ import annotations

import asyncio
import logging
import math
import time
import uuid
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import aclosing, suppress
from typing import Any

from tipstaff.access.authorization import Authorization, Authorizes
from tipstaff.domain.caller import Caller
from tipstaff.domain.events import Heartbeat
from tipstaff.domain.retrieval import RetrievalOptions
from tipstaff.domain.session import Session
from tipstaff.errors import GenerationFailed, ModelUnavailable
from tipstaff.hosting.asked_tezits import AskedTezits
from tipstaff.hosting.ledger import Ledger
from tipstaff.hosting.query_log import QueryLog
from tipstaff.hosting.watermarks import Watermarks
from tipstaff.instances.announcements import Announcements
from tipstaff.records.database import Records
from tipstaff.session.admitting import Admitting
from tipstaff.session.capacity import Capacity
from tipstaff.session.closing import Closing
from tipstaff.session.directory import Directory, SessionEntry
from tipstaff.session.elsewhere import UNTOLD_S, Elsewhere
from tipstaff.session.ending import Endings
from tipstaff.session.event_log import EventLog, LoggedEvent
from tipstaff.session.following import Followers
from tipstaff.session.initiating import Choice, Initiation
from tipstaff.session.interrogations import Interrogations
from tipstaff.session.leases import Leases
from tipstaff.session.opening import Opened
from tipstaff.session.presence import Presence
from tipstaff.session.rows import StoredSession
from tipstaff.session.run import Run
from tipstaff.session.running import Runner
from tipstaff.session.session_settings import SessionSettings
from tipstaff.session.signals import LocalSignals, Signals
from tipstaff.session.summary import Closed
from tipstaff.session.upkeep import Upkeep

_LOG = logging.getLogger("tipstaff.session")
_UPKEEP_S = 60
_RETRY_S = 5


class Sessions:
    def __init__(
        self,
        records: Records,
        tezits: AskedTezits,
        ledger: Ledger,
        query_log: QueryLog,
        watermarks: Watermarks,
        *,
        settings: SessionSettings,
        signals: Signals | None = None,
        elsewhere: Elsewhere | None = None,
        announcements: Announcements | None = None,
        authorization: Authorizes | None = None,
        now: Callable[[], float] = time.time,
    ) -> None:
        self._records, self._settings = records, settings
        self._tezits = tezits
        self._holder = uuid.uuid4().hex
        # Whoever shares a database and hears nobody has to look.
        look_again_s = UNTOLD_S if records.is_shared else math.inf
        self._signals = signals or LocalSignals(look_again_s=look_again_s)
        presence = Presence(grace_s=settings.disconnect_grace_s, elsewhere=elsewhere)
        self._log = EventLog(records, self._signals)
        endings = Endings(
            records=records,
            ledger=ledger,
            query_log=query_log,
            transparency=settings.transparency,
            watermarks=watermarks,
            now=now,
        )
        # Without services: items that need one are withheld.
        authorization = authorization or Authorization()
        self._interrogations = Interrogations(records, tezits, settings, authorization)
        self._directory = Directory(records=records, settings=settings, now=now)
        self._runner = Runner(
            log=self._log,
            signals=self._signals,
            presence=presence,
            capacity=Capacity(settings),
            endings=endings,
            interrogations=self._interrogations,
            settings=settings,
            watermarks=watermarks,
            now=now,
        )
        self._initiation = Initiation(
            records=records,
            tezits=tezits,
            directory=self._directory,
            interrogations=self._interrogations,
            authorization=authorization,
            settings=settings,
            defaults=ledger.defaults,
            watermarks=watermarks,
            now=now,
        )
        self._admitting = Admitting(
            records=records,
            tezits=tezits,
            ledger=ledger,
            directory=self._directory,
            runner=self._runner,
            settings=settings,
            holder=self._holder,
            now=now,
        )
        self._followers = Followers(
            records=records,
            log=self._log,
            signals=self._signals,
            presence=presence,
            idle_timeout_s=settings.idle_timeout_s,
        )
        self._upkeep = Upkeep(
            records=records, endings=endings, signals=self._signals, settings=settings, now=now
        )
        self._leases = Leases(
            upkeep=self._upkeep, endings=endings, runner=self._runner, holder=self._holder
        )
        self._closing = Closing(
            records=records,
            directory=self._directory,
            runner=self._runner,
            leases=self._leases,
            interrogations=self._interrogations,
            signals=self._signals,
            announcements=announcements or Announcements(),
            settings=settings,
            now=now,
        )
        self._keepers: list[asyncio.Task[None]] = []

    async def start(self) -> None:
        """Ends what a killed server left, then takes queries."""
        left = await self._upkeep.recover(holder=self._holder, starting=True)
        if left:
            _LOG.warning("%d queries of a server that was killed were ended", left)
        await self._upkeep.sweep()
        self._keepers.append(asyncio.create_task(self._keep_up()))
        if self._records.is_shared:
            self._keepers.append(asyncio.create_task(self._leases.keep()))

    async def stop(self, drain_s: float) -> None:
        """Takes no more queries, lets those under way end for so long, then cancels them."""
        self._followers.stopping = True
        with suppress(TimeoutError):
            async with asyncio.timeout(drain_s):
                await self._runner.idle()
        for run in self._runner.of():
            ended = GenerationFailed("The server is shutting down.", suggestion="Ask again.")
            run.cancel(ended, by_recipient=False)
        await self._runner.idle()
        # Until here: what runs while a server drains is still its own.
        for keeper in self._keepers:
            keeper.cancel()
        await asyncio.gather(*self._keepers, return_exceptions=True)
        self._signals.tell_all()
        await self._log.aclose()
        await self._interrogations.aclose()

    async def init(
        self,
        caller: Caller,
        tez_id: str,
        *,
        preferences: Mapping[str, Any] | None = None,
        consent: Mapping[str, Any] | None = None,
        proceed_with_partial: bool = False,
    ) -> Opened:
        """TIP §8.1.1. Items that cannot be loaded are told as an error, unless the recipient
        goes on knowingly (§14.1)."""
        self._refuse_when_stopping()
        return await self._initiation.begin(
            caller,
            tez_id,
            preferences=preferences or {},
            consent=consent,
            proceed_with_partial=proceed_with_partial,
        )

    async def ask(
        self,
        caller: Caller,
        tez_id: str,
        session_id: str,
        query: str,
        *,
        options: RetrievalOptions | None = None,
    ) -> Run:
        """Takes a query up; it goes on by itself, and `follow` or `Run.envelope` tell of it."""
        self._refuse_when_stopping()
        return await self._admitting.ask(caller, tez_id, session_id, query, options=options)

    async def follow(
        self,
        caller: Caller,
        tez_id: str,
        session_id: str,
        *,
        after: int = 0,
        query_id: str | None = None,
        heartbeat_s: float | None = None,
    ) -> AsyncGenerator[LoggedEvent | Heartbeat, None]:
        """The events behind number `after`: of one query, or of the whole session."""
        stored = await self.permitted(caller, tez_id, session_id)
        beat_s = heartbeat_s or self._settings.heartbeat_s
        events = self._followers.follow(
            stored.key, after=after, query_id=query_id, heartbeat_s=beat_s
        )
        async with aclosing(events):
            async for event in events:
                yield event

    async def permitted(self, caller: Caller, tez_id: str, session_id: str) -> StoredSession:
        """The session, if it and its tez exist for the caller: for a transport that has to know
        before it begins to stream."""
        await self._tezits.describe(caller, tez_id)
        return await self._directory.owned(caller, tez_id, session_id)

    async def resume(
        self, caller: Caller, tez_id: str, session_id: str, *, choice: str | None = None
    ) -> Opened:
        """TIP §8.4."""
        self._refuse_when_stopping()
        chosen = Choice.of(choice) if choice else None
        return await self._initiation.resume(caller, tez_id, session_id, chosen)

    async def describe(self, caller: Caller, tez_id: str, session_id: str) -> Session:
        """TIP §8.2, with the whole history; for its owner only."""
        await self._tezits.describe(caller, tez_id)
        return await self._directory.described(caller, tez_id, session_id)

    async def list(self, caller: Caller, tez_id: str) -> list[SessionEntry]:
        await self._tezits.describe(caller, tez_id)
        return await self._directory.listed(caller, tez_id)

    async def rename(self, caller: Caller, tez_id: str, session_id: str, title: str) -> None:
        await self._directory.renamed(caller, tez_id, session_id, title)

    async def close(self, caller: Caller, tez_id: str, session_id: str) -> Closed:
        """TIP §8.1.5, C.3. Closing again tells the same."""
        return await self._closing.close(caller, tez_id, session_id)

    async def erase(self, caller: Caller, tez_id: str, session_id: str) -> None:
        """TIP §13.1: everything that was said is gone."""
        await self._closing.erase(caller, tez_id, session_id)

    async def erase_all(self, caller: Caller) -> int:
        """Every session of the caller, of tezits that are gone, too; how many there were."""
        return await self._closing.erase_all(caller)

    async def sweep(self) -> None:
        """What time has done to sessions is written down."""
        await self._upkeep.recover(holder=self._holder, starting=False)
        await self._upkeep.sweep()

    async def _keep_up(self) -> None:
        while True:
            await asyncio.sleep(_UPKEEP_S)
            try:
                await self.sweep()
            except Exception as problem:
                # The records are out of reach for now; what time has done is still true later.
                _LOG.error("upkeep failed: %s", type(problem).__name__)

    def _refuse_when_stopping(self) -> None:
        if self._followers.stopping:
            raise ModelUnavailable("The server is shutting down.", retry_after_seconds=_RETRY_S)
