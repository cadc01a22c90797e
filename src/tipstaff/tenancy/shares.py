"""A share as both tenants see it: on which terms, how available, how fresh (Enterprise §6.3.1)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from tipstaff.domain.caller import Caller, Permission
from tipstaff.domain.origin import Origin
from tipstaff.domain.timestamp import timestamp, timestamp_or_none

PREFIX = "share-"


class Strategy(StrEnum):
    """Enterprise §6.3.1, in its order."""

    ACCEPT_DEPENDENCY = "accept_dependency"
    SNAPSHOT = "snapshot"
    REPLICATED = "replicated"

    @property
    def is_copy(self) -> bool:
        return self is not Strategy.ACCEPT_DEPENDENCY


class OnRevoke(StrEnum):
    """What becomes of a copy when its share is revoked."""

    KEEP = "keep"
    WITHDRAW = "withdraw"


class Consent(StrEnum):
    """The receiving tenant's answer (decision 18, 7)."""

    ASKED = "asked"
    ACCEPTED = "accepted"
    DECLINED = "declined"


_AVAILABILITY = {
    Strategy.ACCEPT_DEPENDENCY: "It lies with its sender and is asked there: when the sender's "
    "storage is not available, it cannot be asked.",
    Strategy.SNAPSHOT: "It is a copy of the moment it was shared or accepted at, in your own "
    "storage; later versions of its sender do not come.",
    Strategy.REPLICATED: "It is a copy in your own storage, brought up to date at intervals; the "
    "sender's version replaces whatever is here (source wins).",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """The sender's side. `users` None: everybody of the other tenant."""

    share_id: str
    tenant: str
    tez_id: str
    to_tenant: str
    users: tuple[str, ...] | None
    strategy: Strategy
    on_revoke: OnRevoke
    sync_interval_s: int | None
    created_at: float
    created_by: str
    revoked_at: float | None = None
    consent: Consent = Consent.ACCEPTED

    def to_wire(self) -> dict[str, Any]:
        return {
            "share_id": self.share_id,
            "tez_id": self.tez_id,
            "to_tenant": self.to_tenant,
            "users": None if self.users is None else list(self.users),
            "strategy": str(self.strategy),
            "on_revoke": str(self.on_revoke) if self.strategy.is_copy else None,
            "sync_interval_s": self.sync_interval_s,
            "created_at": timestamp(self.created_at),
            "created_by": self.created_by,
            "consent": str(self.consent),
            "revoked_at": timestamp_or_none(self.revoked_at),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Received:
    """The receiver's side; the share's id is the id of the tez here."""

    share_id: str
    tenant: str
    from_tenant: str
    tez_id: str
    users: tuple[str, ...] | None
    strategy: Strategy
    on_revoke: OnRevoke
    sync_interval_s: int | None
    created_at: float
    revoked_at: float | None = None
    source_version: int | None = None
    source_digest: str | None = None
    synced_at: float | None = None
    consent: Consent = Consent.ACCEPTED

    @property
    def origin(self) -> Origin:
        return Origin(tenant=self.from_tenant, tez_id=self.tez_id)

    @property
    def is_there(self) -> bool:
        """Enterprise §6.3.1, 2: a snapshot is the receiver's own, and outlasts its share unless
        it was given on other terms. Nothing is there that the receiver has not taken."""
        if self.consent is not Consent.ACCEPTED:
            return False
        kept = self.strategy.is_copy and self.on_revoke is OnRevoke.KEEP
        return self.revoked_at is None or kept

    @property
    def is_synced(self) -> bool:
        return self.strategy is Strategy.REPLICATED and self.revoked_at is None

    def is_due(self, now: float) -> bool:
        """Whether its copy is to be made, or compared with its source again."""
        if self.revoked_at is not None or not self.strategy.is_copy or not self.is_there:
            return False
        if self.synced_at is None:
            return True
        return self.is_synced and now >= self.synced_at + (self.sync_interval_s or 0)

    def may_be_asked_by(self, caller: Caller) -> bool:
        if caller.tenant != self.tenant or not self.is_there:
            return False
        if caller.tezits is not None and self.share_id not in caller.tezits:
            return False
        if caller.may(Permission.ADMIN):
            return True
        named = self.users is None or caller.user in self.users
        return named and caller.may(Permission.INTERROGATE)

    def may_be_decided_by(self, caller: Caller) -> bool:
        """Accepted or declined: by the receiver's admins, for as long as it is offered."""
        if caller.tenant != self.tenant or self.revoked_at is not None:
            return False
        in_reach = caller.tezits is None or self.share_id in caller.tezits
        return in_reach and caller.may(Permission.ADMIN)

    def to_wire(self, now: float) -> dict[str, Any]:
        """Enterprise §6.3.1: recipients are told how available and how fresh it is."""
        told: dict[str, Any] = {
            "share_id": self.share_id,
            "from_tenant": self.from_tenant,
            "external_tez_id": self.tez_id,
            "strategy": str(self.strategy),
            "availability": _AVAILABILITY[self.strategy],
            "consent": str(self.consent),
            "created_at": timestamp(self.created_at),
            "revoked_at": timestamp_or_none(self.revoked_at),
        }
        if self.strategy.is_copy:
            told["on_revoke"] = str(self.on_revoke)
            told["source_version"] = self.source_version
            told["synced_at"] = timestamp_or_none(self.synced_at)
        if self.strategy is Strategy.REPLICATED:
            interval = self.sync_interval_s or 0
            told["sync_interval_s"] = interval
            told["conflict_resolution"] = "source_wins"
            # Twice the interval: one round that failed is no staleness yet.
            told["stale"] = self.synced_at is None or now > self.synced_at + 2 * interval
        return told
