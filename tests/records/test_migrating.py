"""The steps from any earlier state to this one, on both databases."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, insert, select, text
from sqlalchemy.ext.asyncio import AsyncEngine

from tipstaff.cli.main import main
from tipstaff.errors import UsageError
from tipstaff.records import migrating
from tipstaff.records.database import open_records, records_engine
from tipstaff.records.migrating import (
    HEAD,
    STEPS,
    VERSION_TABLE,
    Standing,
    State,
    migrate,
    standing_of,
)
from tipstaff.records.tables import METADATA, TEZ
from tipstaff.settings import Settings

T = TypeVar("T")
Address = str | Path
ROW = {
    "tenant": "acme",
    "tez_id": "plan",
    "version": 1,
    "digest": "0" * 64,
    "title": "The plan",
    "state": "ready",
    "progress": "",
    "published_at": 0.0,
    "published_by": "user:jane",
}


def engine_of(address: Address) -> AsyncEngine:
    if isinstance(address, Path):
        return records_engine(Settings(), address.parent)[0]
    return records_engine(Settings(records_url=address), Path())[0]


def on(address: Address, work: Callable[[Connection], T]) -> T:
    async def run() -> T:
        engine = engine_of(address)
        try:
            async with engine.begin() as connection:
                return await connection.run_sync(work)
        finally:
            await engine.dispose()

    return asyncio.run(run())


def migrated(address: Address) -> Standing:
    async def run() -> Standing:
        engine = engine_of(address)
        try:
            return await migrate(engine)
        finally:
            await engine.dispose()

    return asyncio.run(run())


def before_there_were_steps(address: Address) -> None:
    """A database as it was: the tables, a row, and no version."""

    def make(connection: Connection) -> None:
        command, config = migrating._alembic(connection)
        command.upgrade(config, STEPS[0])
        connection.execute(insert(TEZ).values(ROW))
        connection.execute(text(f"DROP TABLE {VERSION_TABLE}"))

    on(address, make)


async def titles(address: Address) -> list[str]:
    records = await open_records(address)
    try:
        async with records.reading("acme") as connection:
            return list(await connection.scalars(select(TEZ.c.title)))
    finally:
        await records.aclose()


def test_an_empty_database_is_made_by_the_steps(records_address: Address) -> None:
    assert on(records_address, standing_of).state is State.EMPTY
    assert asyncio.run(titles(records_address)) == []
    assert on(records_address, standing_of) == Standing(State.CURRENT, HEAD)


def test_the_steps_lead_to_the_tables_as_they_are_written(records_address: Address) -> None:
    migrated(records_address)

    def differences(connection: Connection) -> list[Any]:
        context = MigrationContext.configure(
            connection, opts={"version_table": VERSION_TABLE, "compare_type": True}
        )
        return list(compare_metadata(context, METADATA))

    assert on(records_address, differences) == []


def test_what_waits_for_its_index_is_found_by_one_also_across_tenants(
    records_address: Address,
) -> None:
    """Decision 16, 11: the sweep of each minute does not go through a million that are ready."""
    migrated(records_address)

    def plan(connection: Connection) -> str:
        explain = "EXPLAIN QUERY PLAN"
        if connection.dialect.name == "postgresql":
            # A table without rows is read whole otherwise.
            connection.execute(text("SET LOCAL enable_seqscan = off"))
            connection.execute(text("SELECT set_config('tipstaff.crossing', 'a test', true)"))
            explain = "EXPLAIN"
        wanted = "SELECT tenant, tez_id, version FROM tez WHERE state = :state"
        rows = connection.execute(text(f"{explain} {wanted}"), {"state": "indexing"})
        return str(rows.all())

    found = on(records_address, plan)
    assert "tez_by_state" in found


def test_the_steps_are_one_line_that_ends_where_we_say() -> None:
    config = Config()
    config.set_main_option("script_location", str(migrating._FOLDER))
    script = ScriptDirectory.from_config(config)
    walked = [step.revision for step in script.walk_revisions()]
    assert tuple(reversed(walked)) == STEPS


def test_a_database_of_before_is_adopted_with_all_that_is_in_it(records_address: Address) -> None:
    before_there_were_steps(records_address)
    assert on(records_address, standing_of) == Standing(State.BEHIND, None)
    assert migrated(records_address).state is State.BEHIND
    assert asyncio.run(titles(records_address)) == ["The plan"]
    assert migrated(records_address).state is State.CURRENT


def test_a_file_is_brought_up_to_date_by_who_opens_it_and_postgres_is_refused(
    records_address: Address,
) -> None:
    before_there_were_steps(records_address)
    if isinstance(records_address, Path):
        assert asyncio.run(titles(records_address)) == ["The plan"]
        return
    with pytest.raises(UsageError, match="is behind") as refused:
        asyncio.run(open_records(records_address))
    assert "tip migrate" in str(refused.value.suggestion)


def test_a_server_says_what_to_do_about_a_database_that_is_behind(
    postgres_address: str, tmp_path: Path
) -> None:
    before_there_were_steps(postgres_address)
    command = [sys.executable, "-m", "tipstaff", "serve", "--port", "0"]
    done = subprocess.run(
        [*command, "--set", f"records_url={postgres_address}"],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"TIPSTAFF_DATA_DIR": str(tmp_path)},
    )
    assert done.returncode == 2
    assert "is behind" in done.stderr
    assert "tip migrate" in done.stderr


def test_a_database_of_a_later_version_is_left_alone(records_address: Address) -> None:
    migrated(records_address)
    later = text("UPDATE tipstaff_version SET version_num = 'later'")
    on(records_address, lambda connection: connection.execute(later))
    for attempt in (
        lambda: asyncio.run(titles(records_address)),
        lambda: migrated(records_address),
    ):
        with pytest.raises(UsageError, match="does not know"):
            attempt()


def test_two_that_start_at_once_make_one_database(records_address: Address) -> None:
    async def both() -> None:
        opened = await asyncio.gather(*(open_records(records_address) for _ in range(3)))
        for one in opened:
            await one.aclose()

    asyncio.run(both())
    assert on(records_address, standing_of).state is State.CURRENT


def test_the_command_checks_and_migrates(
    records_address: Address, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before_there_were_steps(records_address)
    where = (
        ["--data", str(tmp_path)]
        if isinstance(records_address, Path)
        else ["--set", f"records_url={records_address}"]
    )
    assert main(["migrate", "--check", *where]) == 9
    assert main(["migrate", *where]) == 0
    capsys.readouterr()
    assert main(["migrate", "--check", "--json", *where]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told == {"state": "current", "was": HEAD, "is": HEAD, "head": HEAD}
