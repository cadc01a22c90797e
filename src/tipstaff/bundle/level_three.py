"""Any opened bundle as the files of a level-3 bundle, with hashes (strict in what is written)."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tipstaff.bundle.file_names import MANIFEST, SYNTHESIS, context_file
from tipstaff.bundle.files import read_at_most
from tipstaff.bundle.opening import OpenBundle
from tipstaff.domain.access import Access
from tipstaff.domain.bundle import Bundle, BundleLevel
from tipstaff.domain.item import ITEM_TYPES, ContextItem, HashState, ItemState
from tipstaff.domain.wire import to_wire
from tipstaff.errors import BundleUnusable
from tipstaff.settings import Settings

TEZIT_VERSION = "1.2"
# A bundle that says nothing of its birth still needs a date, and the same one each time.
_UNKNOWN_DATE = "1970-01-01T00:00:00Z"


@dataclass(frozen=True, slots=True)
class PackedBundle:
    """Everything that is to be written, and what the sender should know about it."""

    contents: dict[str, bytes]
    notes: tuple[str, ...]


def pack(opened: OpenBundle, settings: Settings, *, rehash: bool = False) -> PackedBundle:
    """The files of the bundle at level 3.

    Item bytes never change. A manifest that is already complete and true is kept to the
    byte; otherwise it is completed, keeping every field that was there. Items whose bytes
    are missing or not those declared stop the packing (`rehash` accepts changed ones).
    """
    _refuse_incomplete(opened.bundle, rehash=rehash)
    return _packed(opened, settings)


def _packed(opened: OpenBundle, settings: Settings) -> PackedBundle:
    bundle = opened.bundle
    contents = _own_files(opened, settings)
    items, entries = _items(opened, contents)
    synthesis_file = bundle.synthesis.file if bundle.synthesis else SYNTHESIS
    if opened.synthesis_bytes is not None:
        contents[synthesis_file] = opened.synthesis_bytes
    else:
        contents[synthesis_file] = b""
    if not _is_complete(bundle):
        manifest = _manifest(bundle, entries, synthesis_file)
        contents[MANIFEST] = (json.dumps(manifest, indent=2, ensure_ascii=False) + "\n").encode()
    contents |= items
    return PackedBundle(contents, tuple(_notes(bundle)))


def unpack(opened: OpenBundle, settings: Settings) -> PackedBundle:
    """The files to write on import: as they came where they are a bundle already (levels 2
    and 3), and as a level-3 bundle where they were a document or a loose folder. What the
    sender lost stays lost and listed; it does not stop an import."""
    if opened.bundle.level in (BundleLevel.PORTABLE, BundleLevel.PLATFORM):
        return PackedBundle(_own_files(opened, settings), tuple(_notes(opened.bundle)))
    return _packed(opened, settings)


def _refuse_incomplete(bundle: Bundle, *, rehash: bool) -> None:
    lost = [
        item.id for item in bundle.items if item.state in (ItemState.MISSING, ItemState.REFUSED)
    ]
    if lost:
        raise BundleUnusable(
            f"Not packed: the bytes of {', '.join(lost[:5])} are not there.",
            suggestion="Put the files in place, or take the items out of the manifest.",
        )
    changed = [item.id for item in bundle.items if item.state is ItemState.CORRUPTED]
    if changed and not rehash:
        raise BundleUnusable(
            f"Not packed: the bytes of {', '.join(changed[:5])} do not match their declared hash.",
            suggestion="If the present files are the right ones, add --rehash.",
        )


def _own_files(opened: OpenBundle, settings: Settings) -> dict[str, bytes]:
    """Conversation, parameters, extensions, queries: kept as they came (levels 2 and 3)."""
    if opened.bundle.level not in (BundleLevel.PORTABLE, BundleLevel.PLATFORM):
        return {}
    return {
        name: read_at_most(opened.files, name, settings.max_file_bytes)
        for name in opened.files.names()
        if not name.startswith((".", "__MACOSX/"))
    }


def _items(
    opened: OpenBundle, contents: dict[str, bytes]
) -> tuple[dict[str, bytes], list[dict[str, Any]]]:
    files: dict[str, bytes] = {}
    entries = []
    declared = _declared_entries(opened.bundle)
    for item in opened.bundle.items:
        file = item.file if item.file in contents else None
        if item.has_bytes:
            file = file or context_file(item.id, item.file, taken=files)
            files[file] = opened.read(item.id)
        entries.append(declared.get(item.id, {}) | _entry(item, file if item.has_bytes else None))
    return files, entries


def _declared_entries(bundle: Bundle) -> dict[str, dict[str, Any]]:
    """The sender's own entries, so that fields unknown here survive (levels 2 and 3)."""
    if bundle.level in (BundleLevel.INLINE, BundleLevel.INFORMAL):
        return {}
    context = bundle.manifest.get("context")
    listed = context.get("items") if isinstance(context, dict) else None
    return {
        str(entry["id"]): dict(entry)
        for entry in reversed(listed if isinstance(listed, list) else [])
        if isinstance(entry, dict) and "id" in entry
    }


