"""A bundle as a value: its synthesis, its context items, and the sender's terms."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from types import MappingProxyType
from typing import Any

from tipstaff.domain.citation import SYNTHESIS_ID, SYNTHESIS_NAMES
from tipstaff.domain.conversation import Conversation, ConversationSharing
from tipstaff.domain.item import ContextItem


class BundleLevel(IntEnum):
    INLINE = 0
    INFORMAL = 1
    PORTABLE = 2
    PLATFORM = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Synthesis:
    """`tez.md` or what stands for it. The text is decoded; the bytes stay with the bundle.
    Released, it is whole for every recipient, whichever items they may see."""

    title: str
    type: str
    file: str
    text: str
    size_bytes: int
    sha256: str
    media_type: str = "text/markdown"
    is_released: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Permissions:
    interrogate: bool = True
    fork: bool = True
    reshare: bool = True
    commercial_use: bool = False
    license: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class HostingLimits:
    """TIP §12.1.3; None means that the sender set no limit."""

    interrogations_per_recipient: int | None = None
    max_tokens_per_query: int | None = None
    max_total_tokens_per_recipient: int | None = None
    rate_limit_per_minute: int | None = None
    expires_at: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Hosting:
    """TIP §12: where interrogation runs, and within which limits."""

    mode: str | None = None
    url: str | None = None
    limits: HostingLimits = field(default_factory=HostingLimits)
    allow_download: bool | None = None
    bundle_url: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Privacy:
    """TIP §13.1.1: the defaults are the protective ones."""

    query_logging: str = "none"
    query_sharing_with_sender: bool = False
    analytics_level: str = "aggregate_only"
    logging_scope: str | None = None
    retention_days: int | None = None
    data_residency: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))


@dataclass(frozen=True, slots=True, kw_only=True)
class InterrogationNeeds:
    """TIP §15.4: what the sender expects of whoever interrogates."""

    tip_version: str = "1.0"
    required_features: tuple[str, ...] = ()
    recommended_model_family: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Bundle:
    """What was opened. `manifest` is the sender's own object, unknown fields and all."""

    level: BundleLevel
    id: str
    version: int
    title: str
    synthesis: Synthesis | None
    items: tuple[ContextItem, ...]
    tezit_version: str | None = None
    created_at: str | None = None
    creator: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    profile: str | None = None
    scope: str | None = None
    conversation: Conversation = field(
        default_factory=lambda: Conversation(ConversationSharing.EXCLUDED)
    )
    permissions: Permissions = field(default_factory=Permissions)
    hosting: Hosting = field(default_factory=Hosting)
    privacy: Privacy = field(default_factory=Privacy)
    interrogation: InterrogationNeeds = field(default_factory=InterrogationNeeds)
    tip_config: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    params: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    manifest: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))

    @property
    def declared_items(self) -> tuple[ContextItem, ...]:
        """The items that the sender listed: all but the members of archives among them."""
        return tuple(item for item in self.items if item.parent is None)

    def item(self, item_id: str) -> ContextItem | None:
        """The context item of that id, if there is one."""
        return next((item for item in self.items if item.id == item_id), None)

    def citable_names(self) -> dict[str, str]:
        """Every name under which something may be cited, and the id that it stands for."""
        names = {alias: item.id for item in reversed(self.items) for alias in item.names}
        names |= {item.id: item.id for item in self.items}
        if self.synthesis is not None:
            # A document that stands for a synthesis may be cited by its own name, too.
            names.setdefault(self.synthesis.file, SYNTHESIS_ID)
            names.setdefault(self.synthesis.file.rsplit(".", 1)[0], SYNTHESIS_ID)
        return names | dict.fromkeys(SYNTHESIS_NAMES, SYNTHESIS_ID)
