"""Index files in their folders: one folder a tenant and tez, one file a version.

A file appears whole or not at all: built under a temporary name, flushed, renamed. Several
processes may write the same version at once (Enterprise §6.2.1: nothing is shared by tenants).
"""

from __future__ import annotations

import contextlib
import hashlib
import logging
import os
import re
import tempfile
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

import numpy.typing as npt

from tipstaff.store.index_file import MappedFile, write_sections
from tipstaff.store.store import DamagedIndex, IndexKey
from tipstaff.sweeping import sweep

_BUILDING = ".building-"
VERSIONS_KEPT = 8
# In the header of every file: whose it is.
OWNER = "owner"
_LOG = logging.getLogger("tipstaff.store")
_MADE = re.compile(r"-[0-9a-f]{12}$")


class IndexFolder:
    """The index files of one store; `ending` tells them from those of other stores."""

    def __init__(self, folder: Path, *, ending: str) -> None:
        self._folder = folder
        self._ending = ending

    def write(
        self, key: IndexKey, facts: Mapping[str, Any], sections: Mapping[str, npt.NDArray[Any]]
    ) -> list[str]:
        """Keep a version; the digests of older ones that had to make room."""
        path = self._path(key)
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        sweep(path.parent, _BUILDING)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f"{_BUILDING}{os.getpid()}-")
        try:
            with os.fdopen(handle, "wb") as stream:
                write_sections(stream, {**facts, OWNER: [key.tenant, key.tez_id]}, sections)
                stream.flush()
                os.fsync(stream.fileno())
            Path(name).replace(path)
            _flush_folder(path.parent)
        finally:
            Path(name).unlink(missing_ok=True)
        return self._drop_oldest(path.parent)

    def open(self, key: IndexKey) -> MappedFile | None:
        """None if it is not there; a damaged one is removed, to be built again, as soon as the
        damage is seen."""
        path = self._path(key)
        try:
            file = MappedFile(path, on_damage=partial(self.discard, key))
        except FileNotFoundError:
            return None
        except DamagedIndex:
            self.discard(key)
            return None
        if owner_of(file) not in (None, (key.tenant, key.tez_id)):
            # Enterprise §10.2: somebody put it there. It is not read, and built again.
            told = "an index of another tenant or tez was found and removed"
            _LOG.error(told, extra={"facts": {"event": "foreign_index"}})
            self.discard(key)
            return None
        with contextlib.suppress(OSError):
            os.utime(path)
        return file

    def discard(self, key: IndexKey) -> None:
        with contextlib.suppress(OSError):
            self._path(key).unlink()

    def remove(self, *, tenant: str, tez_id: str, keep: str | None) -> list[str]:
        """Drop every version but one; the digests of those that were dropped."""
        folder = self._path(IndexKey(tenant=tenant, tez_id=tez_id, digest="")).parent
        dropped = [digest for digest in self._digests(folder) if digest != keep]
        for digest in dropped:
            (folder / f"{digest}{self._ending}").unlink(missing_ok=True)
        return dropped

    def _drop_oldest(self, folder: Path) -> list[str]:
        """Versions of a tez that nobody opened for longest; a session that reads one keeps it."""
        used: dict[str, int] = {}
        for digest in self._digests(folder):
            # Another process may be dropping the same ones.
            with contextlib.suppress(FileNotFoundError):
                used[digest] = (folder / f"{digest}{self._ending}").stat().st_mtime_ns
        dropped = sorted(used, key=lambda digest: -used[digest])[VERSIONS_KEPT:]
        for digest in dropped:
            (folder / f"{digest}{self._ending}").unlink(missing_ok=True)
        return dropped

    def _digests(self, folder: Path) -> list[str]:
        return [path.name.removesuffix(self._ending) for path in folder.glob(f"*{self._ending}")]

    def _path(self, key: IndexKey) -> Path:
        place = self._folder / folder_name(key.tenant) / "tez" / folder_name(key.tez_id)
        return place / f"{key.digest}{self._ending}"


def owner_of(file: MappedFile) -> tuple[str, str] | None:
    """The tenant and the tez of an index file; None for one of before that was written down."""
    owner = file.facts.get(OWNER)
    return None if owner is None else (str(owner[0]), str(owner[1]))


def folder_name(name: str) -> str:
    """A name as a folder: readable, safe, and different for different names."""
    readable = re.sub(r"[^a-z0-9-]+", "-", name.lower()).strip("-")[:40]
    # A name that looks like one made here could be chosen to be somebody else's folder.
    if name and readable == name and not _MADE.search(name):
        return name
    digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()
    return f"{readable}-{digest[:12]}"


def _flush_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
