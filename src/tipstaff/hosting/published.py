"""A published version of a tez, and who may know of it.

Unknown, forbidden and withdrawn are one answer (Enterprise §10.1): `NotFound`, in the same words.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from sqlalchemy import RowMapping, Select, select
from sqlalchemy.ext.asyncio import AsyncConnection

from tipstaff.domain.caller import Caller, Permission
from tipstaff.domain.origin import Origin, external_name
from tipstaff.errors import NotFound
from tipstaff.records.tables import TEZ


class TezState(StrEnum):
    INDEXING = "indexing"
    READY = "ready"
    FAILED = "failed"
    WITHDRAWN = "withdrawn"
    # Served from where it lies, by this process alone; of another process, it is as if withdrawn.
    IN_PLACE = "in_place"


@dataclass(frozen=True, slots=True, kw_only=True)
class Published:
    """`digest` is the SHA-256 of the bytes that were sent; `progress` what is being done to it, or
    why it failed. Of what another tenant shares, `origin` says where it is asked; None for what is
    asked here, a copy among it."""

    tez_id: str
    version: int
    digest: str
    title: str
    state: TezState
    progress: str
    published_at: float
    published_by: str
    is_shared: bool = False
    origin: Origin | None = None

    @property
    def is_served(self) -> bool:
        return self.state in (TezState.READY, TezState.IN_PLACE)


def may_see(caller: Caller, tez: Published) -> bool:
    """Recipients what they were granted, publishers also what is their own, admins everything;
    a token for some tezits is never good for another."""
    if caller.tezits is not None and tez.tez_id not in caller.tezits:
        return False
    return caller.may(Permission.INTERROGATE) or may_manage(caller, tez)


def may_manage(caller: Caller, tez: Published) -> bool:
    """Withdraw it, replace it, see what it cost: its sender, or an admin of the tenant."""
    if caller.tezits is not None and tez.tez_id not in caller.tezits:
        return False
    is_own = caller.may(Permission.PUBLISH) and tez.published_by == caller.user
    return is_own or caller.may(Permission.ADMIN)


def asked_as(caller: Caller, tez: Published) -> tuple[str, str | None]:
    """The tenant in which a tez is asked, and the recipient's name there; None for whoever
    published it, who has all of it anyway. The people whom a shared tez names are its sender's,
    also in a copy of it."""
    if tez.is_shared:
        tenant = caller.tenant if tez.origin is None else tez.origin.tenant
        return tenant, external_name(caller.tenant, caller.user)
    return caller.tenant, None if tez.published_by == caller.user else caller.user


def no_such_tez() -> NotFound:
    """Always the same: it does not even repeat the name."""
    return NotFound("There is no such tez.")


async def versions_of(
    connection: AsyncConnection, tenant: str, tez_id: str | None = None
) -> list[Published]:
    """What is there of a tenant (of one tez), the newest version first, withdrawn ones left out."""
    there = _rows(tenant).where(TEZ.c.state != TezState.WITHDRAWN)
    if tez_id is not None:
        there = there.where(TEZ.c.tez_id == tez_id)
    rows = await connection.execute(there.order_by(TEZ.c.tez_id, TEZ.c.version.desc()))
    return [published(row) for row in rows.mappings()]


async def once_managed(connection: AsyncConnection, caller: Caller, tez_id: str) -> Published:
    """The newest version of a tez that the caller may manage, also if it has been withdrawn: what
    it cost is still to be known. Else there is none."""
    newest = _rows(caller.tenant).where(TEZ.c.tez_id == tez_id).order_by(TEZ.c.version.desc())
    row = (await connection.execute(newest.limit(1))).mappings().first()
    if row is None or not may_manage(caller, published(row)):
        raise no_such_tez()
    return published(row)


def served(versions: Sequence[Published]) -> Published:
    """Of the versions of one tez, newest first, the one that recipients get: while a new one is
    being indexed it is the one before."""
    return next((one for one in versions if one.is_served), versions[0])


def version_of(versions: Sequence[Published], version: int | None) -> Published:
    """One version of these, or without a number the one that recipients get."""
    if version is None:
        return served(versions)
    found = next((one for one in versions if one.version == version), None)
    if found is None:
        raise no_such_tez()
    return found


def published(row: RowMapping) -> Published:
    return Published(
        tez_id=row["tez_id"],
        version=row["version"],
        digest=row["digest"],
        title=row["title"],
        state=TezState(row["state"]),
        progress=row["progress"],
        published_at=row["published_at"],
        published_by=row["published_by"],
    )


def _rows(tenant: str) -> Select[tuple[object, ...]]:
    return select(TEZ).where(TEZ.c.tenant == tenant)
