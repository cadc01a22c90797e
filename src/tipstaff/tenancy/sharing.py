"""Tezits across tenants (Enterprise §6.3): shared, accepted or declined, revoked.

What concerns both tenants is written for both in one transaction, audit records included. Copies
follow behind it (`copies.py`).
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Collection
from dataclasses import replace

from sqlalchemy import insert, update

from tipstaff.domain.caller import Caller, Permission
from tipstaff.errors import AuthorizationDenied, UsageError
from tipstaff.hosting.published import Published, may_manage, served
from tipstaff.hosting.tezits import Tezits
from tipstaff.records.audit_trail import of_tenant
from tipstaff.records.database import Records
from tipstaff.records.tables import RECEIVED_SHARE, SHARE
from tipstaff.tenancy.copies import Copies
from tipstaff.tenancy.share_records import (
    change_received,
    decide,
    given_of,
    given_share,
    given_shares,
    no_such_share,
    noted,
    received_share,
    received_shares,
    row_of,
)
from tipstaff.tenancy.shares import PREFIX, Consent, Given, OnRevoke, Received, Strategy

SYNC_INTERVAL_S = 3_600
_SHORTEST_S, _LONGEST_S = 60, 30 * 86_400
_MOST_NAME_CHARS = 200
# The setting `accept_shares`: taken without asking; else the receiver is asked.
ALWAYS = "always"


class Sharing:
    def __init__(
        self,
        records: Records,
        tezits: Tezits,
        *,
        accept_shares: str = ALWAYS,
        now: Callable[[], float] = time.time,
    ) -> None:
        self._records, self._tezits, self._now = records, tezits, now
        self._copies = Copies(records=records, tezits=tezits, now=now)
        self._at_first = Consent.ACCEPTED if accept_shares == ALWAYS else Consent.ASKED

    async def share(
        self,
        caller: Caller,
        tez_id: str,
        *,
        to_tenant: str,
        strategy: Strategy = Strategy.ACCEPT_DEPENDENCY,
        users: Collection[str] | None = None,
        sync_interval_s: int | None = None,
        on_revoke: OnRevoke | None = None,
    ) -> Given:
        """Enterprise §6.3.1's default within a platform is to accept the dependency."""
        tez = await self._managed(caller, tez_id)
        _check_terms(caller, to_tenant, strategy, sync_interval_s, on_revoke)
        if strategy.is_copy:
            await self._copies.check_copyable(caller.tenant, tez)
        replicated = strategy is Strategy.REPLICATED
        given = Given(
            share_id=PREFIX + secrets.token_hex(8),
            tenant=caller.tenant,
            tez_id=tez_id,
            to_tenant=to_tenant,
            users=None if users is None else tuple(sorted(set(users))),
            strategy=strategy,
            # A snapshot was handed over; a replica is lent.
            on_revoke=on_revoke or (OnRevoke.WITHDRAW if replicated else OnRevoke.KEEP),
            sync_interval_s=(sync_interval_s or SYNC_INTERVAL_S) if replicated else None,
            created_at=self._now(),
            created_by=caller.user,
            consent=self._at_first,
        )
        received = _received_of(given)
        async with self._records.writing(caller.tenant) as connection:
            await connection.execute(insert(SHARE).values(**row_of(given)))
            async with of_tenant(connection, to_tenant):
                await connection.execute(insert(RECEIVED_SHARE).values(**row_of(received)))
            await noted(connection, given, "share_created", caller.user, now=given.created_at)
        await self._copies.see_to(received)
        return given

    async def revoke(self, caller: Caller, tez_id: str, share_id: str) -> Given:
        """From this moment on it cannot be asked; what becomes of a copy was said when it was
        shared. To revoke it again changes nothing."""
        now = self._now()
        async with self._records.writing(caller.tenant) as connection:
            given = await given_share(connection, caller.tenant, share_id)
            if given is None or given.tez_id != tez_id:
                raise no_such_share()
            if not _may_share(caller, given):
                raise AuthorizationDenied("Only its sender may revoke a share.")
            if given.revoked_at is None:
                this = SHARE.c.tenant == caller.tenant, SHARE.c.share_id == share_id
                await connection.execute(update(SHARE).where(*this).values(revoked_at=now))
                await change_received(connection, given.to_tenant, share_id, revoked_at=now)
                await noted(connection, given, "share_revoked", caller.user, now=now)
        async with self._records.reading(given.to_tenant) as connection:
            received = await received_share(connection, given.to_tenant, share_id)
        async with self._records.reading(caller.tenant) as connection:
            given = await given_share(connection, caller.tenant, share_id) or given
        if received is not None:
            await self._copies.see_to(received)
        return given

    async def decide(self, caller: Caller, share_id: str, consent: Consent) -> Received:
        """The receiving tenant accepts or declines, and may change its mind. What is declined
        cannot be asked from this moment on, and a copy of it goes."""
        share = await self._to_decide(caller, share_id)
        if share.consent is consent:
            return share
        if consent is Consent.ACCEPTED and share.strategy.is_copy:
            # What was fit to be copied when it was offered may have another version now.
            source = served(await self._tezits.there(share.from_tenant, share.tez_id))
            await self._copies.check_copyable(share.from_tenant, source)
        async with self._records.writing(caller.tenant) as connection:
            given = replace(await given_of(connection, share), consent=consent)
            if await decide(connection, given):
                by, now = caller.user, self._now()
                await noted(connection, given, f"share_{consent}", by, now=now, by_receiver=True)
        share = await self._to_decide(caller, share_id)
        await self._copies.see_to(share)
        return await self._to_decide(caller, share_id)

    async def _to_decide(self, caller: Caller, share_id: str) -> Received:
        async with self._records.reading(caller.tenant) as connection:
            share = await received_share(connection, caller.tenant, share_id)
        if share is None or not share.may_be_decided_by(caller):
            raise no_such_share()
        return share

    async def given(self, caller: Caller, tez_id: str) -> list[Given]:
        """To whom a tez is and was shared, for those who may share it."""
        async with self._records.reading(caller.tenant) as connection:
            found = await given_shares(connection, caller.tenant, tez_id)
        mine = [one for one in found if _may_share(caller, one)]
        if not mine:
            await self._managed(caller, tez_id)
        return mine

    async def given_by(self, tenant: str, tez_id: str | None = None) -> list[Given]:
        """All that a tenant shares and shared, for whoever runs the server."""
        async with self._records.reading(tenant) as connection:
            return await given_shares(connection, tenant, tez_id)

    async def received(self, caller: Caller) -> list[Received]:
        """What the caller may ask of what others shared with their tenant, and what waits for
        their answer or had none but no."""
        async with self._records.reading(caller.tenant) as connection:
            found = await received_shares(connection, caller.tenant)
        return [
            one
            for one in found
            if one.may_be_asked_by(caller)
            or (one.consent is not Consent.ACCEPTED and one.may_be_decided_by(caller))
        ]

    async def sync(self) -> int:
        """One round over all copies; how many changed."""
        return await self._copies.sync()

    async def _managed(self, caller: Caller, tez_id: str) -> Published:
        tez = await self._tezits.describe(caller, tez_id)
        if not may_manage(caller, tez):
            raise AuthorizationDenied("Only its sender may share a tez.")
        return tez


