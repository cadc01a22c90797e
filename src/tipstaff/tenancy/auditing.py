"""The periodic audit (Enterprise §10.2): every file, index and row belongs to exactly one tenant.

It reads names, times and hashes; no word of anybody's documents or queries.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import select

from tipstaff.domain.caller import LOCAL_TENANT
from tipstaff.domain.finding import Finding, ValidationReport
from tipstaff.records.database import Records
from tipstaff.records.tables import TEZ
from tipstaff.settings import Settings
from tipstaff.tenancy.files import TenantHas, stray_files
from tipstaff.tenancy.rows import stray_rows, tenants_of

_WITHDRAWN = "withdrawn"


@dataclass(frozen=True, slots=True, kw_only=True)
class TenantsAudit:
    tenants: int
    report: ValidationReport


async def audit_tenants(records: Records, settings: Settings, data_folder: Path) -> TenantsAudit:
    known = await tenants_of(records)
    holdings = [await _holding(records, tenant) for tenant in sorted(known)]
    findings = await stray_rows(records)
    findings += await asyncio.to_thread(lambda: list(stray_files(data_folder, holdings)))
    if settings.store == "postgres":
        findings += await asyncio.to_thread(_stray_vector_rows, settings, holdings)
    return TenantsAudit(tenants=len(known), report=ValidationReport.of(findings))


async def _holding(records: Records, tenant: str) -> TenantHas:
    async with records.reading(tenant) as connection:
        of_tenant = TEZ.c.tenant == tenant
        wanted = select(TEZ.c.tez_id, TEZ.c.digest, TEZ.c.state).where(of_tenant)
        rows = (await connection.execute(wanted)).all()
    return TenantHas(
        tenant=tenant,
        tez_ids={row.tez_id for row in rows},
        digests={row.digest for row in rows if row.state != _WITHDRAWN},
    )


def _stray_vector_rows(settings: Settings, holdings: list[TenantHas]) -> list[Finding]:
    from tipstaff.store.postgres_connection import Database
    from tipstaff.tenancy.vector_rows import stray_vector_rows

    database = Database(settings.database_url, connections=1)
    try:
        return [
            finding
            for one in holdings
            # Bundles that are asked on this computer have indexes, and no rows.
            if one.tenant != LOCAL_TENANT
            for finding in stray_vector_rows(database, one.tenant, one.tez_ids)
        ]
    finally:
        database.close()
