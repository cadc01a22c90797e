"""A bundle as declared, before any item's bytes are read: what every level's reader produces."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tipstaff.bundle.declared_item import DeclaredItem
from tipstaff.bundle.file_names import CONVERSATION
from tipstaff.domain.bundle import BundleLevel, Hosting, InterrogationNeeds, Permissions, Privacy


@dataclass(frozen=True, slots=True, kw_only=True)
class BundleOutline:
    """`items` is None where they were not listed and must be looked for."""

    level: BundleLevel
    id: str
    version: int
    title: str
    synthesis_file: str | None
    synthesis_type: str = "analysis"
    synthesis_body: bytes | None = None
    synthesis_is_released: bool = False
    items: list[DeclaredItem] | None = None
    tezit_version: str | None = None
    created_at: str | None = None
    creator: Mapping[str, Any] = field(default_factory=dict)
    profile: str | None = None
    scope: str | None = None
    conversation: Mapping[str, Any] = field(default_factory=dict)
    conversation_file: str = CONVERSATION
    permissions: Permissions = field(default_factory=Permissions)
    hosting: Hosting = field(default_factory=Hosting)
    privacy: Privacy = field(default_factory=Privacy)
    interrogation: InterrogationNeeds = field(default_factory=InterrogationNeeds)
    tip_config: Mapping[str, Any] = field(default_factory=dict)
    manifest: Mapping[str, Any] = field(default_factory=dict)
