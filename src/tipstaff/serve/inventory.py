"""The inventory as one recipient sees it: of every item that exists for them what came of reading
it, and nothing of those that do not (Enterprise §3.5)."""

from __future__ import annotations

from typing import Any

from tipstaff.boundary import GroundingBoundary
from tipstaff.domain.document import Document
from tipstaff.domain.item import ContextItem
from tipstaff.reading import ReadBundle, read_bundle
from tipstaff.serve.viewing import hidden_text


def inventory(boundary: GroundingBoundary) -> list[dict[str, Any]]:
    """In the bundle's order. Of an item that may not be looked at, nothing of what is inside."""
    bundle = boundary.bundle
    shown = {item.id for item in bundle.items if boundary.quotable(item.id)}
    read = read_bundle(
        boundary.indexed.opened,
        settings=boundary.indexed.settings,
        only=shown & boundary.searchable(),
        seen=bundle,
    )
    tokens = {item.id: item.tokens for item in boundary.indexed.index.items}
    unread = set(boundary.unread())
    return [_entry(boundary, item, read, tokens, unread) for item in bundle.items]


def _entry(
    boundary: GroundingBoundary,
    item: ContextItem,
    read: ReadBundle,
    tokens: dict[str, int],
    unread: set[str],
) -> dict[str, Any]:
    reason, suggestion = read.trouble(item.id)
    citable = read.documents.get(item.id)
    document = citable.document if citable else None
    return {
        "id": item.id,
        "type": item.type,
        "title": item.title,
        "file": item.file,
        "mime_type": item.media_type,
        "size_bytes": item.size_bytes,
        "tokens": tokens.get(item.id) if item.id in boundary.searchable() else None,
        "pages": len(document.pages) or None if document else None,
        "state": "unindexed" if item.id in unread else str(item.state),
        "reason": reason,
        "suggestion": suggestion or None,
        "hash_state": str(item.hash_state),
        "sha256": item.sha256,
        "access": str(item.access.level),
        "may_be_viewed": boundary.quotable(item.id) and item.has_bytes,
        "hidden_text": _hidden(document) if document else [],
        "notes": list(document.notes[:5]) if document else [],
        "parent": item.parent,
    }


def _hidden(document: Document) -> list[str]:
    return [f"{one['reason']} ({one['characters']:,} characters)" for one in hidden_text(document)]
