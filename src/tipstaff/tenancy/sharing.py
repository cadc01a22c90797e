"""Tezits across tenants (Enterprise §6.3): shared, revoked, copied, kept up to date.

What concerns both tenants is written for both in one transaction, audit records included. A copy
is made behind it; what a killed server did not finish is finished at the next round.
"""

from __future__ import annotations

import logging
import secrets
import time
from collections.abc import Callable, Collection
from dataclasses import replace
from typing import Any

from sqlalchemy import insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from tipstaff.domain.caller import Caller, Permission
from tipstaff.errors import AuthorizationDenied, NotFound, TipstaffError, UsageError
from tipstaff.hosting.published import Published, TezState, may_manage, served
from tipstaff.hosting.tezits import Tezits
from tipstaff.records.audit_trail import append_to, of_tenant
from tipstaff.records.database import Records
from tipstaff.records.tables import RECEIVED_SHARE, SHARE
from tipstaff.tenancy.shares import (
    PREFIX,
    Consent,
    Given,
    OnRevoke,
    Received,
    Strategy,
    given_share,
    given_shares,
    received_share,
    received_shares,
    row_of,
)

_LOG = logging.getLogger("tipstaff.tenancy")
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
            await self._check_copyable(caller.tenant, tez)
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
            await self._noted(connection, given, "share_created", caller.user)
        if received.is_due(self._now()):
            await self._copied(received)
        return given

    async def revoke(self, caller: Caller, tez_id: str, share_id: str) -> Given:
        """From this moment on it cannot be asked; what becomes of a copy was said when it was
        shared. To revoke it again changes nothing."""
        now = self._now()
        async with self._records.writing(caller.tenant) as connection:
            given = await given_share(connection, caller.tenant, share_id)
            if given is None or given.tez_id != tez_id:
                raise _no_share()
            if not _may_share(caller, given):
                raise AuthorizationDenied("Only its sender may revoke a share.")
            if given.revoked_at is None:
                this = SHARE.c.tenant == caller.tenant, SHARE.c.share_id == share_id
                await connection.execute(update(SHARE).where(*this).values(revoked_at=now))
                await _change(connection, given.to_tenant, share_id, revoked_at=now)
                await self._noted(connection, given, "share_revoked", caller.user)
        async with self._records.reading(given.to_tenant) as connection:
            received = await received_share(connection, given.to_tenant, share_id)
        async with self._records.reading(caller.tenant) as connection:
            given = await given_share(connection, caller.tenant, share_id) or given
        if received is not None and not received.is_there:
            await self._withdrawn(received)
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
            await self._check_copyable(share.from_tenant, source)
        async with self._records.writing(caller.tenant) as connection:
            given = replace(await self._given_of(connection, share), consent=consent)
            if await _decided(connection, given):
                kind = f"share_{consent}"
                await self._noted(connection, given, kind, caller.user, by_receiver=True)
        share = await self._to_decide(caller, share_id)
        if not share.is_there:
            await self._withdrawn(share)
        elif share.is_due(self._now()):
            await self._copied(share)
        return await self._to_decide(caller, share_id)

    async def _to_decide(self, caller: Caller, share_id: str) -> Received:
        async with self._records.reading(caller.tenant) as connection:
            share = await received_share(connection, caller.tenant, share_id)
        if share is None or not share.may_be_decided_by(caller):
            raise _no_share()
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
        """One round over all copies: made where they are missing, renewed where their source is
        another, withdrawn where their share is over. How many changed."""
        now, changed = self._now(), 0
        for share in await self._every_received():
            try:
                if share.is_due(now):
                    changed += await self._copied(share)
                elif share.strategy.is_copy and not share.is_there:
                    await self._withdrawn(share)
            except TipstaffError as problem:
                # Its source is out of reach, or no longer fit: the copy stays, and grows stale.
                _LOG.warning("a share could not be synchronised: %s", problem.code)
        return changed

    async def _every_received(self) -> list[Received]:
        """Of all tenants, each read by itself."""
        wanted = select(RECEIVED_SHARE.c.tenant).distinct()
        rows = await self._records.across(wanted, why="copies of shares")
        found: list[Received] = []
        for row in rows:
            async with self._records.reading(row.tenant) as connection:
                found += await received_shares(connection, row.tenant)
        return found

    async def _managed(self, caller: Caller, tez_id: str) -> Published:
        tez = await self._tezits.describe(caller, tez_id)
        if not may_manage(caller, tez):
            raise AuthorizationDenied("Only its sender may share a tez.")
        return tez

    async def _check_copyable(self, tenant: str, tez: Published) -> None:
        if tez.state is TezState.IN_PLACE:
            raise UsageError("A bundle that is served in place has no bytes here to be copied.")
        indexed = await self._tezits.opened(tenant, tez.tez_id, tez.version)
        # Enterprise §6.3, 1: there is no copy unless it is meant to leave.
        if indexed.opened.bundle.hosting.allow_download is False:
            raise AuthorizationDenied("The manifest of this tez does not allow it to be copied.")

    async def _copied(self, share: Received) -> bool:
        """The receiver's copy is what the source is now; whether it had to change."""
        source = served(await self._tezits.there(share.from_tenant, share.tez_id))
        if not source.is_served:
            return False
        copies = await self._tezits.there(share.tenant, share.share_id, or_none=True)
        is_new = not copies or copies[0].digest != source.digest
        if is_new:
            await self._tezits.publish(
                sender_of(share),
                self._tezits.bytes_of(share.from_tenant, source),
                tez_id=share.tez_id,
                under=share.share_id,
                proceed=True,
            )
        now = self._now()
        async with self._records.writing(share.tenant) as connection:
            await _change(
                connection,
                share.tenant,
                share.share_id,
                source_version=source.version,
                source_digest=source.digest,
                synced_at=now,
            )
            if is_new:
                given = await self._given_of(connection, share)
                await self._noted(connection, given, "share_copied", sender_of(share).user)
        return is_new

    async def _withdrawn(self, share: Received) -> None:
        if await self._tezits.there(share.tenant, share.share_id, or_none=True):
            await self._tezits.withdraw(sender_of(share), share.share_id)

    async def _given_of(self, connection: AsyncConnection, share: Received) -> Given:
        async with of_tenant(connection, share.from_tenant):
            given = await given_share(connection, share.from_tenant, share.share_id)
        if given is None:
            raise _no_share()
        return given

    async def _noted(
        self,
        connection: AsyncConnection,
        given: Given,
        kind: str,
        user: str,
        *,
        by_receiver: bool = False,
    ) -> None:
        """Enterprise §6.6: in both logs. Who of a tenant's people did it is that tenant's own
        business."""
        told: dict[str, Any] = {
            "share_id": given.share_id,
            "strategy": str(given.strategy),
            "consent": str(given.consent),
        }
        senders = {"tez_id": given.tez_id, "to_tenant": given.to_tenant}
        receivers = {"from_tenant": given.tenant, "external_tez_id": given.tez_id}
        (receivers if by_receiver else senders)["user"] = user
        users = {"users": None if given.users is None else list(given.users)}
        await append_to(
            connection,
            {
                given.tenant: (kind, {**told, **senders, **users}),
                given.to_tenant: (kind, {**told, **receivers, **users}),
            },
            now=self._now(),
        )


