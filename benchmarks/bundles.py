"""Opening an archive with every check, beside the library's own extraction with none."""

from __future__ import annotations

import hashlib
import random
import tempfile
import zipfile
from pathlib import Path

from benchmarks.measure import side_by_side, table
from tipstaff.engine import open_bundle

_FILES = 60
_FILE_BYTES = 1_000_000


def run() -> str:
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "large.zip"
        _write(path)
        rows = side_by_side(
            {
                "zipfile.extractall, then SHA-256": lambda: _extract_and_hash(path),
                "open_bundle (checked, hashed, sniffed)": lambda: open_bundle(path).close(),
            },
            amount=_FILES * _FILE_BYTES / 1e6,
            unit="MB",
        )
    return table(f"Opening an archive of {_FILES} files of 1 MB", rows)


def _write(path: Path) -> None:
    generator = random.Random(7)  # noqa: S311 (repeatable filler)
    words = ["".join(generator.choices("abcdefghij", k=7)) for _ in range(5000)]
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("tez.md", "# Synthesis")
        for number in range(_FILES):
            text = " ".join(generator.choices(words, k=_FILE_BYTES // 8))
            archive.writestr(f"context/{number}.txt", text[:_FILE_BYTES])


def _extract_and_hash(path: Path) -> None:
    with tempfile.TemporaryDirectory() as folder, zipfile.ZipFile(path) as archive:
        archive.extractall(folder)
        for file in Path(folder).rglob("*"):
            if file.is_file():
                hashlib.sha256(file.read_bytes()).hexdigest()
