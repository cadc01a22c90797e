"""Queries of several instances on one database: each is somebody's, for as long as they say so.

Whoever answers a query renews its row in `asked` three times a lease. A row that was not renewed
belongs to a dead instance, and whichever other one sees it first ends the query (decision 16).
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass

from sqlalchemy import select

from tipstaff.errors import GenerationFailed
from tipstaff.records.tables import ASKED
from tipstaff.session.ending import Endings
from tipstaff.session.running import Runner
from tipstaff.session.signals import SessionKey
from tipstaff.session.upkeep import Upkeep

_LOG = logging.getLogger("tipstaff.session")
_RENEWALS = 3
# How long another instance has to end its query well, before that is done for it.
_PATIENCE_S = 3.0
_LOOK_S = 0.05


@dataclass(kw_only=True)
class Leases:
    upkeep: Upkeep
    endings: Endings
    runner: Runner
    holder: str

    async def keep(self) -> None:
        """For as long as the server runs."""
        while True:
            await asyncio.sleep(self.upkeep.settings.lease_s / _RENEWALS)
            try:
                await self.renew()
            except Exception as problem:
                # The records are out of reach: if for longer than a lease, others end our queries.
                _LOG.error("leases were not renewed: %s", type(problem).__name__)

    async def renew(self) -> None:
        """Ours are kept, those of the dead are ended, and what was taken from us is let go."""
        under_way = self.runner.of()
        ours = await self.upkeep.renewed(holder=self.holder)
        for run in under_way:
            if run.query_id not in ours:
                # Nothing may be said behind the end that another instance wrote.
                run.cancel(
                    GenerationFailed("The query was given up.", suggestion="Ask again."),
                    by_recipient=False,
                )
        left = await self.upkeep.recover(holder=self.holder, starting=False)
        if left:
            _LOG.warning("%d queries of an instance that is gone were ended", left)

    async def ended_elsewhere(self, key: SessionKey, why: str) -> None:
        """Waits for queries of a session that run on other instances, who were told; and ends
        them itself if they are not heard of."""
        clock = asyncio.get_running_loop().time
        until = clock() + _PATIENCE_S
        while left := await self._elsewhere(key):
            if clock() >= until:
                for query_id in left:
                    await self.endings.badly(key, query_id, GenerationFailed(why), after_words=True)
                return
            await asyncio.sleep(_LOOK_S)

    async def _elsewhere(self, key: SessionKey) -> list[str]:
        if not self.upkeep.records.is_shared:
            return []
        wanted = select(ASKED.c.query_id).where(
            ASKED.c.tenant == key.tenant,
            ASKED.c.session_id == key.session_id,
            ASKED.c.holder != self.holder,
        )
        async with self.upkeep.records.reading(key.tenant) as connection:
            return list((await connection.scalars(wanted)).all())
