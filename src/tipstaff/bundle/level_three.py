"""Any opened bundle as the files of a level-3 bundle, with hashes (strict in what is written).

Files are named and read one at a time when they are written, so that a large bundle never
lies in memory whole. Item bytes never change.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from tipstaff.bundle import archive
from tipstaff.bundle.file_names import (
    MANIFEST,
    SYNTHESIS,
    context_file,
    is_junk,
    unsafe_reason,
)
from tipstaff.bundle.files import FileRefused, read_at_most
from tipstaff.bundle.opening import OpenBundle
from tipstaff.domain.access import Access
from tipstaff.domain.bundle import Bundle, BundleLevel
from tipstaff.domain.conversation import ConversationSharing
from tipstaff.domain.finding import Severity
from tipstaff.domain.item import ITEM_TYPES, ContextItem, HashState, ItemState
from tipstaff.domain.wire import to_wire
from tipstaff.errors import BundleUnusable
from tipstaff.settings import Settings

TEZIT_VERSION = "1.2"
# A bundle that says nothing of its birth still needs a date, and the same one each time.
_UNKNOWN_DATE = "1970-01-01T00:00:00Z"
# What an inline document's entries call otherwise, or hold in place of a file.
INLINE_ONLY = ("label", "url", "mime", "size", "content_b64")

CONVERSATION_FIELD = "conversation"

Reader = Callable[[], bytes]


@dataclass(frozen=True, slots=True)
class PackedBundle:
    """Everything that is to be written, and what the sender should know about it."""

    contents: dict[str, Reader]
    notes: tuple[str, ...]


def pack(opened: OpenBundle, settings: Settings, *, rehash: bool = False) -> PackedBundle:
    """The files of the bundle at level 3.

    A manifest that is already complete and true is kept to the byte; otherwise it is
    completed, keeping every field that was there. Items whose bytes are missing or not those
    declared stop the packing (`rehash` accepts changed ones).
    """
    _refuse_incomplete(opened, settings, rehash=rehash)
    return _packed(opened, settings, rehash=rehash)


def unpack(opened: OpenBundle, settings: Settings) -> PackedBundle:
    """The files to write on import: as they came where they are a bundle already (levels 2
    and 3), and as a level-3 bundle where they were a document or a loose folder. What the
    sender lost stays lost and listed; it does not stop an import."""
    if _has_own_files(opened.bundle):
        contents, notes = _own_files(opened, settings)
        return PackedBundle(contents, (*notes, *_warnings(opened.bundle)))
    return _packed(opened, settings, rehash=False)


def _packed(opened: OpenBundle, settings: Settings, *, rehash: bool) -> PackedBundle:
    bundle = opened.bundle
    contents, notes = _own_files(opened, settings) if _has_own_files(bundle) else ({}, [])
    synthesis_file = _synthesis_file(bundle, contents)
    if bundle.synthesis is None:
        notes.append(f"There is no synthesis; an empty {synthesis_file} was written.")
    synthesis = opened.synthesis_bytes or b""
    contents[synthesis_file] = lambda: synthesis
    entries = []
    for item in bundle.declared_items:
        file = _place(item, contents, keeps=_has_own_files(bundle))
        if item.has_bytes and file is not None:
            contents[file] = _reader(opened, item)
        entries.append(_entry(item, file, rehash=rehash))
    if not _is_complete(opened):
        manifest = _manifest(bundle, entries, synthesis_file)
        text = (json.dumps(manifest, indent=2, ensure_ascii=False) + "\n").encode()
        contents[MANIFEST] = lambda: text
        notes += _retyped(bundle)
    return PackedBundle(contents, (*notes, *_left_out(opened), *_warnings(bundle)))


def _has_own_files(bundle: Bundle) -> bool:
    return bundle.level in (BundleLevel.PORTABLE, BundleLevel.PLATFORM)


def _refuse_incomplete(opened: OpenBundle, settings: Settings, *, rehash: bool) -> None:
    bundle = opened.bundle
    lost = [
        i.id for i in bundle.declared_items if i.state in (ItemState.MISSING, ItemState.REFUSED)
    ]
    if lost:
        raise BundleUnusable(
            f"Not packed: the bytes of {', '.join(lost[:5])} are not there.",
            suggestion="Put the files in place, or take the items out of the manifest.",
        )
    if bundle.synthesis is None and _has_own_files(bundle):
        raise BundleUnusable(
            "Not packed: the synthesis that the manifest names is not there.",
            suggestion="Put the file in place, or correct synthesis.file in the manifest.",
        )
    changed = [item.id for item in bundle.declared_items if item.state is ItemState.CORRUPTED]
    if changed and not rehash:
        raise BundleUnusable(
            f"Not packed: the bytes of {', '.join(changed[:5])} do not match their declared hash.",
            suggestion="If the present files are the right ones, add --rehash.",
        )
    total = sum(item.size_bytes for item in bundle.declared_items if item.has_bytes)
    if total > settings.max_unpacked_bytes:
        raise BundleUnusable(
            f"Not packed: the items have {total:,} bytes in all, more than the "
            f"{settings.max_unpacked_bytes:,} that a reader would accept.",
            suggestion="Leave something out or, if recipients agree, raise max_unpacked_bytes.",
        )


def _own_files(opened: OpenBundle, settings: Settings) -> tuple[dict[str, Reader], list[str]]:
    """Every file of the bundle as it came, but for what cannot be read or was damaged."""
    damaged = {finding.where for finding in opened.findings if finding.code == archive.DAMAGED}
    contents: dict[str, Reader] = {}
    notes = []
    junk = [name for name in opened.files.names() if is_junk(name)]
    if junk:
        notes.append(f"Left behind by a system and left out here: {', '.join(junk[:5])}.")
    for name in opened.files.names():
        if is_junk(name):
            continue
        reason = unsafe_reason(name)
        if name in damaged:
            reason = "is damaged"
        try:
            if reason is None and opened.files.size(name) > settings.max_file_bytes:
                reason = f"is larger than {settings.max_file_bytes:,} bytes"
        except (FileNotFoundError, FileRefused, OSError):
            reason = "cannot be read"
        if reason is not None:
            notes.append(f"{name} {reason} and was left out.")
            continue
        contents[name] = _file_reader(opened, name, settings.max_file_bytes)
    return contents, notes


def _file_reader(opened: OpenBundle, name: str, max_bytes: int) -> Reader:
    return lambda: read_at_most(opened.files, name, max_bytes)


def _reader(opened: OpenBundle, item: ContextItem) -> Reader:
    return lambda: opened.read(item.id)


def _synthesis_file(bundle: Bundle, taken: Mapping[str, Reader]) -> str:
    if bundle.synthesis is None:
        return next(name for name in (SYNTHESIS, "synthesis.md") if name not in taken)
    if _has_own_files(bundle):
        return bundle.synthesis.file
    suffix = PurePosixPath(bundle.synthesis.file).suffix.lower()
    return SYNTHESIS if suffix in (".md", ".markdown", ".txt", "") else f"synthesis{suffix}"


def _place(item: ContextItem, taken: Mapping[str, Reader], *, keeps: bool) -> str | None:
    """Where the item's file goes. One without bytes keeps the name that it was declared with."""
    if not item.has_bytes:
        return item.file if item.file and not unsafe_reason(item.file) else None
    if keeps and item.file in taken:
        return item.file
    return context_file(item.id, item.file, taken=taken)


