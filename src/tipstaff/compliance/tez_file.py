"""Bundles that are made for a test: files in, the bytes of a `.tez` out, the same every time."""

from __future__ import annotations

import hashlib
import json
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from io import BytesIO
from typing import Any

_CREATED = "2026-01-05T09:00:00Z"


@dataclass(frozen=True, slots=True, kw_only=True)
class MadeItem:
    """`more` are further fields of its entry in the manifest, such as `access`."""

    id: str
    file: str
    title: str
    content: bytes
    type: str = "document"
    more: Mapping[str, Any] = field(default_factory=dict)


def tez_file(
    tez_id: str,
    *,
    title: str,
    synthesis: str,
    items: Sequence[MadeItem],
    more: Mapping[str, Any] | None = None,
    files: Mapping[str, bytes] | None = None,
) -> bytes:
    """A bundle of level 3 with hashes. `more` are further fields of the manifest."""
    manifest = {
        "tezit_version": "1.2",
        "id": tez_id,
        "version": 1,
        "created_at": _CREATED,
        "creator": {"name": "TIP compliance suite"},
        "synthesis": {"title": title, "type": "analysis", "file": "tez.md"},
        "context": {
            "scope": "full",
            "item_count": len(items),
            "items": [_entry(item) for item in items],
        },
        **(more or {}),
    }
    contents = {
        "manifest.json": json.dumps(manifest, indent=2).encode(),
        "tez.md": synthesis.encode(),
        **{f"context/{item.file}": item.content for item in items},
        **(files or {}),
    }
    return archived(contents)


def archived(contents: Mapping[str, bytes]) -> bytes:
    """A ZIP file without the time at which it was made."""
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in contents.items():
            archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
    return buffer.getvalue()


def _entry(item: MadeItem) -> dict[str, Any]:
    return {
        "id": item.id,
        "type": item.type,
        "title": item.title,
        "file": f"context/{item.file}",
        "size_bytes": len(item.content),
        "hash": f"sha256:{hashlib.sha256(item.content).hexdigest()}",
        **item.more,
    }
