"""Enterprise §7.3: what one instance published is indexed by another, also if one dies."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import threading
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import asyncpg
import pytest

from tests.conftest import ROOT
from tests.hosting.conftest import JANE, SENDER, SETTINGS, TezMaker
from tests.records.conftest import empty_database
from tests.store.conftest import run_sql
from tipstaff.cli.main import main
from tipstaff.errors import NotFound
from tipstaff.hosting.index_jobs import IndexJobs, connection_words
from tipstaff.hosting.preparing import prepared
from tipstaff.hosting.published import TezState
from tipstaff.hosting.tezits import Tezits
from tipstaff.records import job_schema
from tipstaff.records.database import database_url as url_of
from tipstaff.records.database import open_records, records_engine
from tipstaff.records.migrating import migrate
from tipstaff.settings import Settings

LEASE_S = 1.5
SOON_S = 20
AMONG_JOBS = "SET search_path TO tipstaff_jobs"
JOBS = "SELECT status::text, attempts, args FROM tipstaff_jobs.procrastinate_jobs"


@pytest.fixture
def address(superuser_url: str, database_url: str) -> str:
    return empty_database(superuser_url, database_url)


@contextmanager
def worker(
    address: str, folder: Path, marker: Path, *how: str
) -> Iterator[subprocess.Popen[bytes]]:
    words = [address, str(folder), str(LEASE_S), str(marker), *how]
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.hosting.one_worker", *words], cwd=ROOT, env=os.environ
    )
    try:
        yield process
    finally:
        process.kill()
        process.wait()


@asynccontextmanager
async def instance(address: str, folder: Path, *, takes: bool) -> AsyncIterator[Tezits]:
    records = await open_records(address)
    tezits = Tezits(records, settings=SETTINGS, data_folder=folder)
    jobs = IndexJobs(url_of(address), tezits.indexing, lease_s=LEASE_S, takes=takes)
    tezits.indexing.jobs = jobs
    try:
        await jobs.start()
        await tezits.start()
        yield tezits
    finally:
        await jobs.aclose()
        await tezits.aclose()
        await records.aclose()


async def until(holds: Any) -> None:
    async with asyncio.timeout(SOON_S):
        while not await asyncio.to_thread(holds):  # noqa: ASYNC110 (a file, no event)
            await asyncio.sleep(0.05)


async def jobs_of(address: str) -> list[Any]:
    connection = await asyncpg.connect(address)
    try:
        return list(await connection.fetch(JOBS))
    finally:
        await connection.close()


async def settled(tezits: Tezits) -> TezState:
    async with asyncio.timeout(SOON_S):
        while (tez := await tezits.describe(SENDER, "small-tez")).state is TezState.INDEXING:  # noqa: ASYNC110
            await asyncio.sleep(0.05)
    return tez.state


def test_what_one_instance_publishes_another_indexes_though_the_first_that_took_it_was_killed(
    address: str, own_folder: Path, make_tez: TezMaker, tmp_path: Path
) -> None:
    first, second = tmp_path / "first", tmp_path / "second"

    async def published_and_killed() -> None:
        async with instance(address, own_folder, takes=False) as tezits:
            with worker(address, own_folder, first, "stands-still") as doomed:
                tez = await tezits.publish(SENDER, make_tez(), wait=False)
                assert tez.state is TezState.INDEXING
                await until(first.exists)
                assert [job["status"] for job in await jobs_of(address)].count("doing") == 1
                doomed.kill()
                killed_at = time.monotonic()
            with worker(address, own_folder, second):
                assert await settled(tezits) is TezState.READY
                assert time.monotonic() - killed_at >= 0.5
                assert second.exists()
                # Asked where it was not built.
                opened = await tezits.opened("acme", "small-tez", 1)
                assert opened.opened.bundle.id == "small-tez"
                await until(lambda: not asyncio.run(jobs_of(address)))

    asyncio.run(published_and_killed())


def test_a_job_holds_ids_alone_and_a_withdrawn_tez_needs_none(
    address: str, own_folder: Path, make_tez: TezMaker
) -> None:
    async def withdrawn_meanwhile() -> None:
        async with instance(address, own_folder, takes=False) as tezits:
            await tezits.publish(SENDER, make_tez(), wait=False)
            (job,) = await jobs_of(address)
            assert job["args"] == '{"tenant": "acme", "tez_id": "small-tez", "version": 1}'
            await tezits.withdraw(SENDER, "small-tez")
        async with instance(address, own_folder, takes=True) as tezits:
            await until(lambda: not asyncio.run(jobs_of(address)))
            with pytest.raises(NotFound):
                await tezits.describe(JANE, "small-tez")

    asyncio.run(withdrawn_meanwhile())


def test_a_row_without_a_job_gets_one_from_whoever_starts(
    address: str, own_folder: Path, make_tez: TezMaker
) -> None:
    async def left() -> None:
        async with instance(address, own_folder, takes=False) as tezits:
            await tezits.publish(SENDER, make_tez(), wait=False)
        none_left = "DELETE FROM procrastinate_jobs"
        await asyncio.to_thread(run_sql, address, AMONG_JOBS, none_left)
        async with instance(address, own_folder, takes=True) as tezits:
            assert await settled(tezits) is TezState.READY
            # Waited for, by the same way.
            next_one = make_tez({"notes.md": b"The sky is grey.\n"}, name="other")
            tez = await tezits.publish(SENDER, next_one)
            assert (tez.version, tez.state) == (2, TezState.READY)

    asyncio.run(left())


def test_an_instance_that_drains_takes_no_more(
    address: str, own_folder: Path, make_tez: TezMaker
) -> None:
    async def drained() -> None:
        async with instance(address, own_folder, takes=True) as tezits:
            await tezits.publish(SENDER, make_tez())
            assert tezits.indexing.jobs is not None
            tezits.indexing.jobs.stop()
            await asyncio.wait(tezits.indexing.jobs._tasks)
            again = make_tez({"notes.md": b"The sky is grey.\n"}, name="other")
            await tezits.publish(SENDER, again, wait=False)
        (job,) = await jobs_of(address)
        assert job["status"] == "todo"

    asyncio.run(drained())


def test_what_an_instance_has_begun_it_finishes_though_it_is_told_twice_to_stop(
    address: str, own_folder: Path, make_tez: TezMaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, may_go_on = threading.Event(), threading.Event()

    def held(*words: Any, **options: Any) -> Any:
        begun.set()
        may_go_on.wait(SOON_S)
        return prepared(*words, **options)

    async def stopped_in_the_middle() -> None:
        async with instance(address, own_folder, takes=True) as tezits:
            await tezits.publish(SENDER, make_tez(), wait=False)
            await asyncio.to_thread(begun.wait, SOON_S)
            assert tezits.indexing.jobs is not None
            tezits.indexing.jobs.stop()
            # `aclose` says it again, while the index is not done.
            asyncio.get_running_loop().call_later(0.5, may_go_on.set)
        async with instance(address, own_folder, takes=False) as tezits:
            assert (await tezits.describe(SENDER, "small-tez")).state is TezState.READY
        assert not await jobs_of(address)

    monkeypatch.setattr("tipstaff.hosting.tezits.prepared", held)
    asyncio.run(stopped_in_the_middle())


def test_what_ends_every_server_is_given_up(
    address: str, own_folder: Path, make_tez: TezMaker
) -> None:
    async def deadly() -> None:
        async with instance(address, own_folder, takes=False) as tezits:
            await tezits.publish(SENDER, make_tez(), wait=False)
            # As the third server left it that was killed: taken, by nobody who lives.
            taken = "UPDATE procrastinate_jobs SET status = 'doing', attempts = 2"
            await asyncio.to_thread(run_sql, address, AMONG_JOBS, taken)
            assert await settled(tezits) is TezState.FAILED
            assert "ended before" in (await tezits.describe(SENDER, "small-tez")).progress
            assert not await jobs_of(address)

    asyncio.run(deadly())


def test_the_tables_of_jobs_come_by_migrate_and_the_application_role_may_use_them(
    superuser_url: str, database_url: str, own_folder: Path, make_tez: TezMaker
) -> None:
    used = empty_database(superuser_url, database_url)
    name = used.partition("?")[0].rpartition("/")[2]
    run_sql(
        superuser_url,
        f"CREATE ROLE owner_{name} LOGIN",
        f"ALTER DATABASE {name} OWNER TO owner_{name}",
    )
    owned = used.replace("//app:", f"//owner_{name}:")

    async def migrated() -> None:
        settings = Settings(records_url=used, records_owner_url=owned)
        for _ in range(2):
            engine, role = records_engine(settings, own_folder)
            await migrate(engine, application_role=role)
            await engine.dispose()
        async with instance(used, own_folder, takes=True) as tezits:
            assert (await tezits.publish(SENDER, make_tez())).state is TezState.READY

    asyncio.run(migrated())


def test_a_database_whose_jobs_have_no_tables_says_so(
    address: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async def missing() -> list[str | None]:
        records = await open_records(address)
        try:
            told = [await records.jobs_missing()]
            with monkeypatch.context() as patch:
                patch.setattr(job_schema, "is_installed", lambda: False)
                told.append(await records.jobs_missing())
            await asyncio.to_thread(run_sql, address, "DROP SCHEMA tipstaff_jobs CASCADE")
            told.append(await records.jobs_missing())
        finally:
            await records.aclose()
        return told

    there, without_extra, without_tables = asyncio.run(missing())
    setting = ["--set", f"records_url={address}"]
    assert main(["migrate", "--check", *setting]) == 9
    assert "jobs" in capsys.readouterr().out
    assert main(["migrate", *setting]) == 0
    assert main(["migrate", "--check", *setting]) == 0
    assert there is None
    assert without_extra is not None
    assert "extra" in without_extra
    assert without_tables is not None
    assert "tip migrate" in without_tables


def test_the_address_of_the_records_is_put_into_libpqs_words() -> None:
    words = connection_words(url_of("postgresql://tip:s%40fe@db:5433/tip?ssl=require"))
    assert words.pop("options") == "-c search_path=tipstaff_jobs"
    assert words == {
        "host": "db",
        "port": 5433,
        "user": "tip",
        "password": "s@fe",
        "dbname": "tip",
        "sslmode": "require",
        "application_name": "tipstaff-jobs",
    }
    assert connection_words(url_of("postgresql://app:@/x?host=/run/pg"))["host"] == "/run/pg"