def _entry(item: ContextItem, file: str | None, *, rehash: bool) -> dict[str, Any]:
    """The item's entry: what the sender wrote, corrected where we know better."""
    entry = {name: value for name, value in item.declared.items() if name not in INLINE_ONLY}
    entry |= {"id": item.id, "type": _type(item), "title": item.title, "file": file}
    if item.external_uri:
        entry["external_uri"] = item.external_uri
    if item.source:
        entry["source"] = item.source
    if item.has_bytes:
        entry |= {"mime_type": item.media_type, "size_bytes": item.size_bytes}
    if item.has_bytes and (rehash or item.state is ItemState.AVAILABLE):
        entry["hash"] = f"sha256:{item.sha256}"
    elif item.declared_hash is not None:
        # Bytes that are not those declared must not be called verified by the next reader.
        entry["hash"] = declared_hash_text(item.declared_hash)
    elif item.state is ItemState.CORRUPTED:
        entry["hash"] = "damaged"
    if "access" not in entry and not item.access.is_unrestricted:
        entry["access"] = access_entry(item.access)
    if item.type not in ITEM_TYPES:
        entry["metadata"] = {**to_wire(item.metadata), "original_type": item.type}
    return to_wire(entry)  # type: ignore[no-any-return]


def declared_hash_text(declared: str) -> str:
    is_sha256 = len(declared) == 64 and all(digit in "0123456789abcdef" for digit in declared)
    return f"sha256:{declared}" if is_sha256 else declared


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
    context, synthesis = given.get("context"), given.get("synthesis")
    required = {
        "tezit_version": TEZIT_VERSION,
        "id": bundle.id,
        "version": bundle.version,
        "created_at": bundle.created_at or _UNKNOWN_DATE,
        "creator": {"name": "unknown", **to_wire(bundle.creator)},
        "synthesis": {
            **(synthesis if isinstance(synthesis, dict) else {}),
            "title": bundle.title,
            "type": bundle.synthesis.type if bundle.synthesis else "analysis",
            "file": synthesis_file,
        },
        "context": {
            **(context if isinstance(context, dict) else {}),
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
        given["context"] = given.pop("context_fields", None)
        for name in ("tezit", "tezit_version", "title", "type", "scope"):
            given.pop(name, None)
    return given


def _is_complete(opened: OpenBundle) -> bool:
    """A level-3 manifest about which nothing was found: nothing to add, nothing to correct."""
    bundle = opened.bundle
    return (
        bundle.level is BundleLevel.PLATFORM
        and all(
            item.hash_state is HashState.VERIFIED or not item.has_bytes
            for item in bundle.declared_items
        )
        and not any(
            finding.where.startswith(MANIFEST) and finding.severity is not Severity.INFO
            for finding in opened.findings
        )
    )


def _retyped(bundle: Bundle) -> Iterator[str]:
    for item in bundle.declared_items:
        if item.type not in ITEM_TYPES:
            yield f"'{item.id}' is of type '{item.type}', which is none; written as 'custom'."


def _left_out(opened: OpenBundle) -> Iterator[str]:
    """Files of a loose folder that are neither items nor the synthesis."""
    if opened.bundle.level is not BundleLevel.INFORMAL:
        return
    used = {item.file for item in opened.bundle.declared_items}
    used.add(opened.bundle.synthesis.file if opened.bundle.synthesis else None)
    strays = [name for name in opened.files.names() if name not in used]
    if strays:
        yield f"{len(strays)} file(s) are no part of the bundle: {', '.join(strays[:5])}."


def _warnings(bundle: Bundle) -> Iterator[str]:
    for item in bundle.declared_items:
        if item.has_bytes and not item.access.is_unrestricted:
            yield (
                f"'{item.id}' is {item.access}, but whoever holds what was written holds its bytes."
            )
        if item.state is ItemState.EXTERNAL:
            yield f"'{item.id}' stays a reference to {item.external_uri}, without bytes."
    sharing = bundle.conversation.sharing
    goes_along = CONVERSATION_FIELD in bundle.manifest and _has_own_files(bundle)
    if goes_along and sharing in (ConversationSharing.REDACTED, ConversationSharing.EXCLUDED):
        yield (
            f"The conversation is shared as '{sharing}', but its record goes along whole; "
            "delete the file first if nobody may read it."
        )
