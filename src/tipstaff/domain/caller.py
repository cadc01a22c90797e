"""Who is asking, as far as it was proven (Enterprise §6.2: the tenant is the token's, never the
request's)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

# Whoever asks on their own computer, without a server.
LOCAL_TENANT = "local"


class Permission(StrEnum):
    """What a token may be used for. A recipient's has `INTERROGATE` only."""

    INTERROGATE = "interrogate"
    PUBLISH = "publish"
    ADMIN = "admin"


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """`user` is written `user:jane@example.com`. `tezits` None: every tez of the tenant."""

    tenant: str
    user: str
    permissions: frozenset[Permission]
    tezits: frozenset[str] | None = None

    def may(self, permission: Permission) -> bool:
        return permission in self.permissions


def user_named(name: str) -> str:
    """`jane@example.com` is a user; what names its kind already is left as it is."""
    return name if ":" in name else f"user:{name}"
