"""Shares in the records of both tenants, and what both are told of them (Enterprise §6.3, §6.6)."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from sqlalchemy import RowMapping, Select, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from tipstaff.errors import NotFound
from tipstaff.records.audit_trail import append_to, of_tenant
from tipstaff.records.tables import RECEIVED_SHARE, SHARE
from tipstaff.tenancy.shares import Consent, Given, OnRevoke, Received, Strategy


def no_such_share() -> NotFound:
    return NotFound("There is no such share.")


async def given_share(connection: AsyncConnection, tenant: str, share_id: str) -> Given | None:
    wanted = _given(tenant).where(SHARE.c.share_id == share_id)
    row = (await connection.execute(wanted)).mappings().first()
    return None if row is None else _given_of(row)


async def given_shares(
    connection: AsyncConnection, tenant: str, tez_id: str | None = None
) -> list[Given]:
    wanted = _given(tenant).order_by(SHARE.c.created_at, SHARE.c.share_id)
    if tez_id is not None:
        wanted = wanted.where(SHARE.c.tez_id == tez_id)
    return [_given_of(row) for row in (await connection.execute(wanted)).mappings()]


async def received_share(
    connection: AsyncConnection, tenant: str, share_id: str
) -> Received | None:
    wanted = _received(tenant).where(RECEIVED_SHARE.c.share_id == share_id)
    row = (await connection.execute(wanted)).mappings().first()
    return None if row is None else _received_of(row)


async def received_shares(connection: AsyncConnection, tenant: str) -> list[Received]:
    wanted = _received(tenant).order_by(RECEIVED_SHARE.c.created_at, RECEIVED_SHARE.c.share_id)
    return [_received_of(row) for row in (await connection.execute(wanted)).mappings()]


async def given_of(connection: AsyncConnection, share: Received) -> Given:
    async with of_tenant(connection, share.from_tenant):
        given = await given_share(connection, share.from_tenant, share.share_id)
    if given is None:
        raise no_such_share()
    return given


async def change_received(
    connection: AsyncConnection, tenant: str, share_id: str, **values: object
) -> None:
    this = RECEIVED_SHARE.c.tenant == tenant, RECEIVED_SHARE.c.share_id == share_id
    async with of_tenant(connection, tenant):
        await connection.execute(update(RECEIVED_SHARE).where(*this).values(**values))


async def decide(connection: AsyncConnection, given: Given) -> bool:
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
    await change_received(connection, given.to_tenant, given.share_id, **values)
    return True


async def noted(
    connection: AsyncConnection,
    given: Given,
    kind: str,
    user: str,
    *,
    now: float,
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
        now=now,
    )


def row_of(share: Given | Received) -> dict[str, Any]:
    row = {field.name: getattr(share, field.name) for field in fields(share)}
    users = None if share.users is None else list(share.users)
    words = ("strategy", "on_revoke", "consent")
    return {**row, "users": users, **{name: str(row[name]) for name in words}}


def _given(tenant: str) -> Select[Any]:
    return select(SHARE).where(SHARE.c.tenant == tenant)


def _received(tenant: str) -> Select[Any]:
    return select(RECEIVED_SHARE).where(RECEIVED_SHARE.c.tenant == tenant)


def _given_of(row: RowMapping) -> Given:
    return Given(**_typed(row))


def _received_of(row: RowMapping) -> Received:
    return Received(**_typed(row))


def _typed(row: RowMapping) -> dict[str, Any]:
    return {
        **row,
        "users": None if row["users"] is None else tuple(row["users"]),
        "strategy": Strategy(row["strategy"]),
        "on_revoke": OnRevoke(row["on_revoke"]),
        "consent": Consent(row["consent"]),
    }
