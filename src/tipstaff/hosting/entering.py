"""A new row for what was published: which version it is, and whether it is one at all."""

from __future__ import annotations

from dataclasses import replace

from sqlalchemy import func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from tipstaff.domain.caller import Caller
from tipstaff.errors import AuthorizationDenied
from tipstaff.hosting.preparing import Described
from tipstaff.hosting.published import Published, TezState, may_manage, versions_of
from tipstaff.records.tables import TEZ

LOCAL_USER = "user:local"
# A sender's own version number is used, unless it is absurd.
_MOST_VERSION = 1_000_000


async def entered(
    connection: AsyncConnection, caller: Caller, described: Described, *, digest: str, now: float
) -> Published:
    """Equal bytes are the version that is there; others are the next. What failed to be indexed
    and is sent again is tried again: perhaps the fault was ours, and is mended."""
    versions = await versions_of(connection, caller.tenant, described.tez_id)
    newest = versions[0] if versions else None
    if newest is not None and not may_manage(caller, newest):
        raise AuthorizationDenied("Only its sender may publish a new version of a tez.")
    if newest is not None and newest.digest == digest:
        if newest.state is not TezState.FAILED:
            return newest
        again = replace(newest, state=TezState.INDEXING, progress="")
        this = TEZ.c.tenant == caller.tenant, TEZ.c.tez_id == again.tez_id
        changed = update(TEZ).where(*this, TEZ.c.version == again.version)
        await connection.execute(changed.values(state=again.state, progress=""))
        return again
    return await _added(
        connection,
        caller.tenant,
        Published(
            tez_id=described.tez_id,
            version=described.version,
            digest=digest,
            title=described.title,
            state=TezState.INDEXING,
            progress="",
            published_at=now,
            published_by=caller.user,
        ),
    )


async def entered_in_place(
    connection: AsyncConnection, tenant: str, there: Described, *, now: float
) -> Published:
    """The version that it was when it was last served, if its content is the same."""
    versions = await versions_of(connection, tenant, there.tez_id)
    if versions and versions[0].state is TezState.IN_PLACE and versions[0].digest == there.digest:
        return versions[0]
    return await _added(
        connection,
        tenant,
        Published(
            tez_id=there.tez_id,
            version=there.version,
            digest=there.digest,
            title=there.title,
            state=TezState.IN_PLACE,
            progress="",
            published_at=now,
            published_by=LOCAL_USER,
        ),
    )


async def _added(connection: AsyncConnection, tenant: str, tez: Published) -> Published:
    """Under the sender's version number, if there was none as high before; else the next. Those of
    withdrawn versions are not used again: a session may still name them."""
    highest = select(func.max(TEZ.c.version))
    of_tez = highest.where(TEZ.c.tenant == tenant, TEZ.c.tez_id == tez.tez_id)
    last = await connection.scalar(of_tez) or 0
    if not last < tez.version <= _MOST_VERSION:
        tez = replace(tez, version=last + 1)
    row = {one.name: getattr(tez, one.name) for one in TEZ.columns if one.name != "tenant"}
    await connection.execute(insert(TEZ).values(tenant=tenant, **row))
    return tez
