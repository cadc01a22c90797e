"""A bundle as one Markdown document (level 0), small items embedded, larger ones referred to."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tipstaff.bundle import front_matter
from tipstaff.bundle.file_names import EXTENSIONS, MANIFEST, OWN_FILES, context_file
from tipstaff.bundle.level_three import (
    INLINE_ONLY,
    TEZIT_VERSION,
    Reader,
    access_entry,
    declared_hash_text,
)
from tipstaff.bundle.opening import OpenBundle
from tipstaff.domain.bundle import Bundle, BundleLevel
from tipstaff.domain.conversation import ConversationSharing
from tipstaff.domain.item import ContextItem, ItemState
from tipstaff.domain.wire import to_wire
from tipstaff.settings import Settings

# Fields of a manifest that a document has words of its own for, or no place.
_NOT_CARRIED = frozenset(
    {
        "$schema",
        "context",
        "conversation",
        "created_at",
        "creator",
        "id",
        "profile",
        "synthesis",
        "tezit",
        "tezit_version",
        "title",
        "type",
        "version",
    }
)
_ENTRY_FIELDS = frozenset({"title", "mime_type", "size_bytes", "external_uri", *INLINE_ONLY})


@dataclass(frozen=True, slots=True)
class InlineDocument:
    """The document, the files to lay beside it for what it only refers to, and what to say."""

    content: bytes
    beside: dict[str, Reader]
    notes: tuple[str, ...]


def export_inline(opened: OpenBundle, settings: Settings) -> InlineDocument:
    """Items are embedded in inventory order while both budgets last."""
    bundle = opened.bundle
    entries: list[dict[str, Any]] = []
    beside: dict[str, Reader] = {}
    taken: set[str] = set()
    notes: list[str] = []
    left = settings.inline_total_bytes
    for item in bundle.declared_items:
        entry = _entry(item)
        if item.has_bytes:
            file = entry["file"] = context_file(item.id, item.file, taken=taken)
            taken.add(file)
            if item.size_bytes <= min(left, settings.inline_item_bytes):
                left -= item.size_bytes
                entry["content_b64"] = base64.b64encode(opened.read(item.id)).decode("ascii")
            else:
                beside[file] = _reader(opened, item)
                notes.append(
                    f"'{item.id}' ({item.size_bytes:,} bytes) is over the embedding budget and "
                    f"only referred to as {file}."
                )
        notes += _about(item)
        entries.append(entry)
    notes += _left_out(opened)
    content = front_matter.write(_matter(bundle, entries), opened.synthesis_bytes or b"")
    return InlineDocument(content, beside, tuple(notes))


def _reader(opened: OpenBundle, item: ContextItem) -> Reader:
    return lambda: opened.read(item.id)


def _matter(bundle: Bundle, entries: list[dict[str, Any]]) -> dict[str, Any]:
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
        matter["creator"] = bundle.creator
    if bundle.synthesis is not None:
        matter["type"] = bundle.synthesis.type
    if bundle.scope:
        matter["scope"] = bundle.scope
    matter |= {name: value for name, value in bundle.manifest.items() if name not in _NOT_CARRIED}
    matter |= _nested_fields(bundle)
    matter["context"] = entries
    return to_wire(matter)  # type: ignore[no-any-return]


def _nested_fields(bundle: Bundle) -> dict[str, Any]:
    """What a manifest says inside objects that a document does not have."""
    fields: dict[str, Any] = {}
    synthesis, context = bundle.manifest.get("synthesis"), bundle.manifest.get("context")
    if isinstance(synthesis, dict):
        known = ("title", "type", "file")
        fields["synthesis"] = {n: value for n, value in synthesis.items() if n not in known}
    if isinstance(context, dict) and bundle.level is not BundleLevel.INLINE:
        known = ("scope", "item_count", "items")
        fields["context_fields"] = {n: value for n, value in context.items() if n not in known}
    if bundle.conversation.sharing is ConversationSharing.SUMMARY:
        fields["conversation"] = {"sharing": "summary", "summary": bundle.conversation.summary}
    return {name: value for name, value in fields.items() if value}


def _entry(item: ContextItem) -> dict[str, Any]:
    entry: dict[str, Any] = {"label": item.title, "id": item.id, "type": item.type}
    entry |= {name: value for name, value in item.declared.items() if name not in _ENTRY_FIELDS}
    if item.external_uri:
        entry["url"] = item.external_uri
    if item.media_type:
        entry["mime"] = item.media_type
    if item.has_bytes or "size" in item.declared or "size_bytes" in item.declared:
        entry["size"] = item.size_bytes
    if item.state is ItemState.AVAILABLE:
        entry["hash"] = f"sha256:{item.sha256}"
    elif item.declared_hash:
        # Bytes that are not those declared must not be called verified by the next reader.
        entry["hash"] = declared_hash_text(item.declared_hash)
    elif item.state is ItemState.CORRUPTED:
        entry["hash"] = "damaged"
    if "access" not in entry and not item.access.is_unrestricted:
        entry["access"] = access_entry(item.access)
    return {name: value for name, value in entry.items() if value is not None}


def _about(item: ContextItem) -> Iterator[str]:
    if item.state is ItemState.CORRUPTED:
        yield f"'{item.id}' does not match its declared hash; the document says so, too."
    elif not item.has_bytes:
        yield f"'{item.id}' has no bytes to embed: {item.reason}"
    if item.has_bytes and not item.access.is_unrestricted:
        yield f"'{item.id}' is {item.access}, but the document carries its bytes."


def _left_out(opened: OpenBundle) -> Iterator[str]:
    """A document has no place for these; saying so beats losing them quietly."""
    used = {item.file for item in opened.bundle.declared_items} | {MANIFEST}
    if opened.bundle.synthesis is not None:
        used.add(opened.bundle.synthesis.file)
    names = [name for name in opened.files.names() if name not in used]
    own = [name for name in names if name in OWN_FILES or name.startswith(EXTENSIONS)]
    for name in own:
        yield f"Left out, as an inline document has no place for it: {name}."
    if others := [name for name in names if name not in own]:
        yield f"{len(others)} file(s) are no part of the bundle: {', '.join(others[:5])}."
