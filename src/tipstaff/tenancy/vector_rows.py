"""Rows of the store `postgres`: each part of an index is its index's tenant's, and each index is
of a tez that the tenant has. Row-level security is forced there, too: one tenant at a time."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from tipstaff.domain.finding import Finding, error
from tipstaff.store.index_folder import folder_name
from tipstaff.store.postgres_connection import Database
from tipstaff.store.postgres_schema import SCHEMA, TABLES

if TYPE_CHECKING:
    from asyncpg import Connection

_PARTS = TABLES[1:]


def stray_vector_rows(database: Database, tenant: str, tez_ids: Collection[str]) -> list[Finding]:
    async def work(connection: Connection) -> list[Finding]:
        found: list[Finding] = []
        for table in _PARTS:
            alone = await connection.fetchval(
                f"SELECT count(*) FROM {SCHEMA}.{table} AS part WHERE NOT EXISTS "  # noqa: S608
                f"(SELECT 1 FROM {SCHEMA}.bundle_index AS whole WHERE whole.id = part.index_id)"
            )
            if alone:
                told = f"{alone} rows are parts of another tenant's index."
                found.append(error("vector_row_of_another", _where(table, tenant), told))
        indexed = await connection.fetch(f"SELECT DISTINCT tez FROM {SCHEMA}.bundle_index")  # noqa: S608
        return [*found, *_unknown(tenant, [row["tez"] for row in indexed], tez_ids)]

    return database.run(folder_name(tenant), work)


def _unknown(tenant: str, indexed: list[str], tez_ids: Collection[str]) -> Iterator[Finding]:
    known = {folder_name(one) for one in tez_ids}
    for tez in indexed:
        if tez not in known:
            where = f"{_where('bundle_index', tenant)}, tez {tez}"
            yield error("index_astray", where, "The tenant has no such tez.")


def _where(table: str, tenant: str) -> str:
    return f"{SCHEMA}.{table}: tenant {tenant}"
