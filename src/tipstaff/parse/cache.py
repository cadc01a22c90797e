"""Parsed documents on disk, by the hash of the bytes and the fingerprint of the parser.

A file here is either whole or not there; one that was damaged is read as not there.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
from pathlib import Path

from tipstaff.domain.document import Document
from tipstaff.parse.codec import CODEC_VERSION, NotADocument, decode, encode
from tipstaff.parse.parser import Source

_DIGEST_BYTES = 16
# How many files are written between two looks at the size of the whole cache.
_WRITES_PER_LOOK = 64


class DocumentCache:
    def __init__(self, folder: Path, *, max_bytes: int) -> None:
        self._folder = folder
        self._max_bytes = max_bytes
        self._writes = 0

    def get(self, source: Source, fingerprint: str) -> Document | None:
        try:
            raw = self._path(source, fingerprint).read_bytes()
            if _digest(raw[_DIGEST_BYTES:]) != raw[:_DIGEST_BYTES]:
                return None
            return decode(raw[_DIGEST_BYTES:])
        except (OSError, NotADocument):
            return None

    def put(self, source: Source, fingerprint: str, document: Document) -> None:
        """A cache that cannot be written costs time and nothing else."""
        content = encode(document)
        path = self._path(source, fingerprint)
        with contextlib.suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            handle, name = tempfile.mkstemp(dir=path.parent, prefix=".writing-")
            try:
                with os.fdopen(handle, "wb") as stream:
                    stream.write(_digest(content) + content)
                Path(name).replace(path)
            finally:
                Path(name).unlink(missing_ok=True)
            self._writes += 1
            if self._writes % _WRITES_PER_LOOK == 1:
                self._prune()

    def _path(self, source: Source, fingerprint: str) -> Path:
        key = hashlib.sha256(source.content).hexdigest()
        how = "\n".join(
            [
                f"{fingerprint} {CODEC_VERSION} {source.media_type}",
                # The name's ending may decide how a file is read (.ts and .tsx).
                Path(source.name).suffix.lower(),
                *(f"{name}={value}" for name, value in sorted(source.options.items())),
            ]
        )
        return self._folder / key[:2] / f"{key}-{_digest(how.encode()).hex()[:12]}.document"

    def _prune(self) -> None:
        """Drop what was not written for longest until the cache fits, and stale leftovers."""
        files = []
        for path in self._folder.glob("*/*"):
            with contextlib.suppress(OSError):
                status = path.stat()
                files.append((status.st_mtime, status.st_size, path))
        total = sum(size for _, size, _ in files)
        for _, size, path in sorted(files):
            if total <= self._max_bytes:
                return
            with contextlib.suppress(OSError):
                path.unlink()
            total -= size


def _digest(content: bytes) -> bytes:
    return hashlib.blake2b(content, digest_size=_DIGEST_BYTES).digest()
