"""The audit log of each tenant, written in the transaction of what it records.

Whoever appends holds the head of the tenant's chain until the transaction ends, so that the chain
has no fork, whichever process writes. Heads are taken last in a transaction, and those of two
tenants in the order of their names: nobody waits for anybody in a circle.
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any

from sqlalchemy import RowMapping, func, insert, select, text, update
from sqlalchemy.ext.asyncio import AsyncConnection

from tipstaff.audit.chain import GENESIS, AuditRecord, canonical, linked
from tipstaff.audit.pruning import PRUNED, tombstone
from tipstaff.audit.search import AuditSearch
from tipstaff.records.database import Records
from tipstaff.records.tables import AUDIT, AUDIT_HEAD
from tipstaff.records.tenant_connection import TenantConnection

_PAGE = 500
_EVERYTHING = AuditSearch()
# What is taken out at once: whoever prunes keeps the tenant's other writers waiting.
_MOST_PRUNED = 5_000


async def append(
    connection: AsyncConnection, tenant: str, kind: str, body: Mapping[str, Any], *, now: float
) -> AuditRecord:
    """One record at the end of the tenant's chain; it is there if the transaction is."""
    async with of_tenant(connection, tenant):
        number, previous = await _head(connection, tenant)
        record = linked(
            tenant=tenant,
            number=number + 1,
            at=moment(now),
            kind=kind,
            body=body,
            previous=previous,
        )
        await connection.execute(insert(AUDIT).values(**_row(record)))
        head = update(AUDIT_HEAD).where(AUDIT_HEAD.c.tenant == tenant)
        await connection.execute(head.values(number=record.number, hash=record.hash))
    return record


async def append_to(
    connection: AsyncConnection, bodies: Mapping[str, tuple[str, Mapping[str, Any]]], *, now: float
) -> None:
    """Enterprise §6.6: what concerns two tenants is in both logs, or in neither. `bodies` are
    kind and body by tenant."""
    for tenant in sorted(bodies):
        kind, body = bodies[tenant]
        await append(connection, tenant, kind, body, now=now)


@asynccontextmanager
async def of_tenant(connection: AsyncConnection, tenant: str) -> AsyncIterator[None]:
    """A part of a transaction that is done for this tenant, whoever's transaction it is: what
    concerns two of them is written for both or for neither."""
    if not isinstance(connection, TenantConnection) or connection.tenant == tenant:
        yield
        return
    before = connection.tenant
    await connection.act_for(tenant)
    yield
    # Not after an error: the transaction is lost then, and takes no more words.
    await connection.act_for(before)


async def page(
    connection: AsyncConnection, tenant: str, search: AuditSearch = _EVERYTHING
) -> list[AuditRecord]:
    number, at = AUDIT.c.number, AUDIT.c.at
    wanted = select(AUDIT).where(AUDIT.c.tenant == tenant, number > search.after)
    wanted = wanted.order_by(number if search.before is None else number.desc())
    if search.before is not None:
        wanted = wanted.where(number < search.before)
    if search.kind:
        wanted = wanted.where(AUDIT.c.kind == search.kind)
    if search.since:
        wanted = wanted.where(at >= search.since)
    if search.until:
        # Of a day, all of it: its moments come behind its name and before this.
        wanted = wanted.where(at < f"{search.until}~")
    for word in search.words.lower().split():
        said = func.lower(AUDIT.c.kind + " " + func.coalesce(AUDIT.c.body, ""))
        wanted = wanted.where(said.contains(word, autoescape=True))
    found = await connection.execute(wanted.limit(search.limit))
    return [_record(row) for row in found.mappings()]


async def every(records: Records, tenant: str) -> AsyncIterator[AuditRecord]:
    """The whole log of one tenant, in order."""
    after = 0
    while True:
        async with records.reading(tenant) as connection:
            found = await page(connection, tenant, AuditSearch(after=after, limit=_PAGE))
        for record in found:
            yield record
        if len(found) < _PAGE:
            return
        after = found[-1].number


async def head(connection: AsyncConnection, tenant: str) -> tuple[int, str]:
    """Where the log ends, as it was noted beside it; 0 if there is none."""
    wanted = select(AUDIT_HEAD.c.number, AUDIT_HEAD.c.hash).where(AUDIT_HEAD.c.tenant == tenant)
    row = (await connection.execute(wanted)).first()
    return (0, GENESIS) if row is None else (row.number, row.hash)


async def tenants(records: Records) -> Sequence[str]:
    """Whoever has a log, for upkeep."""
    rows = await records.across(select(AUDIT_HEAD.c.tenant), why="retention of audit records")
    return [row.tenant for row in rows]


async def prune(
    records: Records,
    tenant: str,
    *,
    kinds: Collection[str],
    older_than: float,
    key: bytes,
    by: str,
    now: float,
) -> int:
    """The bodies of old records go; what stays is that they were, and a sealed record that says
    who let them go. How many they were."""
    limit = moment(older_than)
    old = (AUDIT.c.tenant == tenant) & AUDIT.c.kind.in_(kinds) & (AUDIT.c.at < limit)
    wanted = select(AUDIT).where(old, AUDIT.c.body.is_not(None)).order_by(AUDIT.c.number)
    async with records.writing(tenant) as connection:
        await _head(connection, tenant)
        rows = (await connection.execute(wanted.limit(_MOST_PRUNED))).mappings().all()
        gone = [_record(row) for row in rows]
        if not gone:
            return 0
        numbers = AUDIT.c.number.in_([record.number for record in gone])
        these = update(AUDIT).where(AUDIT.c.tenant == tenant, numbers)
        await connection.execute(these.values(body=None))
        stone = tombstone(gone, older_than=limit, by=by, key=key)
        await append(connection, tenant, PRUNED, stone, now=now)
    await records.scrub()
    return len(gone)


def moment(seconds: float) -> str:
    """UTC to the millisecond, always as long: earlier moments come first by their letters."""
    said = dt.datetime.fromtimestamp(seconds, dt.UTC).isoformat(timespec="milliseconds")
    return said.replace("+00:00", "Z")


async def _head(connection: AsyncConnection, tenant: str) -> tuple[int, str]:
    """The end of the chain, held until the transaction ends."""
    hold = (
        update(AUDIT_HEAD)
        .where(AUDIT_HEAD.c.tenant == tenant)
        .values(number=AUDIT_HEAD.c.number)
        .returning(AUDIT_HEAD.c.number, AUDIT_HEAD.c.hash)
    )
    row = (await connection.execute(hold)).first()
    if row is None:
        # Two who begin a tenant's log at once: the second waits for the first, then finds its row.
        begin = text(
            "INSERT INTO audit_head (tenant, number, hash) VALUES (:tenant, 0, :hash) "
            "ON CONFLICT DO NOTHING"
        )
        await connection.execute(begin, {"tenant": tenant, "hash": GENESIS})
        row = (await connection.execute(hold)).one()
    return row.number, row.hash


def _row(record: AuditRecord) -> dict[str, Any]:
    body = None if record.body is None else canonical(record.body).decode()
    return {**record.to_wire(), "body": body}


def _record(row: RowMapping) -> AuditRecord:
    body = None if row["body"] is None else json.loads(row["body"])
    return AuditRecord(**{**row, "body": body})
