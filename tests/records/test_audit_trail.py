"""The audit log in its database: one chain a tenant, however many write at once."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError

from tipstaff.audit.chain import AuditRecord
from tipstaff.audit.search import AuditSearch
from tipstaff.audit.verifying import Anchor, verify
from tipstaff.records.audit_trail import append, append_to, every, head, moment, page, prune
from tipstaff.records.database import Records, open_records

KEY = b"k" * 32
DAY_S = 86_400.0
NOW = 1_800_000_000.0


async def log_of(records: Records, tenant: str = "acme") -> list[AuditRecord]:
    return [record async for record in every(records, tenant)]


async def wrote(
    records: Records, number: int, *, tenant: str = "acme", kind: str = "query", at: float = NOW
) -> None:
    async with records.writing(tenant) as connection:
        await append(connection, tenant, kind, {"n": number}, now=at)


def test_writers_who_race_leave_one_chain_without_a_fork(records_address: str | Path) -> None:
    """Two servers, two tenants, some transactions that fail: nothing missing, nothing doubled."""

    async def race() -> None:
        servers = [await open_records(records_address), await open_records(records_address)]

        async def one(number: int) -> None:
            records = servers[number % 2]
            async with records.writing("acme") as connection:
                await append_to(
                    connection,
                    {"lawfirm": ("query", {"n": number}), "acme": ("query", {"n": number})},
                    now=NOW,
                )
                if number % 5 == 0:
                    raise KeyError(number)

        try:
            done = await asyncio.gather(*(one(n) for n in range(60)), return_exceptions=True)
            assert sum(isinstance(result, KeyError) for result in done) == 12
            for tenant in ("acme", "lawfirm"):
                found = await log_of(servers[0], tenant)
                verdict = verify(found, tenant=tenant)
                assert verdict.is_whole
                assert sorted((record.body or {})["n"] for record in found) == [
                    n for n in range(60) if n % 5
                ]
                async with servers[1].reading(tenant) as connection:
                    assert Anchor(*await head(connection, tenant)) == verdict.head
        finally:
            for records in servers:
                await records.aclose()

    asyncio.run(race())


def test_processes_of_their_own_leave_one_chain(records_address: str | Path) -> None:
    program = textwrap.dedent(
        """
        import asyncio, sys
        from pathlib import Path
        from tests.records.test_audit_trail import wrote
        from tipstaff.records.database import open_records

        async def run():
            address = sys.argv[1]
            records = await open_records(address if "://" in address else Path(address))
            await asyncio.gather(*(wrote(records, n) for n in range(15)))
            await records.aclose()

        asyncio.run(run())
        """
    )
    processes = [
        subprocess.Popen([sys.executable, "-c", program, str(records_address)]) for _ in range(2)
    ]
    assert [process.wait(60) for process in processes] == [0, 0]

    async def look() -> list[AuditRecord]:
        records = await open_records(records_address)
        try:
            return await log_of(records)
        finally:
            await records.aclose()

    found = asyncio.run(look())
    assert verify(found).is_whole
    assert sorted((record.body or {})["n"] for record in found) == sorted([*range(15)] * 2)


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM audit",
        "UPDATE audit SET kind = 'another'",
        "UPDATE audit SET body = '{}'",
        "UPDATE audit SET body = NULL, hash = 'x'",
    ],
)
def test_the_database_refuses_to_change_what_was_written(
    records_address: str | Path, statement: str
) -> None:
    async def attempt() -> None:
        records = await open_records(records_address)
        try:
            await wrote(records, 1)
            with pytest.raises(SQLAlchemyError, match="audit records are not changed"):
                async with records.writing("acme") as connection:
                    await connection.execute(text(statement))
            assert verify(await log_of(records)).is_whole
        finally:
            await records.aclose()

    asyncio.run(attempt())


def test_old_records_of_retrieval_go_and_the_chain_stays(records_address: str | Path) -> None:
    async def keep() -> None:
        records = await open_records(records_address)
        try:
            for number, (kind, days) in enumerate(
                [("query", 100), ("token_issued", 99), ("query", 98), ("query", 10)]
            ):
                await wrote(records, number, kind=kind, at=NOW - days * DAY_S)
            before = verify(await log_of(records)).head

            async def gone() -> int:
                return await prune(
                    records,
                    "acme",
                    kinds=("query",),
                    older_than=NOW - 90 * DAY_S,
                    key=KEY,
                    by="retention",
                    now=NOW,
                )

            assert (await gone(), await gone()) == (2, 0)
            found = await log_of(records)
            assert [record.body is None for record in found] == [True, False, True, False, False]
            stone = found[-1].body or {}
            assert (stone["ranges"], stone["by"]) == ([[1, 1], [3, 3]], "retention")
            assert verify(found, anchors=[before], key=KEY).is_whole
        finally:
            await records.aclose()

    asyncio.run(keep())


def test_a_tenants_log_is_read_page_by_page_and_nobody_elses(records_address: str | Path) -> None:
    async def look() -> None:
        records = await open_records(records_address)
        try:
            for number in range(5):
                await wrote(records, number)
            await wrote(records, 9, tenant="other")
            async with records.reading("acme") as connection:
                numbers = [
                    one.number
                    for one in await page(connection, "acme", AuditSearch(after=1, limit=3))
                ]
                assert numbers == [2, 3, 4]
            async with records.reading("nobody") as connection:
                assert await page(connection, "nobody") == []
            assert len(await log_of(records)) == 5
        finally:
            await records.aclose()

    asyncio.run(look())


def test_a_log_is_searched_by_kind_time_and_words_and_the_newest_come_first(
    records_address: str | Path,
) -> None:
    async def numbers(records: Records, **wanted: Any) -> list[int]:
        async with records.reading("acme") as connection:
            return [one.number for one in await page(connection, "acme", AuditSearch(**wanted))]

    async def look() -> None:
        records = await open_records(records_address)
        day = 86_400
        try:
            for number in range(4):
                kind = "query" if number % 2 else "100%_kind"
                await wrote(records, number * 11, kind=kind, at=NOW + number * day)
            await wrote(records, 11, tenant="other")
            assert await numbers(records, before=99) == [4, 3, 2, 1]
            assert await numbers(records, before=4, limit=2) == [3, 2]
            assert await numbers(records, kind="query") == [2, 4]
            assert await numbers(records, words='QUERY "n":33') == [4]
            # A mark of the database's own patterns is a mark like any other.
            assert await numbers(records, words="100%_") == [1, 3]
            assert await numbers(records, words="%") == [1, 3]
            second = moment(NOW + day)[:10]
            assert await numbers(records, since=second, until=second) == [2]
        finally:
            await records.aclose()

    asyncio.run(look())
