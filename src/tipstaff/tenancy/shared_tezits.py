"""The tezits of a tenant, with those that others share with it (Enterprise §6.3).

A share that accepts the dependency is opened where its sender has it: in the sender's index, under
the sender's tenant. Whether it may still be asked is looked up each time, so that a revoked share
is gone from that moment on.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from tipstaff.domain.caller import Caller
from tipstaff.hosting.published import Published, no_such_tez, served, version_of
from tipstaff.hosting.tezits import Tezits
from tipstaff.indexing import IndexedBundle
from tipstaff.records.database import Records
from tipstaff.tenancy.share_records import received_share, received_shares
from tipstaff.tenancy.shares import PREFIX, Received


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedTez(Published):
    """A tez of another tenant, as its receivers have it."""

    share: Received


@dataclass(frozen=True, slots=True)
class SharedTezits:
    tezits: Tezits
    records: Records

    async def publish(
        self,
        caller: Caller,
        content: AsyncIterator[bytes] | Path,
        *,
        tez_id: str | None = None,
        proceed: bool = False,
        wait: bool = True,
    ) -> Published:
        return await self.tezits.publish(caller, content, tez_id=tez_id, proceed=proceed, wait=wait)

    async def describe(self, caller: Caller, tez_id: str, version: int | None = None) -> Published:
        share = await self._share(caller.tenant, tez_id)
        if share is None:
            return await self.tezits.describe(caller, tez_id, version)
        if not share.may_be_asked_by(caller):
            raise no_such_tez()
        return _as_received(share, version_of(await self._versions(share), version))

    async def list(self, caller: Caller) -> Sequence[Published]:
        async with self.records.reading(caller.tenant) as connection:
            shares = await received_shares(connection, caller.tenant)
        known = {share.share_id for share in shares}
        own = [one for one in await self.tezits.list(caller) if one.tez_id not in known]
        shared = []
        for share in shares:
            if not share.may_be_asked_by(caller):
                continue
            if versions := await self._versions(share, or_none=True):
                shared.append(_as_received(share, served(versions)))
        return [*own, *shared]

    async def withdraw(self, caller: Caller, tez_id: str) -> None:
        """Of a share, only a copy is the receiver's to withdraw."""
        share = await self._share(caller.tenant, tez_id)
        if share is not None and not share.strategy.is_copy:
            raise no_such_tez()
        await self.tezits.withdraw(caller, tez_id)

    async def opened(self, tenant: str, tez_id: str, version: int) -> IndexedBundle:
        share = await self._share(tenant, tez_id)
        if share is None:
            return await self.tezits.opened(tenant, tez_id, version)
        if not share.is_there:
            raise no_such_tez()
        if share.strategy.is_copy:
            return await self.tezits.opened(tenant, tez_id, version)
        return await self.tezits.opened(share.from_tenant, share.tez_id, version)

    async def _versions(self, share: Received, *, or_none: bool = False) -> Sequence[Published]:
        if share.strategy.is_copy:
            return await self.tezits.there(share.tenant, share.share_id, or_none=or_none)
        return await self.tezits.there(share.from_tenant, share.tez_id, or_none=or_none)

    async def _share(self, tenant: str, tez_id: str) -> Received | None:
        if not tez_id.startswith(PREFIX):
            return None
        async with self.records.reading(tenant) as connection:
            return await received_share(connection, tenant, tez_id)


def _as_received(share: Received, tez: Published) -> SharedTez:
    """Under the receiver's name of it; who published it is the sender as a whole, so that nobody
    of the receiver's is taken for its owner because of an equal name."""
    facts: dict[str, Any] = {field.name: getattr(tez, field.name) for field in fields(Published)}
    facts |= {"tez_id": share.share_id, "published_by": f"tenant:{share.from_tenant}"}
    facts |= {"is_shared": True, "origin": None if share.strategy.is_copy else share.origin}
    return SharedTez(**facts, share=share)
