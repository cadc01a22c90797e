"""Copies of shared tezits, with their receivers (Enterprise §6.3.1): made, renewed, withdrawn.

What a killed server did not finish is finished at the next round.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass

from sqlalchemy import select

from tipstaff.domain.caller import Caller, Permission
from tipstaff.errors import AuthorizationDenied, TipstaffError, UsageError
from tipstaff.hosting.published import Published, TezState, served
from tipstaff.hosting.tezits import Tezits
from tipstaff.records.database import Records
from tipstaff.records.tables import RECEIVED_SHARE
from tipstaff.tenancy.share_records import change_received, given_of, noted, received_shares
from tipstaff.tenancy.shares import Received

_LOG = logging.getLogger("tipstaff.tenancy")


@dataclass(frozen=True, slots=True, kw_only=True)
class Copies:
    records: Records
    tezits: Tezits
    now: Callable[[], float]

    async def check_copyable(self, tenant: str, tez: Published) -> None:
        if tez.state is TezState.IN_PLACE:
            raise UsageError("A bundle that is served in place has no bytes here to be copied.")
        indexed = await self.tezits.opened(tenant, tez.tez_id, tez.version)
        # Enterprise §6.3, 1: there is no copy unless it is meant to leave.
        if indexed.opened.bundle.hosting.allow_download is False:
            raise AuthorizationDenied("The manifest of this tez does not allow it to be copied.")

    async def see_to(self, share: Received) -> bool:
        """As its terms are now: made or renewed where that is due, withdrawn where it is over;
        whether it had to change."""
        if share.is_due(self.now()):
            return await self._made(share)
        if share.strategy.is_copy and not share.is_there:
            await self._withdrawn(share)
        return False

    async def sync(self) -> int:
        """One round over all copies: made where they are missing, renewed where their source is
        another, withdrawn where their share is over. How many changed."""
        changed = 0
        for share in await self._every_received():
            try:
                changed += await self.see_to(share)
            except TipstaffError as problem:
                # Its source is out of reach, or no longer fit: the copy stays, and grows stale.
                _LOG.warning("a share could not be synchronised: %s", problem.code)
        return changed

    async def _every_received(self) -> list[Received]:
        """Of all tenants, each read by itself."""
        wanted = select(RECEIVED_SHARE.c.tenant).distinct()
        rows = await self.records.across(wanted, why="copies of shares")
        found: list[Received] = []
        for row in rows:
            async with self.records.reading(row.tenant) as connection:
                found += await received_shares(connection, row.tenant)
        return found

    async def _made(self, share: Received) -> bool:
        """The receiver's copy is what the source is now; whether it had to change."""
        source = served(await self.tezits.there(share.from_tenant, share.tez_id))
        if not source.is_served:
            return False
        copies = await self.tezits.there(share.tenant, share.share_id, or_none=True)
        is_new = not copies or copies[0].digest != source.digest
        if is_new:
            await self.tezits.publish(
                sender_of(share),
                self.tezits.bytes_of(share.from_tenant, source),
                tez_id=share.tez_id,
                under=share.share_id,
                proceed=True,
            )
        now = self.now()
        async with self.records.writing(share.tenant) as connection:
            await change_received(
                connection,
                share.tenant,
                share.share_id,
                source_version=source.version,
                source_digest=source.digest,
                synced_at=now,
            )
            if is_new:
                given, by = await given_of(connection, share), sender_of(share).user
                await noted(connection, given, "share_copied", by, now=now)
        return is_new

    async def _withdrawn(self, share: Received) -> None:
        if await self.tezits.there(share.tenant, share.share_id, or_none=True):
            await self.tezits.withdraw(sender_of(share), share.share_id)


def sender_of(share: Received) -> Caller:
    """Who a copy is published by in the receiver's tenant: nobody of theirs. Whoever published in
    its place, the source wins."""
    return Caller(
        tenant=share.tenant,
        user=f"tenant:{share.from_tenant}",
        permissions=frozenset({Permission.PUBLISH, Permission.ADMIN}),
        tezits=frozenset({share.share_id, share.tez_id}),
    )