def _entry(item: ContextItem, file: str | None) -> dict[str, Any]:
    entry: dict[str, Any] = {"id": item.id, "type": _type(item), "title": item.title, "file": file}
    if item.external_uri:
        entry["external_uri"] = item.external_uri
    if item.source:
        entry["source"] = item.source
    if file is not None:
        entry |= {
            "mime_type": item.media_type,
            "size_bytes": item.size_bytes,
            "hash": f"sha256:{item.sha256}",
        }
    if not item.access.is_unrestricted:
        entry["access"] = access_entry(item.access)
    if item.linked_source:
        entry["linked_source"] = to_wire(item.linked_source)
    metadata = to_wire(item.metadata)
    if item.type not in ITEM_TYPES:
        metadata["original_type"] = item.type
    if metadata:
        entry["metadata"] = metadata
    return entry


def access_entry(access: Access) -> Any:
    """The shape that says it shortest: a word where a word is enough."""
    if access.type == "public" and not access.attributes:
        return str(access.level)
    level = {} if access.level == "full" else {"level": str(access.level)}
    return {"type": str(access.type), **level, **to_wire(access.attributes)}


def _type(item: ContextItem) -> str:
    return item.type if item.type in ITEM_TYPES else "custom"


def _manifest(bundle: Bundle, entries: list[dict[str, Any]], synthesis_file: str) -> dict[str, Any]:
    """Required fields first, then whatever else the sender wrote."""
    given = _given(bundle)
    context = given.get("context") if isinstance(given.get("context"), dict) else {}
    synthesis = given.get("synthesis") if isinstance(given.get("synthesis"), dict) else {}
    required = {
        "tezit_version": TEZIT_VERSION,
        "id": bundle.id,
        "version": bundle.version,
        "created_at": bundle.created_at or _UNKNOWN_DATE,
        "creator": {"name": "unknown", **to_wire(bundle.creator)},
        "synthesis": {
            **(synthesis or {}),
            "title": bundle.title,
            "type": bundle.synthesis.type if bundle.synthesis else "analysis",
            "file": synthesis_file,
        },
        "context": {
            **(context or {}),
            "scope": bundle.scope or "full",
            "item_count": len(entries),
            "items": entries,
        },
    }
    return required | {name: value for name, value in given.items() if name not in required}


def _given(bundle: Bundle) -> dict[str, Any]:
    given = copy.deepcopy(dict(bundle.manifest))
    if bundle.level is BundleLevel.INLINE:
        # Fields of front matter that a manifest spells otherwise or that name the document.
        for name in ("tezit", "tezit_version", "title", "type", "context"):
            given.pop(name, None)
    return given


def _is_complete(bundle: Bundle) -> bool:
    """A level-3 manifest that declares every hash, rightly: nothing to add."""
    return (
        bundle.level is BundleLevel.PLATFORM
        and bundle.synthesis is not None
        and bundle.manifest.get("id") == bundle.id
        and len({item.id for item in bundle.items}) == len(bundle.items)
        and all(
            item.hash_state is HashState.VERIFIED or not item.has_bytes for item in bundle.items
        )
        and [entry.get("id") for entry in bundle.manifest["context"]["items"]]
        == [item.id for item in bundle.items]
    )


def _notes(bundle: Bundle) -> Iterator[str]:
    for item in bundle.items:
        if not item.access.is_unrestricted:
            yield (
                f"'{item.id}' is {item.access}, but whoever holds the written file holds its bytes."
            )
        if item.state is ItemState.EXTERNAL:
            yield f"'{item.id}' stays a reference to {item.external_uri}, without bytes."
        if item.type not in ITEM_TYPES:
            yield f"'{item.id}' is of type '{item.type}', which is none; written as 'custom'."
    if bundle.synthesis is None:
        yield "There is no synthesis; an empty tez.md was written."
