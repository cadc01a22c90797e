"""PostgreSQL, a real one: the contract, the scope, tenants that row-level security keeps apart."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

from tests.conftest import BundleMaker
from tests.store.conftest import run_sql
from tests.store.scope_cases import SCOPE_CASES, scope_case_faults
from tipstaff.bundle.opening import open_bundle
from tipstaff.contracts.index_samples import chance_of, index_contents, query_vector
from tipstaff.contracts.stores import faults_of
from tipstaff.domain.scope import IndexedItem, Scope
from tipstaff.errors import RetrievalFailed, UsageError
from tipstaff.indexing import index_bundle
from tipstaff.settings import DEFAULTS, Settings
from tipstaff.store.index_folder import VERSIONS_KEPT
from tipstaff.store.postgres import _NEAREST, PostgresStore, _shared, _vector_text
from tipstaff.store.postgres_schema import TABLES, TENANT
from tipstaff.store.registry import store_named
from tipstaff.store.store import IndexContents, IndexKey


@pytest.fixture(scope="module")
def store(database_url: str) -> Iterator[PostgresStore]:
    made = PostgresStore(database_url)
    yield made
    made.close()


def key(tenant: str = "acme", digest: str = "digest") -> IndexKey:
    return IndexKey(tenant=tenant, tez_id="tez", digest=digest)


def selected(what: str, table: str) -> str:
    return f"SELECT {what} FROM tipstaff_1.{table}"  # noqa: S608 (names of ours)


def rows_seen(url: str, statement: str, *, tenant: str | None) -> Any:
    """What a statement of one's own sees, with or without a tenant named."""
    import asyncpg

    async def work() -> Any:
        connection = await asyncpg.connect(url)
        try:
            async with connection.transaction():
                if tenant is not None:
                    await connection.execute("SELECT set_config($1, $2, true)", TENANT, tenant)
                return await connection.fetch(statement)
        finally:
            await connection.close()

    return asyncio.run(work())


def large_contents(*, items: int, chunks: int) -> IndexContents:
    """As large as a planner needs to choose between ways; what it says does not matter."""
    count = items * chunks
    chunk = index_contents(chance_of(1)).chunks[0]
    return IndexContents(
        items=tuple(
            IndexedItem(
                id=f"item-{number}",
                type="document",
                title="",
                first=number * chunks,
                chunks=chunks,
                length=0,
                tokens=0,
            )
            for number in range(items)
        ),
        chunks=(chunk,) * count,
        counts=({},) * count,
        vectors=np.resize(np.arange(384, dtype=np.int16), (count, 384)),
        embedder="counting",
    )


def scans(store: PostgresStore, index_id: int, scope: Scope, query: Any) -> list[dict[str, Any]]:
    """The steps of a search that read a table, as the database carried them out."""
    lows, highs = zip(*scope.ranges(), strict=True)

    async def work(connection: Any) -> str:
        explained = f"EXPLAIN (ANALYZE, FORMAT JSON) {_NEAREST}"
        values = (index_id, list(lows), list(highs), _vector_text(query), 5)
        return str(await connection.fetchval(explained, *values))

    found, waiting = [], [json.loads(store._database.run("plans", work))[0]["Plan"]]
    while waiting:
        node = waiting.pop()
        waiting += node.get("Plans", [])
        if "Relation Name" in node:
            assert not node.get("Rows Removed by Filter")
            found.append(node)
    return found


def test_it_keeps_the_contract_of_stores(store: PostgresStore) -> None:
    assert faults_of(store) == []


def test_a_search_in_a_scope_equals_a_search_of_that_scope_alone(store: PostgresStore) -> None:
    assert scope_case_faults(store, cases=SCOPE_CASES) == []


