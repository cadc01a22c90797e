"""Tenants in one database: PostgreSQL keeps them apart, whatever a repository forgets; rows of
another that come through all the same are dropped and told (Enterprise §10.2)."""

from __future__ import annotations

import asyncio
import logging
import uuid
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar

import asyncpg
import pytest
from sqlalchemy import delete, func, insert, select, text, update
from sqlalchemy.exc import DBAPIError

from tests.store.conftest import run_sql
from tipstaff.access.tokens import Tokens
from tipstaff.errors import InternalError, UsageError
from tipstaff.records.database import Pool, Records, open_records
from tipstaff.records.migrating import migrate
from tipstaff.records.tables import METADATA, TEZ, TOKEN

T = TypeVar("T")
MINE, THEIRS = "acme", "rival"


def titled(tenant: str, title: str) -> dict[str, Any]:
    return {
        "tenant": tenant,
        "tez_id": "plan",
        "version": 1,
        "digest": "0" * 64,
        "title": title,
        "state": "ready",
        "progress": "",
        "published_at": 0.0,
        "published_by": "user:jane",
    }


class Forgetful:
    """A repository that never names the tenant in its statements."""

    def __init__(self, records: Records) -> None:
        self.records = records

    async def titles(self, tenant: str) -> list[str]:
        async with self.records.reading(tenant) as connection:
            return list(await connection.scalars(select(TEZ.c.title)))

    async def count(self, tenant: str) -> int:
        async with self.records.reading(tenant) as connection:
            return int(await connection.scalar(select(func.count()).select_from(TEZ)) or 0)

    async def rename_all(self, tenant: str) -> int:
        async with self.records.writing(tenant) as connection:
            return (await connection.execute(update(TEZ).values(title="renamed"))).rowcount

    async def remove_all(self, tenant: str) -> int:
        async with self.records.writing(tenant) as connection:
            return (await connection.execute(delete(TEZ))).rowcount


async def two_tenants(records: Records) -> None:
    for tenant in (MINE, THEIRS):
        async with records.writing(tenant) as connection:
            await connection.execute(insert(TEZ).values(titled(tenant, f"of {tenant}")))


def only_opened(address: str) -> None:
    async def run() -> None:
        await (await open_records(address)).aclose()

    asyncio.run(run())


def with_records(address: str | Path, work: Callable[[Records], Awaitable[T]]) -> T:
    async def run() -> T:
        records = await open_records(address)
        try:
            await two_tenants(records)
            return await work(records)
        finally:
            await records.aclose()

    return asyncio.run(run())


def test_a_forgotten_filter_leaks_nothing(postgres_address: str) -> None:
    async def work(records: Records) -> None:
        forgetful = Forgetful(records)
        assert await forgetful.titles(MINE) == ["of acme"]
        assert await forgetful.count(MINE) == 1
        assert await forgetful.rename_all(MINE) == 1
        assert await forgetful.titles(THEIRS) == ["of rival"]
        assert await forgetful.remove_all(MINE) == 1
        assert await forgetful.count(THEIRS) == 1
        assert await forgetful.count("") == 0

    with_records(postgres_address, work)


def test_raw_sql_of_the_application_role_sees_nothing_without_a_tenant(
    postgres_address: str,
) -> None:
    async def raw() -> list[int]:
        connection = await asyncpg.connect(postgres_address)
        try:
            before = await connection.fetchval("SELECT count(*) FROM tez")
            await connection.execute("SELECT set_config('tipstaff.tenant', 'acme', false)")
            return [before, await connection.fetchval("SELECT count(*) FROM tez")]
        finally:
            await connection.close()

    async def work(_: Records) -> list[int]:
        return await raw()

    assert with_records(postgres_address, work) == [0, 1]


def test_a_row_for_another_tenant_cannot_be_written(postgres_address: str) -> None:
    async def work(records: Records) -> None:
        stolen = update(TEZ).values(tenant=THEIRS, version=9)
        planted = insert(TEZ).values({**titled(THEIRS, "planted"), "version": 2})
        for statement in (planted, stolen):
            with pytest.raises(DBAPIError, match="row-level security"):
                async with records.writing(MINE) as connection:
                    await connection.execute(statement)

    with_records(postgres_address, work)


def test_looking_across_tenants_writes_nothing(postgres_address: str) -> None:
    async def work(records: Records) -> None:
        async with records.writing(MINE) as connection:
            found = await connection.across(select(TEZ.c.tenant), why="a test")
            assert sorted(row.tenant for row in found) == [MINE, THEIRS]
            # And the transaction is what it was before.
            assert (await connection.execute(update(TEZ).values(title="x"))).rowcount == 1
        async with records.writing(MINE) as connection:
            await connection.execute(text("SET LOCAL tipstaff.crossing = 'by force'"))
            assert (await connection.execute(update(TEZ).values(title="y"))).rowcount == 1

    with_records(postgres_address, work)


def test_looking_across_tenants_is_said_and_shows_no_words(
    records_address: str | Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, logger="tipstaff.records")

    async def work(records: Records) -> None:
        with pytest.raises(InternalError, match="title"):
            await records.across(select(TEZ.c.tenant, func.lower(TEZ.c.title)), why="curiosity")
        assert len(await records.across(select(TEZ.c.tenant), why="upkeep of a test")) == 2

    with_records(records_address, work)
    assert "tenants crossed: upkeep of a test (2 rows)" in caplog.text


