"""Who may see an item (Enterprise §3) and how much of it may be shown (TIP §13.4.2)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Any


class AccessType(StrEnum):
    PUBLIC = "public"
    AUTHENTICATED = "authenticated"
    CREATOR_ONLY = "creator_only"
    FGA = "fga"
    OPA = "opa"
    CEDAR = "cedar"
    CUSTOM = "custom"


class AccessLevel(StrEnum):
    FULL = "full"
    INTERROGATION_ONLY = "interrogation_only"
    SUMMARY_ONLY = "summary_only"


@dataclass(frozen=True, slots=True)
class Access:
    """Both published shapes in one: the type decides who, the level decides how much.

    `attributes` is the rest of the object as the sender wrote it (`object`, `relation`,
    `provider`, `policy` …); authorizers read it.
    """

    type: AccessType = AccessType.PUBLIC
    level: AccessLevel = AccessLevel.FULL
    attributes: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))

    @property
    def is_unrestricted(self) -> bool:
        return self.type is AccessType.PUBLIC and self.level is AccessLevel.FULL

    def __str__(self) -> str:
        return str(self.type) if self.level is AccessLevel.FULL else f"{self.type}, {self.level}"