def _check_terms(
    caller: Caller,
    to_tenant: str,
    strategy: Strategy,
    sync_interval_s: int | None,
    on_revoke: OnRevoke | None,
) -> None:
    named = 0 < len(to_tenant) <= _MOST_NAME_CHARS and to_tenant.isprintable()
    if not named or to_tenant == caller.tenant:
        raise UsageError("A tez is shared with another tenant, by its name.")
    if sync_interval_s is not None:
        if strategy is not Strategy.REPLICATED:
            raise UsageError("Only a replicated share has an interval of synchronisation.")
        if not _SHORTEST_S <= sync_interval_s <= _LONGEST_S:
            raise UsageError(f"The interval is from {_SHORTEST_S} to {_LONGEST_S} seconds.")
    if on_revoke is not None and not strategy.is_copy:
        raise UsageError("Without a copy there is nothing to keep when a share is revoked.")


def _may_share(caller: Caller, given: Given) -> bool:
    if caller.tezits is not None and given.tez_id not in caller.tezits:
        return False
    is_own = caller.may(Permission.PUBLISH) and given.created_by == caller.user
    return is_own or caller.may(Permission.ADMIN)


def _received_of(given: Given) -> Received:
    return Received(
        share_id=given.share_id,
        tenant=given.to_tenant,
        from_tenant=given.tenant,
        tez_id=given.tez_id,
        users=given.users,
        strategy=given.strategy,
        on_revoke=given.on_revoke,
        sync_interval_s=given.sync_interval_s,
        created_at=given.created_at,
        consent=given.consent,
    )