@pytest.mark.parametrize("table", TABLES)
def test_a_query_without_a_condition_sees_nothing_of_another_tenant(
    store: PostgresStore, database_url: str, table: str
) -> None:
    store.write(key("acme"), index_contents(chance_of(1)))
    store.write(key("rival"), index_contents(chance_of(2)))
    everything = selected("DISTINCT tenant", table)
    for tenant in ("acme", "rival"):
        seen = rows_seen(database_url, everything, tenant=tenant)
        assert [row["tenant"] for row in seen] == [tenant]
    assert rows_seen(database_url, everything, tenant=None) == []
    assert rows_seen(database_url, everything, tenant="") == []


def test_a_tenant_cannot_write_or_delete_rows_of_another(
    store: PostgresStore, database_url: str
) -> None:
    import asyncpg

    store.write(key("rival"), index_contents(chance_of(2)))
    deleted = "DELETE FROM tipstaff_1.bundle_index WHERE tenant = 'rival' RETURNING id"
    assert rows_seen(database_url, deleted, tenant="acme") == []
    forged = (
        "INSERT INTO tipstaff_1.bundle_index (tenant, tez, digest, embedder, dimensions, items) "
        "VALUES ('rival', 't', 'd', 'e', 1, '')"
    )
    with pytest.raises(asyncpg.InsufficientPrivilegeError, match="row-level security"):
        rows_seen(database_url, forged, tenant="acme")
    assert store.open(key("rival")) is not None


def test_an_open_index_asked_as_another_tenant_is_not_there(store: PostgresStore) -> None:
    """Even the number of another tenant's index leads nowhere."""
    store.write(key("acme"), index_contents(chance_of(1)))
    index = store.open(key("acme"))
    assert index is not None
    index._tenant = "rival"
    with pytest.raises(RetrievalFailed):
        index.chunks([0])
    with pytest.raises(RetrievalFailed):
        index.postings(["w1"], Scope(index.items))
    with pytest.raises(RetrievalFailed):
        index.nearest(query_vector(chance_of(1)), Scope(index.items), 3)
    with pytest.raises(RetrievalFailed):
        index.vectors([0])


def test_an_index_removed_under_a_reader_is_an_error_and_not_an_empty_result(
    store: PostgresStore,
) -> None:
    store.write(key("brief"), index_contents(chance_of(1)))
    index = store.open(key("brief"))
    assert index is not None
    assert store.remove(tenant="brief", tez_id="tez") == 1
    with pytest.raises(RetrievalFailed, match="removed"):
        index.postings(["nowhere"], Scope(index.items))


def test_removal_leaves_no_rows_behind(store: PostgresStore, database_url: str) -> None:
    store.write(key("passing"), index_contents(chance_of(3)))
    store.remove(tenant="passing", tez_id="tez")
    for table in TABLES:
        counted = selected("count(*) AS rows", table)
        assert rows_seen(database_url, counted, tenant="passing")[0]["rows"] == 0


def test_versions_that_nobody_opens_make_room(store: PostgresStore, database_url: str) -> None:
    digests = [f"version-{number}" for number in range(VERSIONS_KEPT + 2)]
    for digest in digests:
        store.write(key("aging", digest), index_contents(chance_of(1)))
    assert all(store.open(key("aging", digest)) is not None for digest in digests)
    aged = (
        "UPDATE tipstaff_1.bundle_index SET opened = now() - interval '3 days' "
        "WHERE digest IN ('version-0', 'version-1', 'version-2')"
    )
    rows_seen(database_url, aged, tenant="aging")
    assert store.open(key("aging", "version-2")) is not None
    store.write(key("aging"), index_contents(chance_of(1)))
    kept = [digest for digest in digests if store.open(key("aging", digest)) is not None]
    assert kept == digests[2:]


def test_a_search_reads_no_vector_outside_its_scope(
    store: PostgresStore, database_url: str
) -> None:
    """Else its time would tell how much was left out."""
    contents = large_contents(items=100, chunks=60)
    store.write(key("plans"), contents)
    index = store.open(key("plans"))
    assert index is not None
    scope = Scope(index.items[::10])
    assert len(scope.ranges()) == 10
    read = sum(
        node["Actual Rows"] * node["Actual Loops"]
        for node in scans(store, index._id, scope, contents.vectors[0])
        if node["Relation Name"] == "vector"
    )
    assert read == scope.chunk_count < len(contents.chunks)


