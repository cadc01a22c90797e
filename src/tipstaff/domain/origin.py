"""Where a tez that was shared with another tenant really is, and what its asker is called there
(Enterprise §6.3)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Protocol
from urllib.parse import quote

from tipstaff.domain.caller import Caller


class Publication(Protocol):
    @property
    def published_by(self) -> str: ...


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


def origin_of_tez(published: object) -> Origin | None:
    """None: it is the tenant's own, or a copy that is asked here."""
    origin: Origin | None = getattr(published, "origin", None)
    return origin


def asked_as(caller: Caller, published: Publication) -> tuple[str, str | None]:
    """The tenant in which a tez is asked, and the recipient's name there; None for whoever
    published it, who has all of it anyway. The people whom a shared tez names are its sender's,
    also in a copy of it."""
    origin = origin_of_tez(published)
    tenant = caller.tenant if origin is None else origin.tenant
    if getattr(published, "share", None) is not None:
        return tenant, external_name(caller.tenant, caller.user)
    return caller.tenant, None if published.published_by == caller.user else caller.user


def external_name(tenant: str, user: str) -> str:
    """A user of another tenant, as the sender's authorizers and records know them: never one of
    the sender's own people who happens to have the same name."""
    return f"user:external:{quote(tenant, safe='')}/{user.removeprefix('user:')}"
