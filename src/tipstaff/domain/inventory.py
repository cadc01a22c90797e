"""What `tip inspect` shows: every item with its state, and how the context will be loaded."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tipstaff.domain.bundle import Bundle
from tipstaff.domain.item import ContextItem, ItemState
from tipstaff.domain.wire import to_wire

# TIP §10.2: the bounds between the three ways of loading, in tokens.
SMALL_CONTEXT_TOKENS = 32_768
MEDIUM_CONTEXT_TOKENS = 500_000


def loading_strategy(total_tokens: int) -> str:
    """`full` below the first bound, `rag` below the second, `tiered` above."""
    if total_tokens < SMALL_CONTEXT_TOKENS:
        return "full"
    return "rag" if total_tokens <= MEDIUM_CONTEXT_TOKENS else "tiered"


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemEntry:
    """An item and what reading it brought: its size in tokens, or why it is unindexed."""

    item: ContextItem
    indexed: bool
    tokens: int | None
    reason: str | None
    suggestion: str | None
    pages: int = 0
    hidden: tuple[str, ...] = ()

    @property
    def state(self) -> str:
        """The item's state; `unindexed` where bytes are there but no text came of them."""
        if self.item.state is ItemState.AVAILABLE and not self.indexed and self.reason:
            return "unindexed"
        return str(self.item.state)

    def to_wire(self) -> dict[str, Any]:
        item = self.item
        return {
            "id": item.id,
            "type": item.type,
            "title": item.title,
            "file": item.file,
            "external_uri": item.external_uri,
            "source": item.source,
            "mime_type": item.media_type,
            "size_bytes": item.size_bytes,
            "tokens": self.tokens,
            "state": self.state,
            "indexed": self.indexed,
            "hash_state": str(item.hash_state),
            "sha256": item.sha256,
            "access": {
                "type": str(item.access.type),
                "level": str(item.access.level),
                **to_wire(item.access.attributes),
            },
            "reason": self.reason,
            "suggestion": self.suggestion,
            "parent": item.parent,
            "pages": self.pages or None,
            "hidden_text": list(self.hidden),
            "metadata": to_wire(item.metadata),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Inventory:
    """Tokens are those of the text that a reader sees; unindexed items have none."""

    bundle: Bundle
    items: tuple[ItemEntry, ...]
    synthesis_tokens: int
    total_tokens: int
    loading_strategy: str

    def to_wire(self) -> dict[str, Any]:
        bundle = self.bundle
        synthesis = bundle.synthesis
        return {
            "id": bundle.id,
            "version": bundle.version,
            "title": bundle.title,
            "level": int(bundle.level),
            "tezit_version": bundle.tezit_version,
            "created_at": bundle.created_at,
            "creator": to_wire(bundle.creator),
            "profile": bundle.profile,
            "synthesis": None
            if synthesis is None
            else {
                "file": synthesis.file,
                "type": synthesis.type,
                "size_bytes": synthesis.size_bytes,
                "sha256": synthesis.sha256,
                "tokens": self.synthesis_tokens,
            },
            "item_count": len(self.items),
            "items": [entry.to_wire() for entry in self.items],
            "total_size_bytes": sum(entry.item.size_bytes for entry in self.items),
            "total_tokens": self.total_tokens,
            "loading_strategy": self.loading_strategy,
            "conversation": {
                "sharing": str(bundle.conversation.sharing),
                "turns": len(bundle.conversation.turns),
                "withheld_turns": bundle.conversation.withheld_turns,
            },
            "permissions": to_wire(bundle.permissions),
            "hosting": to_wire(bundle.hosting),
            "privacy": to_wire(bundle.privacy),
            "interrogation": to_wire(bundle.interrogation),
            "tip_config": to_wire(bundle.tip_config),
        }
