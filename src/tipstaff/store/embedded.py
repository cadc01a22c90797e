"""The default store: one file a bundle version, searched exactly, in this process."""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from tipstaff.domain.document import Chunk
from tipstaff.domain.scope import Scope
from tipstaff.lexical.bm25 import Postings, best
from tipstaff.settings import Settings, data_directory
from tipstaff.store.index_file import DamagedIndex, MappedFile, write_sections
from tipstaff.store.lexicon import Lexicon, lexicon_sections
from tipstaff.store.records import chunk_record, item_record, read_chunk, read_item
from tipstaff.store.store import IndexContents, IndexKey, Nearest
from tipstaff.sweeping import sweep

_ENDING = ".index"
_BUILDING = ".building-"
_VERSIONS_KEPT = 8


class EmbeddedStore:
    name = "embedded"
    scope_exact = True
    exercised = True

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder or data_directory() / "tenants"

    @classmethod
    def from_settings(cls, _settings: Settings) -> EmbeddedStore:
        return cls()

    def write(self, key: IndexKey, contents: IndexContents) -> None:
        """Several processes may write the same index at once: each renames a whole file."""
        path = self._path(key)
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        sweep(path.parent, _BUILDING)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f"{_BUILDING}{os.getpid()}-")
        try:
            with os.fdopen(handle, "wb") as stream:
                _write(stream, contents)
                stream.flush()
                os.fsync(stream.fileno())
            Path(name).replace(path)
            _flush_folder(path.parent)
            _drop_oldest(path.parent)
        finally:
            Path(name).unlink(missing_ok=True)

    def open(self, key: IndexKey) -> EmbeddedIndex | None:
        path = self._path(key)
        try:
            index = EmbeddedIndex(MappedFile(path))
            with contextlib.suppress(OSError):
                os.utime(path)
            return index
        except FileNotFoundError:
            return None
        except (DamagedIndex, KeyError, TypeError):
            with contextlib.suppress(OSError):
                path.unlink()
            return None

    def remove(self, *, tenant: str, tez_id: str, keep: str | None = None) -> int:
        removed = 0
        folder = self._path(IndexKey(tenant=tenant, tez_id=tez_id, digest="")).parent
        for path in folder.glob(f"*{_ENDING}"):
            if path.name != f"{keep}{_ENDING}":
                path.unlink(missing_ok=True)
                removed += 1
        return removed

    def close(self) -> None:
        """Nothing is held."""

    def _path(self, key: IndexKey) -> Path:
        place = self._folder / folder_name(key.tenant) / "tez" / folder_name(key.tez_id)
        return place / f"{key.digest}{_ENDING}"


class EmbeddedIndex:
    """An index file in memory as it lies on disk."""

    def __init__(self, file: MappedFile) -> None:
        self.items = tuple(read_item(record) for record in file.facts["items"])
        self.embedder: str = file.facts["embedder"]
        sections = file.sections
        self._lexicon = Lexicon(sections)
        self._vectors = sections["vectors"]
        self._records = sections["records"]
        self._record_ends = sections["record_ends"]
        self.dimensions = int(self._vectors.shape[1])

    def postings(self, terms: Sequence[str], scope: Scope) -> list[Postings]:
        return self._lexicon.postings(terms, scope)

    def nearest(self, query: npt.NDArray[np.int16], scope: Scope, limit: int) -> Nearest:
        wanted = query.astype(np.float32)
        ranges = scope.ranges()
        if not ranges:
            return Nearest(np.empty(0, np.int32), np.empty(0, np.float64))
        numbers = np.concatenate([np.arange(*pair, dtype=np.int32) for pair in ranges])
        # Row by row: a product of matrix and vector wakes a thread per core, which on a busy
        # machine costs more than the whole search. Whole numbers are the same either way.
        dots = np.concatenate([np.vecdot(self._vectors[a:b], wanted) for a, b in ranges])
        chosen = best(numbers, dots, limit)
        return Nearest(numbers[chosen], dots[chosen].astype(np.float64))

    def chunks(self, numbers: Sequence[int]) -> list[Chunk]:
        found = []
        for number in numbers:
            start = int(self._record_ends[number - 1]) if number else 0
            found.append(read_chunk(self._records[start : int(self._record_ends[number])].data))
        return found

    def vectors(self, numbers: Sequence[int]) -> npt.NDArray[np.int16]:
        return self._vectors[list(numbers)].astype(np.int16)

    def close(self) -> None:
        """The map goes with the last array that looks into it."""


def folder_name(name: str) -> str:
    """A name as a folder: readable, safe, and different for different names."""
    readable = re.sub(r"[^a-z0-9-]+", "-", name.lower()).strip("-")[:40]
    if readable == name:
        return name
    return f"{readable}-{hashlib.sha256(name.encode()).hexdigest()[:12]}"


def _write(stream: object, contents: IndexContents) -> None:
    records = [chunk_record(chunk) for chunk in contents.chunks]
    facts = {
        "items": [item_record(item) for item in contents.items],
        "embedder": contents.embedder,
    }
    sections = {
        **lexicon_sections(contents.counts),
        "records": np.frombuffer(b"".join(records), np.uint8),
        "record_ends": np.cumsum([len(record) for record in records], dtype=np.int64),
        # Whole numbers in floats: what BLAS multiplies without a copy.
        "vectors": contents.vectors.astype(np.float32),
    }
    write_sections(stream, facts, sections)  # type: ignore[arg-type]


def _drop_oldest(folder: Path) -> None:
    """Versions of a tez that nobody opened for longest; a session that reads one keeps it."""
    kept = sorted(folder.glob(f"*{_ENDING}"), key=lambda path: -path.stat().st_mtime_ns)
    for path in kept[_VERSIONS_KEPT:]:
        path.unlink(missing_ok=True)


def _flush_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


STORE = EmbeddedStore