def test_a_row_of_another_tenant_is_dropped_told_and_counted(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """SQLite has no row-level security: here a forgotten filter does reach the guard."""

    async def work(records: Records) -> list[str]:
        alarms: list[str] = []
        records.on_foreign_row = lambda: alarms.append("alarm")
        forgetful = Forgetful(records)
        with pytest.raises(InternalError):
            await forgetful.titles(MINE)
        async with records.writing(MINE) as connection:
            with pytest.raises(InternalError):
                await connection.execute(update(TEZ).values(title="x").returning(*TEZ.c))
        return alarms

    assert with_records(tmp_path / "records.sqlite", work) == ["alarm", "alarm"]
    errors = [one for one in caplog.records if one.levelno == logging.ERROR]
    assert len(errors) == 2
    assert "rival" not in caplog.text


def test_rows_come_as_they_were_asked_for(records_address: str | Path) -> None:
    """The guard's own column is seen by nobody."""

    async def work(records: Records) -> None:
        async with records.reading(MINE) as connection:
            mine = TEZ.c.tenant == MINE
            found = await connection.execute(select(TEZ.c.title, TEZ.c.version).where(mine))
            assert [dict(row) for row in found.mappings()] == [{"title": "of acme", "version": 1}]
            assert (await connection.execute(select(TEZ).where(mine))).mappings().one()[
                "tez_id"
            ] == "plan"

    with_records(records_address, work)


def test_one_transaction_may_write_for_two_tenants_by_turns(records_address: str | Path) -> None:
    async def work(records: Records) -> list[str]:
        async with records.writing(MINE) as connection:
            async with connection.acting_for(THEIRS):
                await connection.execute(
                    insert(TEZ).values({**titled(THEIRS, "both"), "version": 2})
                )
                theirs = select(TEZ.c.title).where(TEZ.c.tenant == THEIRS, TEZ.c.version == 2)
                assert await connection.scalar(theirs) == "both"
            await connection.execute(insert(TEZ).values({**titled(MINE, "both"), "version": 2}))
        found = await records.across(select(TEZ.c.tenant).where(TEZ.c.version == 2), why="a test")
        return sorted(row.tenant for row in found)

    assert with_records(records_address, work) == [MINE, THEIRS]


def test_a_token_is_found_by_its_secret_alone(postgres_address: str) -> None:
    async def work(records: Records) -> None:
        tokens = Tokens(records)
        secret, _ = await tokens.issue(tenant=THEIRS, user="user:jane")
        caller = await tokens.caller_of(secret)
        assert caller is not None
        assert caller.tenant == THEIRS
        async with records.reading(MINE) as connection:
            assert (await connection.execute(select(TOKEN))).first() is None

    with_records(postgres_address, work)


def test_every_table_with_a_tenant_is_protected_by_force(postgres_address: str) -> None:
    """Also one that is added later: its step has to say `protect`."""

    async def work(records: Records) -> None:
        async with records.reading(MINE) as connection:
            forced = await connection.execute(
                text("SELECT relname FROM pg_class WHERE relrowsecurity AND relforcerowsecurity")
            )
            protected = {row[0] for row in forced}
        with_tenant = {table.name for table in METADATA.sorted_tables if "tenant" in table.c}
        assert with_tenant
        assert with_tenant <= protected

    with_records(postgres_address, work)


def test_a_server_does_not_start_where_protection_was_switched_off(postgres_address: str) -> None:
    run_sql(postgres_address, "CREATE TABLE of_somebody_else (tenant text)")
    only_opened(postgres_address)
    run_sql(postgres_address, "ALTER TABLE exchange NO FORCE ROW LEVEL SECURITY")
    with pytest.raises(UsageError, match="exchange"):
        asyncio.run(open_records(postgres_address))


def test_a_superuser_keeps_no_records(superuser_url: str, database_url: str) -> None:
    name = f"apart_{uuid.uuid4().hex}"
    run_sql(superuser_url, f"CREATE DATABASE {name}")
    with pytest.raises(UsageError, match="superuser"):
        asyncio.run(open_records(superuser_url.replace("/postgres?", f"/{name}?")))


def test_an_application_that_is_not_the_owner_cannot_switch_protection_off(
    superuser_url: str, database_url: str
) -> None:
    from tipstaff.records.database import database_url as url_of
    from tipstaff.records.database import postgres_engine

    name, owner = f"apart_{uuid.uuid4().hex}", f"owner_{uuid.uuid4().hex[:8]}"
    run_sql(superuser_url, f"CREATE ROLE {owner} LOGIN", f"CREATE DATABASE {name} OWNER {owner}")
    owned = superuser_url.replace("//postgres:", f"//{owner}:").replace("/postgres?", f"/{name}?")
    used = database_url.replace("/postgres?", f"/{name}?")

    async def migrated() -> None:
        engine = postgres_engine(url_of(owned), Pool())
        try:
            await migrate(engine, application_role="app")
        finally:
            await engine.dispose()

    with pytest.raises(UsageError, match="may not make its tables"):
        asyncio.run(open_records(used))
    asyncio.run(migrated())

    async def work(records: Records) -> None:
        assert await Forgetful(records).titles(MINE) == ["of acme"]
        for statement in (
            "ALTER TABLE tez DISABLE ROW LEVEL SECURITY",
            "DROP POLICY own_tenant ON tez",
            "TRUNCATE tez",
        ):
            with pytest.raises(DBAPIError, match=r"must be owner|permission denied"):
                async with records.writing(MINE) as connection:
                    await connection.execute(text(statement))

    with_records(used, work)
