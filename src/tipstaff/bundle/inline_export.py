"""A bundle as one Markdown document (level 0), small items embedded, larger ones referred to."""

from __future__ import annotations

import base64
from dataclasses import dataclass
from typing import Any

from tipstaff.bundle import front_matter
from tipstaff.bundle.file_names import CONTEXT, EXTENSIONS, OWN_FILES, context_file
from tipstaff.bundle.level_three import TEZIT_VERSION, access_entry
from tipstaff.bundle.opening import OpenBundle
from tipstaff.domain.bundle import BundleLevel
from tipstaff.domain.item import ContextItem
from tipstaff.domain.wire import to_wire
from tipstaff.settings import Settings

# Fields of a manifest that a document's front matter can carry as they are.
_CARRIED = ("permissions", "privacy", "sharing", "interrogation", "tip_config", "lineage", "tags")


@dataclass(frozen=True, slots=True)
class InlineDocument:
    """The document, the files to lay beside it for what it only refers to, and what to say."""

    content: bytes
    beside: dict[str, bytes]
    notes: tuple[str, ...]


def export_inline(opened: OpenBundle, settings: Settings) -> InlineDocument:
    """Items are embedded in inventory order while both budgets last."""
    bundle = opened.bundle
    entries: list[dict[str, Any]] = []
    beside: dict[str, bytes] = {}
    notes: list[str] = []
    left = settings.inline_total_bytes
    for item in bundle.items:
        entry = _entry(item)
        if item.has_bytes:
            content = opened.read(item.id)
            if len(content) <= min(left, settings.inline_item_bytes):
                left -= len(content)
                entry["content_b64"] = base64.b64encode(content).decode("ascii")
            else:
                entry["file"] = context_file(item.id, item.file, taken=beside)
                beside[entry["file"]] = content
                notes.append(
                    f"'{item.id}' ({len(content):,} bytes) is over the embedding budget and only "
                    f"referred to as {entry['file']}."
                )
        else:
            notes.append(f"'{item.id}' has no bytes to embed: {item.reason}")
        if not item.access.is_unrestricted and item.has_bytes:
            notes.append(f"'{item.id}' is {item.access}, but the document carries its bytes.")
        entries.append(entry)
    notes += _left_out(opened)
    content = front_matter.write(_matter(opened, entries), opened.synthesis_bytes or b"")
    return InlineDocument(content, beside, tuple(notes))


def _matter(opened: OpenBundle, entries: list[dict[str, Any]]) -> dict[str, Any]:
    bundle = opened.bundle
    matter: dict[str, Any] = {
        "tezit": TEZIT_VERSION,
        "title": bundle.title,
        "profile": bundle.profile or "knowledge",
        "id": bundle.id,
        "version": bundle.version,
    }
    if bundle.created_at:
        matter["created_at"] = bundle.created_at
    if bundle.creator:
        matter["creator"] = to_wire(bundle.creator)
    if bundle.synthesis is not None:
        matter["type"] = bundle.synthesis.type
    for name in _CARRIED:
        if name in bundle.manifest:
            matter[name] = to_wire(bundle.manifest[name])
    matter["context"] = entries
    return matter


def _entry(item: ContextItem) -> dict[str, Any]:
    entry: dict[str, Any] = {"label": item.title, "id": item.id, "type": item.type}
    if item.file:
        entry["file"] = item.file
    if item.external_uri:
        entry["url"] = item.external_uri
    if item.source:
        entry["source"] = item.source
    if item.has_bytes:
        entry |= {"mime": item.media_type, "size": item.size_bytes, "hash": f"sha256:{item.sha256}"}
    elif item.declared_hash:
        entry["hash"] = f"sha256:{item.declared_hash}"
    if not item.access.is_unrestricted:
        entry["access"] = access_entry(item.access)
    if item.metadata:
        entry["metadata"] = to_wire(item.metadata)
    return entry


def _left_out(opened: OpenBundle) -> list[str]:
    """A document has no place for these; saying so beats losing them quietly."""
    if opened.bundle.level not in (BundleLevel.PORTABLE, BundleLevel.PLATFORM):
        return []
    names = [
        name
        for name in opened.files.names()
        if (name in OWN_FILES - {"manifest.json"} or name.startswith(EXTENSIONS))
        and not name.startswith(CONTEXT)
    ]
    return [f"Left out, as an inline document has no place for it: {name}." for name in names]
