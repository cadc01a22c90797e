"""Published tezits: received, checked, kept by content, indexed ahead of time, withdrawn.

What the database says is what there is. Bytes come before the row that needs them and go after
it, so that a killed server leaves at most bytes that nobody needs, and the next start drops them.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from sqlalchemy import func, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from tipstaff.domain.caller import LOCAL_TENANT, Caller, Permission
from tipstaff.errors import (
    AuthorizationDenied,
    BundleUnusable,
    RetrievalFailed,
    TipstaffError,
    UsageError,
)
from tipstaff.hosting.blobs import Blobs
from tipstaff.hosting.entering import entered, entered_in_place
from tipstaff.hosting.indexing_ahead import IndexingAhead, Progress
from tipstaff.hosting.open_tezits import OpenTezits
from tipstaff.hosting.preparing import describe_received, describe_there, prepared
from tipstaff.hosting.published import (
    Published,
    TezState,
    may_manage,
    may_see,
    no_such_tez,
    served,
    version_of,
    versions_of,
)
from tipstaff.indexing import IndexedBundle
from tipstaff.records.audit_trail import append
from tipstaff.records.database import Records
from tipstaff.records.tables import TEZ
from tipstaff.settings import Settings
from tipstaff.store.registry import store_named

_LOG = logging.getLogger("tipstaff.hosting")
_READY_IN_A_MOMENT_S, _LOOK_AGAIN_S = 3.0, 0.1


class Tezits:
    def __init__(
        self,
        records: Records,
        *,
        settings: Settings,
        data_folder: Path,
        now: Callable[[], float] = time.time,
    ) -> None:
        self._records = records
        self._settings = settings
        self._now = now
        self._blobs = Blobs(data_folder, max_bytes=settings.max_tez_bytes)
        self._open = OpenTezits(settings.open_tezits, now=now)
        self.indexing = IndexingAhead(
            records, self._open, preparation=self._preparation, forget=self._drop_indexes
        )
        # Bundles that are served from where they lie, by id and version.
        self._in_place: dict[tuple[str, int], Path] = {}

    async def start(self) -> None:
        """What a killed server left undone: indexes are built, bytes that nobody needs dropped."""
        known = select(TEZ.c.tenant).distinct().order_by(TEZ.c.tenant)
        rows = await self._records.across(known, why="tenants that have tezits")
        tenants = [tenant for (tenant,) in rows]
        await self.indexing.resume()
        await asyncio.to_thread(self._blobs.drop_nobodys, tenants)
        for tenant in tenants:
            kept = await asyncio.to_thread(self._blobs.digests, tenant)
            for digest in sorted(set(kept) - await self._needed(tenant)):
                await self._drop_unneeded(tenant, digest)

    async def warm(self) -> None:
        """Enterprise §7.4: after a start, what was asked most of late is opened before it is asked
        again, one after the other, until as many are open as may be."""
        await self._open.asked.remember(self._records)
        for tenant, tez_id in self._open.asked.often(self._settings.open_tezits):
            if self._open.is_full:
                return
            versions = [one for one in await self._there(tenant, tez_id) if one.is_served]
            if versions:
                key = (tenant, tez_id, versions[0].version)
                try:
                    await self._open.get(key, self._preparation(tenant, versions[0]), ahead=True)
                except TipstaffError as problem:
                    # Whoever asks it is told.
                    _LOG.warning("a tez was not opened ahead: %s", problem.code)

    def tell_of_asking(self, told: Callable[[bool], None]) -> None:
        """Whether what is asked was open."""
        self._open.on_asked = told

    async def aclose(self) -> None:
        """Waits for indexes that are being built: threads cannot be stopped."""
        await self.indexing.aclose()
        await self._open.aclose()

    async def publish(
        self,
        caller: Caller,
        content: AsyncIterator[bytes] | Path,
        *,
        tez_id: str | None = None,
        under: str | None = None,
        progress: Progress | None = None,
        proceed: bool = False,
        wait: bool = True,
    ) -> Published:
        """The version that it has become: equal bytes are the version that is there, others the
        next one. `proceed` publishes what lacks items, knowingly (TIP §14.1). Without `wait` the
        answer does not wait for the index. `under` is another id than the bundle's own: that of a
        copy which somebody else shared (Enterprise §6.3)."""
        _may_publish(caller, tez_id)
        async with self._blobs.received(caller.tenant, content) as received:
            described = await asyncio.to_thread(
                describe_received, received.path, tez_id, settings=self._settings, proceed=proceed
            )
            _may_publish(caller, described.tez_id)
            described = described if under is None else replace(described, tez_id=under)
            # The bytes get their name in the transaction that needs them: nobody drops them in
            # between.
            async with self._records.writing(
                caller.tenant, lock=_lock(caller.tenant)
            ) as connection:
                tez = await entered(
                    connection, caller, described, digest=received.digest, now=self._now()
                )
                if tez.state is TezState.INDEXING:
                    await asyncio.to_thread(self._blobs.keep, caller.tenant, received)
                    await self._noted(connection, caller, "published", tez)
        if tez.state is TezState.INDEXING:
            await self.indexing.see_to(caller.tenant, tez, progress, wait=wait)
            if wait:
                return await self.describe(caller, tez.tez_id, tez.version)
        return tez

    async def add_local(self, path: Path) -> Published:
        """A bundle served from where it lies (`tip serve BUNDLE`), as a tez of the tenant `local`.
        It has a new version when its content is not what it was."""
        there = await asyncio.to_thread(describe_there, path, settings=self._settings)
        if any(tez_id == there.tez_id for tez_id, _ in self._in_place):
            raise UsageError(f"Two of the bundles have the id '{there.tez_id}'.")
        async with self._records.writing(LOCAL_TENANT, lock=_lock(LOCAL_TENANT)) as connection:
            tez = await entered_in_place(connection, LOCAL_TENANT, there, now=self._now())
        self._in_place[tez.tez_id, tez.version] = path
        await self.opened(LOCAL_TENANT, tez.tez_id, tez.version)
        return tez

    async def describe(self, caller: Caller, tez_id: str, version: int | None = None) -> Published:
        """One version, or the one that recipients get; NotFound for all that is not theirs."""
        return version_of(await self.versions(caller, tez_id), version)

    async def versions(self, caller: Caller, tez_id: str) -> Sequence[Published]:
        """Every version that is there, newest first."""
        versions = [one for one in await self._there(caller.tenant, tez_id) if may_see(caller, one)]
        if not versions:
            raise no_such_tez()
        return versions

    async def list(self, caller: Caller) -> Sequence[Published]:
        """Every tez that the caller may know of, as recipients get it."""
        by_id: dict[str, list[Published]] = {}
        for one in await self._there(caller.tenant):
            if may_see(caller, one):
                by_id.setdefault(one.tez_id, []).append(one)
        return [served(versions) for versions in by_id.values()]

    def let_go(self, tenant: str, tez_id: str) -> None:
        """It was withdrawn, here or by another instance: nothing of it stays open."""
        self._open.drop(tenant, tez_id)

    async def withdraw(self, caller: Caller, tez_id: str) -> None:
        """All versions, their bytes and indexes: from now on there never was such a tez."""
        tenant = caller.tenant
        this = (TEZ.c.tenant == tenant) & (TEZ.c.tez_id == tez_id)
        gone = {"state": TezState.WITHDRAWN, "title": "", "progress": ""}
        async with self._records.writing(tenant, lock=_lock(tenant)) as connection:
            versions = self._of_here(await versions_of(connection, tenant, tez_id))
            if not versions or not may_see(caller, versions[0]):
                raise no_such_tez()
            if not may_manage(caller, versions[0]):
                raise AuthorizationDenied("Only its sender may withdraw a tez.")
            await connection.execute(update(TEZ).where(this).values(**gone))
            await self._noted(connection, caller, "withdrawn", versions[0])
        for one in versions:
            if one.state is TezState.IN_PLACE:
                del self._in_place[tez_id, one.version]
            await self._drop_unneeded(tenant, one.digest)
        await self._drop_indexes(tenant, tez_id)

    async def opened(self, tenant: str, tez_id: str, version: int) -> IndexedBundle:
        """The bundle of a version, shared by all who ask it. It stays open while it is used."""
        tez = await self._indexed(tenant, tez_id, version)
        if tez.state is TezState.INDEXING:
            raise RetrievalFailed(
                "This tez is still being indexed.", suggestion=tez.progress or None
            )
        if tez.state is TezState.FAILED:
            raise BundleUnusable("This tez could not be indexed.", suggestion=tez.progress or None)
        return await self._open.get((tenant, tez_id, version), self._preparation(tenant, tez))

    async def _indexed(self, tenant: str, tez_id: str, version: int) -> Published:
        """A version; one that is being indexed is waited for a little: a small tez is ready in a
        moment, and of a large one its progress is told."""
        ends_at = asyncio.get_running_loop().time() + _READY_IN_A_MOMENT_S
        while True:
            versions = await self._there(tenant, tez_id)
            tez = next((one for one in versions if one.version == version), None)
            if tez is None:
                self._open.drop(tenant, tez_id)
                raise no_such_tez()
            if tez.state is not TezState.INDEXING or asyncio.get_running_loop().time() >= ends_at:
                return tez
            await asyncio.sleep(_LOOK_AGAIN_S)

    async def there(
        self, tenant: str, tez_id: str, *, or_none: bool = False
    ) -> Sequence[Published]:
        """Every version of a tez, newest first, whoever asks: for sharing alone, which has its own
        rules of who may."""
        versions = await self._there(tenant, tez_id)
        if not versions and not or_none:
            raise no_such_tez()
        return versions

    def bytes_of(self, tenant: str, tez: Published) -> Path:
        """Where the bytes of a published version lie."""
        return self._blobs.path(tenant, tez.digest)

    async def _there(self, tenant: str, tez_id: str | None = None) -> Sequence[Published]:
        async with self._records.reading(tenant) as connection:
            return self._of_here(await versions_of(connection, tenant, tez_id))

    def _of_here(self, versions: Sequence[Published]) -> Sequence[Published]:
        """What is served in place is there only where this process does it."""
        return [
            one
            for one in versions
            if one.state is not TezState.IN_PLACE or (one.tez_id, one.version) in self._in_place
        ]

    async def _noted(
        self, connection: AsyncConnection, caller: Caller, kind: str, tez: Published
    ) -> None:
        """For auditors, in the transaction that does it."""
        told = {
            "user": caller.user,
            "tez_id": tez.tez_id,
            "tez_version": tez.version,
            "digest": tez.digest,
        }
        await append(connection, caller.tenant, kind, told, now=self._now())

    def _preparation(
        self, tenant: str, tez: Published, progress: Progress | None = None
    ) -> Callable[[], IndexedBundle]:
        path = (
            self._in_place[tez.tez_id, tez.version]
            if tez.state is TezState.IN_PLACE
            else self._blobs.path(tenant, tez.digest)
        )
        return partial(prepared, path, tenant, tez, settings=self._settings, progress=progress)

    async def _needed(self, tenant: str) -> set[str]:
        there = (TEZ.c.tenant == tenant) & (TEZ.c.state != TezState.WITHDRAWN)
        async with self._records.reading(tenant) as connection:
            return set((await connection.scalars(select(TEZ.c.digest).where(there))).all())

    async def _drop_unneeded(self, tenant: str, digest: str) -> None:
        needed = (TEZ.c.tenant == tenant) & (TEZ.c.digest == digest)
        there = needed & (TEZ.c.state != TezState.WITHDRAWN)
        async with self._records.writing(tenant, lock=_lock(tenant)) as connection:
            if not await connection.scalar(select(func.count()).select_from(TEZ).where(there)):
                await asyncio.to_thread(self._blobs.remove, tenant, digest)

    async def _drop_indexes(self, tenant: str, tez_id: str) -> None:
        def drop() -> None:
            store = store_named(self._settings.store, self._settings)
            try:
                store.remove(tenant=tenant, tez_id=tez_id)
            finally:
                store.close()

        self._open.drop(tenant, tez_id)
        await asyncio.to_thread(drop)


def _may_publish(caller: Caller, tez_id: str | None) -> None:
    if not caller.may(Permission.PUBLISH):
        raise AuthorizationDenied("This token is not for publishing.")
    if tez_id is not None and caller.tezits is not None and tez_id not in caller.tezits:
        raise AuthorizationDenied("This token is not for publishing under this id.")


def _lock(tenant: str) -> str:
    return f"tezits:{tenant}"
