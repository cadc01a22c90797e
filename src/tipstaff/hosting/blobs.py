"""The bytes of published tezits, by their SHA-256, a folder a tenant.

A file under its hash is whole: it is written aside, flushed, renamed. What a killed process left
aside is removed by the next.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import os
import re
import tempfile
import time
from collections.abc import AsyncIterator, Collection
from dataclasses import dataclass
from pathlib import Path

from tipstaff.errors import ContextTooLarge
from tipstaff.store.index_folder import folder_name
from tipstaff.sweeping import own_mark, sweep

_ENDING = ".tez"
_WRITING = ".writing-"
_PIECE_BYTES = 1 << 20
_YOUNG_S = 3_600
_DIGEST = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class Received:
    """Bytes that have arrived, and are on the disk, but not yet under their name."""

    path: Path
    digest: str


class Blobs:
    def __init__(self, data_folder: Path, *, max_bytes: int) -> None:
        self._tenants = data_folder / "tenants"
        self._max_bytes = max_bytes

    @contextlib.asynccontextmanager
    async def received(
        self, tenant: str, content: AsyncIterator[bytes] | Path
    ) -> AsyncIterator[Received]:
        """What was sent, read to its end; gone at the end of the block unless it was kept."""
        folder = self._folder(tenant)
        handle, path = await asyncio.to_thread(_aside, folder)
        try:
            with os.fdopen(handle, "wb") as stream:
                digest = hashlib.sha256()
                size = 0
                async for piece in _pieces(content):
                    size += len(piece)
                    if size > self._max_bytes:
                        raise ContextTooLarge(
                            f"A tez may have {self._max_bytes:,} bytes here.",
                            suggestion="Publish a smaller one.",
                        )
                    digest.update(piece)
                    await asyncio.to_thread(stream.write, piece)
                stream.flush()
                await asyncio.to_thread(os.fsync, stream.fileno())
            yield Received(path, digest.hexdigest())
        finally:
            path.unlink(missing_ok=True)

    def keep(self, tenant: str, received: Received) -> None:
        """Under its name. Equal bytes that are there already are replaced by themselves."""
        received.path.replace(self.path(tenant, received.digest))
        handle = os.open(self._folder(tenant), os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)

    def path(self, tenant: str, digest: str) -> Path:
        return self._folder(tenant) / f"{digest}{_ENDING}"

    def remove(self, tenant: str, digest: str) -> None:
        self.path(tenant, digest).unlink(missing_ok=True)

    def digests(self, tenant: str) -> list[str]:
        """Of everything that is kept for a tenant; what was half written is removed."""
        folder = self._folder(tenant)
        sweep(folder, _WRITING)
        stems = (path.name.removesuffix(_ENDING) for path in folder.glob(f"*{_ENDING}"))
        return sorted(stem for stem in stems if _DIGEST.fullmatch(stem))

    def drop_nobodys(self, tenants: Collection[str]) -> None:
        """Of folders of no known tenant: their first tez was killed as it arrived. What is young
        may belong to one that another server is just receiving."""
        known = {folder_name(tenant) for tenant in tenants}
        for folder in self._tenants.glob("*/blobs"):
            if folder.parent.name in known:
                continue
            sweep(folder, _WRITING)
            for path in folder.glob(f"*{_ENDING}"):
                if time.time() - path.stat().st_mtime > _YOUNG_S:
                    path.unlink(missing_ok=True)

    def _folder(self, tenant: str) -> Path:
        return self._tenants / folder_name(tenant) / "blobs"


def _aside(folder: Path) -> tuple[int, Path]:
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    sweep(folder, _WRITING)
    handle, name = tempfile.mkstemp(dir=folder, prefix=f"{_WRITING}{own_mark()}", suffix=_ENDING)
    return handle, Path(name)


async def _pieces(content: AsyncIterator[bytes] | Path) -> AsyncIterator[bytes]:
    if not isinstance(content, Path):
        async for piece in content:
            yield piece
        return
    with content.open("rb") as stream:
        while piece := await asyncio.to_thread(stream.read, _PIECE_BYTES):
            yield piece
