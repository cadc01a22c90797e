"""How long records of retrieval stay whole in the audit log (Enterprise §4.5: 90 days, or as
`audit_days` says). Tokens, publications, shares and erasures are not pruned."""

from __future__ import annotations

from tipstaff.records.audit_trail import prune, tenants
from tipstaff.records.database import Records
from tipstaff.settings import Settings

RETRIEVAL_KINDS = (
    "query",
    "external_query",
    "query_failed",
    "external_query_failed",
    "limit",
    "external_limit",
    "item_viewed",
    "external_item_viewed",
    "claim_checked",
    "external_claim_checked",
)
_DAY_S = 86_400


async def prune_old(
    records: Records, tenant: str, *, settings: Settings, key: bytes, by: str, now: float
) -> int:
    """Of one tenant; how many records."""
    gone = 0
    while some := await prune(
        records,
        tenant,
        kinds=RETRIEVAL_KINDS,
        older_than=now - settings.audit_days * _DAY_S,
        key=key,
        by=by,
        now=now,
    ):
        gone += some
    return gone


async def prune_every_tenant(
    records: Records, *, settings: Settings, key: bytes, now: float
) -> int:
    gone = 0
    for tenant in await tenants(records):
        gone += await prune_old(
            records, tenant, settings=settings, key=key, by="retention", now=now
        )
    return gone
