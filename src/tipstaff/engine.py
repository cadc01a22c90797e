"""The whole system on one page: every stage meets here and nowhere else.

    path ── bundle ──▶ opened bundle ── parse ──▶ documents ──▶ inventory, findings
                            │                        │
                            │                        ├── citation ──▶ passage, or why there is none
                            │                        │
                            └────────── index ───────┘──▶ index ── retrieve ──▶ passages with scores

`reading`, `examining` and `indexing` each explain one line of this drawing. Later stages
(answer, verify, session, serve) join it one line each.
"""

from __future__ import annotations

from pathlib import Path

from tipstaff.asking import Interrogation
from tipstaff.bundle.opening import OpenBundle
from tipstaff.bundle.opening import open_bundle as _open
from tipstaff.examining import examine
from tipstaff.indexing import IndexedBundle, index_bundle
from tipstaff.reading import Progress, ReadBundle, read_bundle
from tipstaff.settings import DEFAULTS, Settings

__all__ = [
    "IndexedBundle",
    "Interrogation",
    "Progress",
    "ReadBundle",
    "examine",
    "index_bundle",
    "open_bundle",
    "read_bundle",
]


def open_bundle(
    path: str | Path, *, settings: Settings = DEFAULTS, progress: Progress | None = None
) -> OpenBundle:
    """A bundle of any level, ready to be read; use it in a `with` block."""
    return _open(path, settings=settings, progress=progress)
