"""Rows of the records: each belongs to a tenant, and leads to rows of that tenant alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from sqlalchemy import Select, Table, and_, exists, select

from tipstaff.domain.finding import Finding, error
from tipstaff.records.database import Records
from tipstaff.records.tables import (
    ASKED,
    EVENT,
    EXCHANGE,
    LOGGED_QUERY,
    METADATA,
    RECEIVED_SHARE,
    RESERVATION,
    SESSION,
    TEZ,
)

_WHY = "audit of tenants"
# What a row speaks of has to be there for the same tenant. Reservations outlive their session:
# an erased one leaves its costs.
_LEADS_TO = (
    (ASKED, SESSION, "session_id"),
    (EVENT, SESSION, "session_id"),
    (EXCHANGE, SESSION, "session_id"),
    (LOGGED_QUERY, SESSION, "session_id"),
    (SESSION, TEZ, "tez_id"),
    (RESERVATION, TEZ, "tez_id"),
)
# What another tenant shares is a tez of its receivers under the share's id (decision 18).
_SHARED = RECEIVED_SHARE.c


async def tenants_of(records: Records) -> set[str]:
    """Everybody who has a row anywhere."""
    found: set[str] = set()
    for table in _tables():
        named = select(table.c.tenant).distinct()
        found |= {row.tenant for row in await records.across(named, why=_WHY)}
    return found


async def stray_rows(records: Records) -> list[Finding]:
    findings: list[Finding] = []
    for table in _tables():
        nobodys = select(table.c.tenant).where(table.c.tenant == "").limit(1)
        if await records.across(nobodys, why=_WHY):
            findings.append(error("row_of_nobody", table.name, "A row has no tenant."))
    for table, target, name in _LEADS_TO:
        alone = await records.across(_without_target(table, target, name), why=_WHY)
        elsewhere = await records.across(_of_others(table, target, name), why=_WHY)
        findings += _told(table, target, name, alone, {tuple(row) for row in elsewhere})
    return findings


def _tables() -> list[Table]:
    return [table for table in METADATA.sorted_tables if "tenant" in table.c]


def _without_target(table: Table, target: Table, name: str) -> Select[Any]:
    """Rows whose session or tez their own tenant does not have."""
    own = and_(target.c.tenant == table.c.tenant, target.c[name] == table.c[name])
    alone = _named(table, name).where(~exists(select(target.c.tenant).where(own)))
    if target is not TEZ:
        return alone
    shared = and_(_SHARED.tenant == table.c.tenant, _SHARED.share_id == table.c[name])
    return alone.where(~exists(select(_SHARED.tenant).where(shared)))


def _of_others(table: Table, target: Table, name: str) -> Select[Any]:
    """Of those, the ones whose session or tez another tenant has: not lost, but misplaced."""
    others = and_(target.c.tenant != table.c.tenant, target.c[name] == table.c[name])
    return _without_target(table, target, name).where(exists(select(target.c.tenant).where(others)))


def _named(table: Table, name: str) -> Select[Any]:
    columns: list[Any] = [table.c.tenant, table.c[name]]
    return select(*columns).distinct().order_by(*columns)


def _told(
    table: Table, target: Table, name: str, alone: Sequence[Any], elsewhere: set[tuple[Any, ...]]
) -> Iterator[Finding]:
    for row in alone:
        where = f"{table.name}: tenant {row[0]}, {name} {row[1]}"
        if tuple(row) in elsewhere:
            yield error("row_of_another", where, f"Its {target.name} is another tenant's.")
        else:
            yield error("row_astray", where, f"The tenant has no such {target.name}.")
