"""A context item: what the manifest says of it, and what was found when its bytes were read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Any

from tipstaff.domain.access import Access

# The types that the bundle format lists. Others occur ("transcript") and are kept as they are.
ITEM_TYPES = frozenset(
    {
        "document",
        "email",
        "spreadsheet",
        "presentation",
        "image",
        "audio",
        "video",
        "code",
        "data",
        "webpage",
        "message",
        "note",
        "custom",
    }
)


class HashState(StrEnum):
    """What is known of the bytes' integrity. Only the first two let a citation be verified."""

    VERIFIED = "verified"  # they match the hash that the sender declared
    PINNED = "pinned"  # none was declared; the hash was taken when the bundle was opened
    MISMATCH = "mismatch"  # they are not the bytes that the sender hashed
    UNAVAILABLE = "unavailable"  # there are no bytes to hash


class ItemState(StrEnum):
    AVAILABLE = "available"
    CORRUPTED = "corrupted"  # bytes are there, but not those that were declared
    MISSING = "missing"  # declared, not in the bundle
    EXTERNAL = "external"  # a reference outside the bundle, never fetched
    REFUSED = "refused"  # not read: unsafe name, too large, not a regular file


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextItem:
    """One item of the inventory; it is listed whatever its state (TIP §14.1).

    `declared` is the sender's own entry, unknown fields and all.
    """

    id: str
    type: str
    title: str
    file: str | None
    external_uri: str | None = None
    source: str | None = None
    media_type: str | None = None
    size_bytes: int = 0
    declared_hash: str | None = None
    sha256: str | None = None
    hash_state: HashState = HashState.UNAVAILABLE
    state: ItemState = ItemState.MISSING
    reason: str | None = None
    suggestion: str | None = None
    access: Access = field(default_factory=Access)
    names: tuple[str, ...] = ()
    parent: str | None = None  # the archive that this item is a member of
    declared: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    linked_source: Mapping[str, Any] | None = None
    metadata: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))

    @property
    def has_bytes(self) -> bool:
        """Whether there is a file to read, whatever its hash says."""
        return self.state in (ItemState.AVAILABLE, ItemState.CORRUPTED)

    @property
    def has_integrity(self) -> bool:
        """Whether its bytes are those that the sender declared, or those first seen."""
        return self.hash_state in (HashState.VERIFIED, HashState.PINNED)