def test_a_write_that_fails_half_way_leaves_nothing(
    store: PostgresStore, database_url: str
) -> None:
    contents = index_contents(chance_of(4))
    contents.counts[-1]["a term that \x00 no text column takes"] = 1
    with pytest.raises(RetrievalFailed):
        store.write(key("broken"), contents)
    assert store.open(key("broken")) is None
    counted = selected("count(*) AS rows", "passage")
    assert rows_seen(database_url, counted, tenant="broken")[0]["rows"] == 0


def test_stores_that_start_at_once_make_the_tables_once(superuser_url: str) -> None:
    run_sql(superuser_url, "DROP DATABASE IF EXISTS fresh", "CREATE DATABASE fresh")
    fresh = superuser_url.replace("/postgres?", "/fresh?")
    run_sql(fresh, "CREATE EXTENSION vector", "GRANT CREATE ON DATABASE fresh TO app")
    stores = [PostgresStore(fresh.replace("//postgres:", "//app:")) for _ in range(4)]
    try:
        with ThreadPoolExecutor(4) as pool:
            jobs = [
                pool.submit(store.write, key(), index_contents(chance_of(1))) for store in stores
            ]
            for job in jobs:
                job.result()
        assert all(store.open(key()) is not None for store in stores)
    finally:
        for store in stores:
            store.close()


def test_a_superuser_is_refused_because_nothing_binds_them(superuser_url: str) -> None:
    store = PostgresStore(superuser_url)
    try:
        with pytest.raises(UsageError, match="superuser"):
            store.open(key())
    finally:
        store.close()


def test_a_database_without_the_extension_says_what_to_do(superuser_url: str) -> None:
    run_sql(superuser_url, "DROP DATABASE IF EXISTS bare", "CREATE DATABASE bare")
    bare = superuser_url.replace("/postgres?", "/bare?")
    run_sql(bare, "GRANT CREATE ON DATABASE bare TO app")
    store = PostgresStore(bare.replace("//postgres:", "//app:"))
    try:
        with pytest.raises(UsageError, match="vector") as caught:
            store.open(key())
        assert "CREATE EXTENSION" in (caught.value.suggestion or "")
    finally:
        store.close()


def test_a_server_that_is_not_there_is_a_service_error_without_the_password() -> None:
    store = PostgresStore("postgresql://app:secret@/none?host=/nowhere/at/all")
    try:
        with pytest.raises(RetrievalFailed) as caught:
            store.open(key())
        assert "secret" not in caught.value.message
    finally:
        store.close()


def test_a_bundle_is_found_in_the_same_order_as_with_the_embedded_store(
    make_bundle: BundleMaker, database_url: str
) -> None:
    items = {
        "lease.md": b"# Lease\n\nThe rent is $12,400 a month.\n\n## Repairs\n\nThe roof leaks.\n",
        "letter.md": b"The rent for March has not arrived. The roof is another matter.\n",
    }
    opened = open_bundle(make_bundle(items))
    named = Settings(store="postgres", database_url=database_url)
    found = [
        index_bundle(opened, settings=settings, tenant="both").search("rent for March").found
        for settings in (named, DEFAULTS)
    ]
    assert found[0] == found[1]
    assert found[0]
    assert not index_bundle(opened, settings=named, tenant="both").built
    store_named("postgres", named).close()
    _shared.cache_clear()


def test_the_settings_name_the_database(database_url: str) -> None:
    with pytest.raises(UsageError, match="address"):
        store_named("postgres", DEFAULTS)
    named = Settings(store="postgres", database_url=database_url)
    store = store_named("postgres", named)
    assert store is store_named("postgres", named)
    assert store.open(key("nobody")) is None
    store.close()
    _shared.cache_clear()
