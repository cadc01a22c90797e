"""Who is asking, as far as it was proven (Enterprise §6.2: the tenant is the token's, never the
request's)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


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

    def may_ask(self, tez_id: str) -> bool:
        granted = self.tezits is None or tez_id in self.tezits
        return granted and self.may(Permission.INTERROGATE)
