"""Context items as a manifest or front matter declares them, before any byte is read."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath
from types import MappingProxyType
from typing import Any

from tipstaff.bundle.fields import Fields
from tipstaff.bundle.file_names import ITEM_ID, derive_id, numbered
from tipstaff.bundle.sender_terms import read_access
from tipstaff.domain.access import Access
from tipstaff.domain.finding import Finding, error, info, warning
from tipstaff.domain.item import ITEM_TYPES

# Level 0 has shorter words for two fields.
_INLINE_NAMES = {"size_bytes": "size", "mime_type": "mime"}

_SHA256 = re.compile(r"(?:sha256[:-])?([0-9a-f]{64})", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class DeclaredItem:
    """`where` is the JSON pointer of the declaration, for findings about the item, and
    `entry` the declaration itself: fields that nobody here knows survive in it."""

    id: str
    where: str
    entry: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    title: str
    file: str | None
    type: str | None = None
    external_uri: str | None = None
    source: str | None = None
    media_type: str | None = None
    size_bytes: int | None = None
    sha256: str | None = None
    access: Access = field(default_factory=Access)
    names: tuple[str, ...] = ()
    embedded: bytes | None = None
    linked_source: Mapping[str, Any] | None = None
    metadata: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))

    def pointer(self, name: str) -> str:
        """Where a field stands, under the name by which this form of bundle knows it."""
        inline_name = _INLINE_NAMES.get(name, name)
        return f"{self.where}/{inline_name if inline_name in self.entry else name}"


def from_manifest(fields: Fields, findings: list[Finding]) -> DeclaredItem:
    """One member of `context.items`."""
    file = _file(fields)
    title = fields.text("title")
    item_id = fields.text("id")
    if item_id is None:
        item_id = derive_id(file or title or "item", ())
        findings.append(warning("no-id", fields.where, f"The item has no id; '{item_id}' is used."))
    elif not ITEM_ID.fullmatch(item_id):
        findings.append(
            warning("odd-id", fields.pointer("id"), f"'{item_id}' is not of the form for item ids.")
        )
    kind = fields.text("type")
    if kind is not None and kind not in ITEM_TYPES:
        findings.append(
            warning("unknown-type", fields.pointer("type"), f"'{kind}' is not a listed item type.")
        )
    linked = fields.object("linked_source").value
    return DeclaredItem(
        id=item_id,
        where=fields.where,
        entry=MappingProxyType(dict(fields.value)),
        title=title or item_id,
        file=file,
        type=kind,
        external_uri=fields.text("external_uri"),
        source=fields.text("source"),
        media_type=fields.text("mime_type"),
        size_bytes=fields.whole("size_bytes"),
        sha256=_declared_hash(fields, findings),
        access=read_access(fields),
        names=_names(title, file),
        linked_source=MappingProxyType(dict(linked)) if linked else None,
        metadata=MappingProxyType(dict(fields.object("metadata").value)),
    )


def from_front_matter(fields: Fields, findings: list[Finding], max_bytes: int) -> DeclaredItem:
    """One member of a level-0 document's `context`."""
    label = fields.text("label") or fields.text("title")
    file, url = _file(fields), fields.text("url") or fields.text("external_uri")
    item_id = fields.text("id") or derive_id(label or file or "item", ())
    if label is None:
        label = item_id
        findings.append(
            warning("no-label", fields.where, f"The entry has no label; '{item_id}' is used.")
        )
    linked = fields.object("linked_source").value
    return DeclaredItem(
        id=item_id,
        where=fields.where,
        entry=MappingProxyType(dict(fields.value)),
        title=fields.text("title") or label,
        file=file,
        type=fields.text("type"),
        external_uri=url,
        source=fields.text("source"),
        media_type=fields.text("mime") or fields.text("mime_type"),
        size_bytes=fields.whole("size" if "size" in fields.value else "size_bytes"),
        sha256=_declared_hash(fields, findings),
        access=read_access(fields),
        names=(label, *_names(fields.text("title"), file)),
        embedded=_embedded(fields, findings, max_bytes),
        linked_source=MappingProxyType(dict(linked)) if linked else None,
        metadata=MappingProxyType(dict(fields.object("metadata").value)),
    )


def with_unique_ids(items: list[DeclaredItem], findings: list[Finding]) -> list[DeclaredItem]:
    """The first of two equal ids keeps it; the other gets one that nobody declared."""
    declared = {item.id for item in items}
    taken: set[str] = set()
    unique = []
    for item in items:
        if item.id in taken:
            new_id = numbered(item.id, declared | taken)
            findings.append(
                error(
                    "duplicate-id",
                    f"{item.where}/id",
                    f"The id '{item.id}' is taken; this item is listed as '{new_id}'.",
                )
            )
            item = replace(item, id=new_id)
        taken.add(item.id)
        unique.append(item)
    return unique


def _file(fields: Fields) -> str | None:
    """The file's name, without the "./" that some writers put before it."""
    file = fields.text("file")
    if file is None or not re.search(r"(?:^|/)\.?/", file) or file.startswith("/"):
        return file
    return "/".join(part for part in file.split("/") if part not in ("", "."))


def _names(title: str | None, file: str | None) -> tuple[str, ...]:
    """What people write instead of an id: the file name, with or without its folder."""
    names = [PurePosixPath(file).name, file] if file else []
    return tuple(dict.fromkeys([*names, *([title] if title else [])]))


def _declared_hash(fields: Fields, findings: list[Finding]) -> str | None:
    text = fields.text("hash")
    if text is None:
        return None
    if match := _SHA256.fullmatch(text.strip()):
        return match[1].lower()
    findings.append(
        error("bad-hash", fields.pointer("hash"), f"'{text[:80]}' is not a SHA-256 hash.")
    )
    # A hash was declared and cannot be met: never the same as none.
    return text.strip()


def _embedded(fields: Fields, findings: list[Finding], max_bytes: int) -> bytes | None:
    text = fields.text("content_b64")
    if text is None:
        return b"" if fields.value.get("content_b64") == "" else None
    compact = "".join(text.split())
    try:
        content = base64.b64decode(compact + "=" * (-len(compact) % 4), validate=True)
    except (binascii.Error, ValueError):
        findings.append(
            error(
                "bad-base64", fields.pointer("content_b64"), "The embedded bytes cannot be decoded."
            )
        )
        return None
    if len(content) > max_bytes:
        findings.append(
            error("too-large", fields.pointer("content_b64"), "The embedded bytes are too many.")
        )
        return None
    if len(compact) % 4:
        findings.append(
            info("unpadded-base64", fields.pointer("content_b64"), "The base64 lacks its padding.")
        )
    return content
