"""Opaque bearer tokens: a secret that is shown once, and its SHA-256, which is all that is kept.

Every request looks a token up anew, so that a revoked one is of no use from that moment on.
"""

from __future__ import annotations

import hashlib
import secrets
import time
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any

from sqlalchemy import RowMapping, insert, select, update

from tipstaff.domain.caller import Caller, Permission
from tipstaff.errors import NotFound
from tipstaff.records.audit_trail import append
from tipstaff.records.database import Records
from tipstaff.records.tables import TOKEN

PREFIX = "tts_"
_SECRET_BYTES = 32
# A longer one is none of ours, and is not even hashed.
_MOST_CHARS = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenFacts:
    """What may be known of a token by those who administer it; its secret is not among it."""

    token_id: str
    tenant: str
    user: str
    permissions: frozenset[Permission]
    tezits: frozenset[str] | None
    label: str
    issued_at: float
    expires_at: float | None
    revoked_at: float | None = None

    def is_good(self, now: float) -> bool:
        return self.revoked_at is None and (self.expires_at is None or now < self.expires_at)

    @property
    def caller(self) -> Caller:
        return Caller(
            tenant=self.tenant, user=self.user, permissions=self.permissions, tezits=self.tezits
        )


class Tokens:
    def __init__(self, records: Records, *, now: Callable[[], float] = time.time) -> None:
        self._records = records
        self._now = now

    async def issue(
        self,
        *,
        tenant: str,
        user: str,
        permissions: Collection[Permission] = (Permission.INTERROGATE,),
        tezits: Collection[str] | None = None,
        expires_at: float | None = None,
        label: str = "",
    ) -> tuple[str, TokenFacts]:
        """The secret, which nobody can ask for again, and what is known of the token."""
        secret = PREFIX + secrets.token_urlsafe(_SECRET_BYTES)
        facts = TokenFacts(
            token_id=f"tok-{secrets.token_hex(8)}",
            tenant=tenant,
            user=user,
            permissions=frozenset(permissions),
            tezits=None if tezits is None else frozenset(tezits),
            label=label,
            issued_at=self._now(),
            expires_at=expires_at,
        )
        async with self._records.writing(tenant) as connection:
            await connection.execute(insert(TOKEN).values(sha256=_digest(secret), **_row(facts)))
            told = {name: value for name, value in _row(facts).items() if name != "tenant"}
            await append(connection, tenant, "token_issued", told, now=facts.issued_at)
        return secret, facts

    async def caller_of(self, secret: str) -> Caller | None:
        """Whose token this is; None if it is nobody's, or no longer good."""
        if not secret.startswith(PREFIX) or len(secret) > _MOST_CHARS:
            return None
        digest = _digest(secret)
        row = await self._records.whose(
            select(TOKEN).where(TOKEN.c.sha256 == digest), digest=digest
        )
        facts = None if row is None else _facts(row._mapping)
        return facts.caller if facts is not None and facts.is_good(self._now()) else None

    async def list(self, tenant: str) -> list[TokenFacts]:
        """Every token of a tenant, also those that are no longer good, oldest first."""
        wanted = select(TOKEN).where(TOKEN.c.tenant == tenant)
        async with self._records.reading(tenant) as connection:
            rows = await connection.execute(wanted.order_by(TOKEN.c.issued_at, TOKEN.c.token_id))
            return [_facts(row) for row in rows.mappings()]

    async def revoke(self, tenant: str, token_id: str) -> None:
        """From now on it opens nothing. To revoke it again changes nothing."""
        this = (TOKEN.c.tenant == tenant) & (TOKEN.c.token_id == token_id)
        async with self._records.writing(tenant) as connection:
            if await connection.scalar(select(TOKEN.c.token_id).where(this)) is None:
                raise NotFound(f"There is no token '{token_id}'.")
            still_good = this & TOKEN.c.revoked_at.is_(None)
            now = self._now()
            done = await connection.execute(update(TOKEN).where(still_good).values(revoked_at=now))
            if done.rowcount:
                told = {"token_id": token_id}
                await append(connection, tenant, "token_revoked", told, now=now)


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def _row(facts: TokenFacts) -> dict[str, Any]:
    return {
        "tenant": facts.tenant,
        "token_id": facts.token_id,
        "user": facts.user,
        "permissions": sorted(facts.permissions),
        "tezits": None if facts.tezits is None else sorted(facts.tezits),
        "label": facts.label,
        "issued_at": facts.issued_at,
        "expires_at": facts.expires_at,
    }


def _facts(row: RowMapping) -> TokenFacts:
    """A permission that this version does not know is no permission."""
    known = set(Permission)
    return TokenFacts(
        token_id=row["token_id"],
        tenant=row["tenant"],
        user=row["user"],
        permissions=frozenset(Permission(one) for one in row["permissions"] if one in known),
        tezits=None if row["tezits"] is None else frozenset(row["tezits"]),
        label=row["label"],
        issued_at=row["issued_at"],
        expires_at=row["expires_at"],
        revoked_at=row["revoked_at"],
    )
