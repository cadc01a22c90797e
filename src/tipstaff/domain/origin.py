"""Where a tez that was shared with another tenant really is, and what its asker is called there
(Enterprise §6.3)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any
from urllib.parse import quote


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """The sender's tenant and its own name of the tez."""

    tenant: str
    tez_id: str

    def to_wire(self) -> dict[str, str]:
        return asdict(self)

    @classmethod
    def from_wire(cls, said: Mapping[str, Any] | None) -> Origin | None:
        return None if said is None else cls(tenant=said["tenant"], tez_id=said["tez_id"])


def external_name(tenant: str, user: str) -> str:
    """A user of another tenant, as the sender's authorizers and records know them: never one of
    the sender's own people who happens to have the same name."""
    return f"user:external:{quote(tenant, safe='')}/{user.removeprefix('user:')}"