def sender_of(share: Received) -> Caller:
    """Who a copy is published by in the receiver's tenant: nobody of theirs. Whoever published in
    its place, the source wins."""
    return Caller(
        tenant=share.tenant,
        user=f"tenant:{share.from_tenant}",
        permissions=frozenset({Permission.PUBLISH, Permission.ADMIN}),
        tezits=frozenset({share.share_id, share.tez_id}),
    )


async def _decided(connection: AsyncConnection, given: Given) -> bool:
    """On both sides, the sender's first, as a revocation does it: whoever is second waits, and
    finds what the first has done. Whether anything changed."""
    this = SHARE.c.tenant == given.tenant, SHARE.c.share_id == given.share_id
    still = SHARE.c.revoked_at.is_(None), SHARE.c.consent != str(given.consent)
    async with of_tenant(connection, given.tenant):
        done = await connection.execute(
            update(SHARE).where(*this, *still).values(consent=str(given.consent))
        )
    if not done.rowcount:
        return False
    values: dict[str, object] = {"consent": str(given.consent)}
    if given.consent is Consent.DECLINED:
        # Its copy goes: if it is taken after all, one is made again.
        values |= {"source_version": None, "source_digest": None, "synced_at": None}
    await _change(connection, given.to_tenant, given.share_id, **values)
    return True


async def _change(
    connection: AsyncConnection, tenant: str, share_id: str, **values: object
) -> None:
    this = RECEIVED_SHARE.c.tenant == tenant, RECEIVED_SHARE.c.share_id == share_id
    async with of_tenant(connection, tenant):
        await connection.execute(update(RECEIVED_SHARE).where(*this).values(**values))


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


def _no_share() -> NotFound:
    return NotFound("There is no such share.")
