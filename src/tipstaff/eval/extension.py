"""`extensions/tezit-eval` of a bundle (Enterprise §8.2): read, and written with its history.

Nothing else of the bundle changes: neither the context nor its hashes, nor the manifest.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tipstaff.bundle.extensions import read_extension, write_extension
from tipstaff.bundle.opening import OpenBundle
from tipstaff.eval.history_entry import HistoryEntry, entries_from_wire
from tipstaff.eval.report import Report
from tipstaff.settings import Settings

EXTENSION_ID = "tezit-eval"
DOCUMENT = "tezit-eval.json"
_MANIFEST = {
    "extension_id": EXTENSION_ID,
    "extension_version": "1.0.0",
    "name": "Interrogation quality",
    "description": "How good the answers of this tez are: five metrics, thresholds, history",
    "author": "Tipstaff",
}


def read_eval(opened: OpenBundle, settings: Settings) -> dict[str, Any] | None:
    """The `tezit-eval` object that the bundle brings: of its own folder, else of the manifest,
    where §8.2 also shows it. It is its sender's word (§10.5)."""
    found = read_extension(opened, EXTENSION_ID, DOCUMENT, settings)
    if found is None:
        extensions = opened.bundle.manifest.get("extensions")
        found = extensions.get(EXTENSION_ID) if isinstance(extensions, dict) else None
    elif "extensions" in found and isinstance(found["extensions"], dict):
        found = found["extensions"].get(EXTENSION_ID)
    return found if isinstance(found, dict) else None


def declared_history(opened: OpenBundle, settings: Settings) -> list[HistoryEntry]:
    """What the bundle says of earlier evaluations, its latest one among them."""
    found = read_eval(opened, settings) or {}
    latest = {**found, "model": found.get("model_evaluated", "")}
    history = found.get("history")
    return entries_from_wire([*(history if isinstance(history, list) else ()), latest])


def write_eval(path: Path, opened: OpenBundle, report: Report, settings: Settings) -> str:
    """§8.4's document, whole or not at all; where it was written."""
    documents = {
        "manifest.json": _MANIFEST,
        DOCUMENT: {"extensions": {EXTENSION_ID: report.extension()}},
    }
    contents = {
        name: (json.dumps(value, indent=2, ensure_ascii=False) + "\n").encode()
        for name, value in documents.items()
    }
    chosen = write_extension(path, opened, contents, ids=(EXTENSION_ID,), settings=settings)
    return f"extensions/{chosen}/{DOCUMENT}"
