"""Vectors that were computed, by the hash of the text and the fingerprint of the model.

SQLite, so that several processes may write at once and a killed one leaves nothing half done.
What cannot be read or written costs time and nothing else. Threads may share a cache.
"""

from __future__ import annotations

import contextlib
import hashlib
import sqlite3
import threading
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

Whole = npt.NDArray[np.int16]

_SCHEMA = """
CREATE TABLE IF NOT EXISTS vectors (key BLOB PRIMARY KEY, value BLOB NOT NULL, used REAL NOT NULL)
WITHOUT ROWID
"""
_ASKED_AT_ONCE = 500
_WAIT_S = 10.0
# The file is no database any more. A busy one or a full disk is another matter.
_DAMAGED = (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT)
_NOW = "julianday('now')"


class VectorCache:
    """Use it in a `with` block. `max_bytes` bounds what is kept; the least used goes first."""

    def __init__(self, path: Path, *, fingerprint: str, dimensions: int, max_bytes: int) -> None:
        self._path = path
        self._fingerprint = fingerprint.encode()
        self._dimensions = dimensions
        self._max_bytes = max_bytes
        self._database: sqlite3.Connection | None = None
        self._lock = threading.Lock()

    def __enter__(self) -> VectorCache:
        with contextlib.suppress(OSError, sqlite3.Error):
            self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._database = self._opened()
        return self

    def __exit__(self, *_: object) -> None:
        if self._database is not None:
            with self._reported_damage():
                self._prune(self._database)
            self._database.close()
            self._database = None

    def key(self, text: str) -> bytes:
        digest = hashlib.blake2b(self._fingerprint, digest_size=20)
        digest.update(b"\0" + text.encode("utf-8", "surrogatepass"))
        return digest.digest()

    def get(self, keys: Sequence[bytes]) -> dict[bytes, Whole]:
        """The vectors that are there; damaged ones are not."""
        found: dict[bytes, Whole] = {}
        if self._database is None:
            return found
        with self._lock, self._reported_damage():
            for some in _portions(keys):
                marks = ",".join("?" * len(some))
                rows = self._database.execute(
                    f"SELECT key, value FROM vectors WHERE key IN ({marks})",  # noqa: S608
                    some,
                )
                for key, value in rows:
                    if len(value) == 4 + 2 * self._dimensions and _is_whole(value):
                        found[key] = np.frombuffer(value, np.int16, offset=4)
            with self._database:
                self._database.executemany(
                    f"UPDATE vectors SET used = {_NOW} WHERE key = ?",  # noqa: S608
                    [(key,) for key in found],
                )
        return found

    def put(self, vectors: Mapping[bytes, Whole]) -> None:
        if self._database is None:
            return
        with self._lock, self._reported_damage(), self._database:
            self._database.executemany(
                f"INSERT OR REPLACE INTO vectors VALUES (?, ?, {_NOW})",  # noqa: S608
                [(key, _value(vector)) for key, vector in vectors.items()],
            )

    @contextlib.contextmanager
    def _reported_damage(self) -> Iterator[None]:
        """Whatever fails costs time only; what is damaged is removed, to fill again."""
        try:
            yield
        except sqlite3.Error as problem:
            if _is_damage(problem):
                self._remove()

    def _opened(self) -> sqlite3.Connection:
        try:
            return _connected(self._path)
        except sqlite3.DatabaseError as problem:
            if not _is_damage(problem):
                raise
            self._remove()
            return _connected(self._path)

    def _remove(self) -> None:
        """With its journal, which belongs to no other database."""
        for ending in ("", "-wal", "-shm"):
            with contextlib.suppress(OSError):
                self._path.with_name(self._path.name + ending).unlink()

    def _prune(self, database: sqlite3.Connection) -> None:
        row_bytes = 2 * self._dimensions + 64
        (count,) = database.execute("SELECT count(*) FROM vectors").fetchone()
        surplus = count - self._max_bytes // row_bytes
        if surplus > 0:
            with database:
                database.execute(
                    "DELETE FROM vectors WHERE key IN "
                    "(SELECT key FROM vectors ORDER BY used LIMIT ?)",
                    (surplus,),
                )


def _is_damage(problem: sqlite3.Error) -> bool:
    # The lowest byte is the kind; the others say more.
    return (getattr(problem, "sqlite_errorcode", None) or 0) & 0xFF in _DAMAGED


def _value(vector: Whole) -> bytes:
    """A checksum and the numbers: SQLite has none, and a wrong vector would go into an index."""
    raw = vector.tobytes()
    return zlib.crc32(raw).to_bytes(4, "little") + raw


def _is_whole(value: bytes) -> bool:
    return zlib.crc32(value[4:]) == int.from_bytes(value[:4], "little")


def _connected(path: Path) -> sqlite3.Connection:
    database = sqlite3.connect(path, timeout=_WAIT_S, check_same_thread=False)
    try:
        database.execute("PRAGMA journal_mode=WAL")
        # After a power failure the last vectors may be missing; they are computed again.
        database.execute("PRAGMA synchronous=NORMAL")
        database.execute(_SCHEMA)
    except sqlite3.DatabaseError:
        database.close()
        raise
    return database


def _portions(keys: Iterable[bytes]) -> Iterator[list[bytes]]:
    every = list(dict.fromkeys(keys))
    return (every[at : at + _ASKED_AT_ONCE] for at in range(0, len(every), _ASKED_AT_ONCE))
