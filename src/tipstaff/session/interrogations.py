"""Interrogations by session: a bounded cache of what is made again from the records.

One that is in use is out of the cache. It comes back when its query has been written down; after
anything else it is thrown away, because threads of a query that was cancelled may still hold it.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace

from tipstaff.access.authorization import Authorizes
from tipstaff.access.recipients import Grant
from tipstaff.asking import MODEL, Interrogation
from tipstaff.boundary import granted_of
from tipstaff.engine import IndexedBundle, interrogate
from tipstaff.hosting.asked_tezits import AskedTezits
from tipstaff.records.database import Records
from tipstaff.session.directory import no_such_session
from tipstaff.session.rows import StoredSession, stored_exchanges, stored_session
from tipstaff.session.session_settings import SessionSettings
from tipstaff.session.signals import SessionKey


@dataclass(slots=True)
class _Held:
    interrogation: Interrogation
    # How many queries it knows of: another server may have answered one meanwhile.
    query_count: int


class Interrogations:
    def __init__(
        self,
        records: Records,
        tezits: AskedTezits,
        settings: SessionSettings,
        authorization: Authorizes,
    ) -> None:
        self._records = records
        self._authorization = authorization
        self._tezits = tezits
        self._settings = settings
        self._idle: OrderedDict[SessionKey, _Held] = OrderedDict()

    def __len__(self) -> int:
        return len(self._idle)

    @asynccontextmanager
    async def taken(
        self, key: SessionKey, *, degraded: bool = False
    ) -> AsyncIterator[tuple[Interrogation, StoredSession]]:
        """The session's interrogation, for one query."""
        async with self._records.reading(key.tenant) as connection:
            stored = await stored_session(connection, key)
        if stored is None:
            raise no_such_session()
        held = await self._ready(stored, degraded=degraded)
        try:
            yield held.interrogation, stored
        except BaseException:
            await held.interrogation.aclose()
            raise
        if degraded:
            # The other one did not hear of this query, and is made again.
            await held.interrogation.aclose()
            return
        held.query_count += 1
        await self.keep(key, held.interrogation, held.query_count)

    async def keep(self, key: SessionKey, interrogation: Interrogation, query_count: int) -> None:
        self._idle[key] = _Held(interrogation, query_count)
        while len(self._idle) > self._settings.sessions_in_memory:
            _, oldest = self._idle.popitem(last=False)
            await oldest.interrogation.aclose()

    async def forget(self, key: SessionKey) -> None:
        """TIP §8.1.5: a session that is over holds nothing."""
        if held := self._idle.pop(key, None):
            await held.interrogation.aclose()

    async def aclose(self) -> None:
        for key in list(self._idle):
            await self.forget(key)

    async def _ready(self, stored: StoredSession, *, degraded: bool) -> _Held:
        """For every query the scope is decided anew, before anything is searched: a session does
        not outlive a right that was taken away (Enterprise §3.7)."""
        known = self._idle.get(stored.key)
        indexed = (
            known.interrogation.indexed
            # A share may have been revoked since the query was taken up (Enterprise §6.3).
            if known and not degraded and stored.origin is None
            else await self._tezits.opened(stored.tenant, stored.tez_id, stored.tez_version)
        )
        grant = await granted_of(
            indexed,
            self._authorization,
            tenant=stored.asked_in,
            recipient=stored.facts.get("recipient"),
        )
        if not degraded and (held := self._idle.pop(stored.key, None)):
            knows_all = held.query_count == stored.query_count
            if knows_all and held.interrogation.grant == grant:
                held.interrogation.keep_last(self._settings.history_exchanges)
                return held
            await held.interrogation.aclose()
        made = await made_for(stored, indexed, grant, degraded=degraded)
        async with self._records.reading(stored.tenant) as connection:
            exchanges = await stored_exchanges(connection, stored.key)
        # All of them: what a session was shown counts for as long as it lasts (TIP §13.3).
        made.remember([exchange.remembered() for exchange in exchanges])
        made.keep_last(self._settings.history_exchanges)
        return _Held(made, stored.query_count)


async def made_for(
    stored: StoredSession,
    indexed: IndexedBundle,
    grant: Grant | None,
    *,
    degraded: bool = False,
) -> Interrogation:
    """TIP §8.4: from the original bundle, for the same recipient, before the same model."""
    if degraded:
        quick = replace(indexed.settings, reader="none", reranker="none")
        indexed = replace(indexed, settings=quick)
    interrogation = await asyncio.to_thread(
        interrogate,
        indexed,
        recipient=stored.facts.get("recipient"),
        grant=grant,
        model=MODEL if degraded else stored.facts.get("model"),
    )
    interrogation.session_id = stored.session_id
    return interrogation
