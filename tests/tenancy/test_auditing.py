"""The audit finds what is planted in the wrong place: files, indexes, rows; and only that."""

from __future__ import annotations

import asyncio
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import insert

from tests.hosting.conftest import SETTINGS, Run, TezMaker, person
from tests.store.conftest import run_sql
from tipstaff.cli.main import main
from tipstaff.domain.caller import Permission
from tipstaff.hosting.tezits import Tezits
from tipstaff.records.database import Records
from tipstaff.records.tables import EVENT, RESERVATION, SESSION
from tipstaff.settings import Settings
from tipstaff.tenancy.auditing import audit_tenants

MINE, THEIRS = "acme", "rival"
# Where rows are kept is nothing to files.
files_only = pytest.mark.parametrize("records_address", ["sqlite"], indirect=True)
SESSION_ROW = {
    "session_id": "s1",
    "user": "user:jane",
    "tez_version": 1,
    "status": "active",
    "model": "extractive",
    "initiated_at": 0.0,
    "last_activity_at": 0.0,
    "facts": {},
}
EVENT_ROW = {"number": 1, "name": "tip.session.start", "data": b"{}"}


async def two_tenants(records: Records, folder: Path, make_tez: TezMaker) -> None:
    """Each has one tez with the same id, its index, a session and an event."""
    tezits = Tezits(records, settings=SETTINGS, data_folder=folder)
    try:
        for tenant in (MINE, THEIRS):
            tez = make_tez({"notes.md": f"The sky of {tenant} is blue.\n".encode()}, name=tenant)
            await tezits.publish(person("sender", Permission.PUBLISH, tenant=tenant), tez)
            row = {**SESSION_ROW, "session_id": f"s-{tenant}"}
            async with records.writing(tenant) as connection:
                await connection.execute(
                    insert(SESSION).values(tenant=tenant, tez_id="small-tez", **row)
                )
                await add_event(connection, tenant, f"s-{tenant}")
    finally:
        await tezits.aclose()


async def add_event(connection: Any, tenant: str, session_id: str) -> None:
    row = {**EVENT_ROW, "tenant": tenant, "session_id": session_id}
    await connection.execute(insert(EVENT).values(row))


@pytest.fixture
def audited(
    in_records: Run[Any], own_folder: Path, make_tez: TezMaker
) -> Callable[..., list[tuple[str, str]]]:
    """`audited(plant)`: what is found after `plant(records)` has put something somewhere."""
    in_records(lambda records: two_tenants(records, own_folder, make_tez))

    def run(plant: Callable[[Records], Any] | None = None) -> list[tuple[str, str]]:
        async def work(records: Records) -> list[tuple[str, str]]:
            if plant is not None:
                await plant(records)
            audit = await audit_tenants(records, SETTINGS, own_folder)
            assert audit.tenants == 2
            return [(one.code, one.where) for one in audit.report.findings]

        found: list[tuple[str, str]] = in_records(work)
        return found

    return run


def the_file(folder: Path, pattern: str) -> Path:
    (found,) = folder.glob(pattern)
    return found


def test_nothing_is_found_where_everything_is_in_its_place(audited: Callable[..., Any]) -> None:
    assert audited() == []


def test_a_row_of_another_tenants_session_is_found(audited: Callable[..., Any]) -> None:
    async def plant(records: Records) -> None:
        async with records.writing(MINE) as connection:
            await add_event(connection, MINE, "s-rival")
            await add_event(connection, MINE, "s-nobody")

    assert audited(plant) == [
        ("row_astray", "event: tenant acme, session_id s-nobody"),
        ("row_of_another", "event: tenant acme, session_id s-rival"),
    ]


def test_costs_of_an_erased_session_are_no_finding_but_those_of_no_tez_are(
    audited: Callable[..., Any],
) -> None:
    async def plant(records: Records) -> None:
        async with records.writing(MINE) as connection:
            for number, tez_id in enumerate(("small-tez", "unheard-of")):
                await connection.execute(
                    insert(RESERVATION).values(
                        tenant=MINE,
                        query_id=f"q{number}",
                        tez_id=tez_id,
                        user="user:jane",
                        session_id="erased",
                        at=0.0,
                        state="settled",
                    )
                )

    assert audited(plant) == [("row_astray", "reservation: tenant acme, tez_id unheard-of")]


@files_only
def test_stray_and_changed_files_are_found(audited: Callable[..., Any], own_folder: Path) -> None:
    mine, theirs = own_folder / "tenants" / MINE, own_folder / "tenants" / THEIRS
    their_blob = the_file(theirs, "blobs/*.tez")
    shutil.copy(their_blob, mine / "blobs")
    the_file(own_folder, f"tenants/{THEIRS}/tez/small-tez/*.index").replace(
        mine / "tez/small-tez" / ("a" * 64 + ".index")
    )
    (mine / "notes.txt").write_text("who put this here?")
    (own_folder / "tenants/loose.txt").write_text("or this?")
    (own_folder / "tenants/nobody").mkdir()
    their_blob.write_bytes(b"other bytes")
    assert set(audited()) == {
        ("blob_astray", f"tenants/acme/blobs/{their_blob.name}"),
        ("blob_changed", f"tenants/rival/blobs/{their_blob.name}"),
        ("index_of_another", f"tenants/acme/tez/small-tez/{'a' * 64}.index"),
        ("file_astray", "tenants/acme/notes.txt"),
        ("file_astray", "tenants/loose.txt"),
        ("folder_of_nobody", "tenants/nobody"),
    }


@files_only
def test_an_index_folder_and_a_log_of_tezits_that_a_tenant_does_not_have_are_found(
    audited: Callable[..., Any], own_folder: Path
) -> None:
    mine = own_folder / "tenants" / MINE
    (mine / "tez/their-plan").mkdir()
    (mine / "audit").mkdir(exist_ok=True)
    log = mine / "audit/retrieval-2026-01-01.jsonl"
    log.write_text('{"tez_id": "small-tez"}\n{"tez_id": "their-plan"}\n{"torn')
    assert set(audited()) == {
        ("index_astray", "tenants/acme/tez/their-plan"),
        ("audit_of_another", "tenants/acme/audit/retrieval-2026-01-01.jsonl"),
    }


@files_only
def test_a_planted_index_is_not_read_but_built_anew(
    in_records: Run[Any],
    own_folder: Path,
    make_tez: TezMaker,
    caplog: pytest.LogCaptureFixture,
) -> None:
    in_records(lambda records: two_tenants(records, own_folder, make_tez))
    places = [own_folder / "tenants" / one / "tez/small-tez" for one in (MINE, THEIRS)]
    mine, theirs = (the_file(place, "*.index") for place in places)
    mine.write_bytes(theirs.read_bytes())

    async def opened(records: Records) -> str:
        tezits = Tezits(records, settings=SETTINGS, data_folder=own_folder)
        try:
            indexed = await tezits.opened(MINE, "small-tez", 1)
            return indexed.index.chunks([0])[0].text
        finally:
            await tezits.aclose()

    assert "acme" in in_records(opened)
    assert "an index of another tenant or tez" in caplog.text


def test_rows_of_the_vector_store_are_audited(
    superuser_url: str, database_url: str, own_folder: Path, make_tez: TezMaker
) -> None:
    import uuid

    from tipstaff.records.database import open_records

    name = f"audit_{uuid.uuid4().hex}"
    run_sql(superuser_url, f"CREATE DATABASE {name} OWNER app")
    theirs = superuser_url.replace("/postgres?", f"/{name}?")
    run_sql(theirs, "CREATE EXTENSION vector")
    url = database_url.replace("/postgres?", f"/{name}?")
    settings = Settings(
        embedder="static", reader="none", store="postgres", database_url=url, records_url=url
    )

    async def work() -> list[list[str]]:
        records = await open_records(url)
        tezits = Tezits(records, settings=settings, data_folder=own_folder)
        try:
            for tenant in (MINE, THEIRS):
                tez = make_tez({"notes.md": f"The sky of {tenant}.\n".encode()}, name=tenant)
                await tezits.publish(person("sender", Permission.PUBLISH, tenant=tenant), tez)
            before = await audit_tenants(records, settings, own_folder)
            # As only a superuser can, past all policies.
            await asyncio.to_thread(
                run_sql,
                theirs,
                "UPDATE tipstaff_1.passage SET tenant = 'acme' WHERE tenant = 'rival'",
                "UPDATE tipstaff_1.bundle_index SET tez = 'other' WHERE tenant = 'rival'",
            )
            after = await audit_tenants(records, settings, own_folder)
        finally:
            await tezits.aclose()
            await records.aclose()
        return [[one.code for one in audit.report.findings] for audit in (before, after)]

    assert asyncio.run(work()) == [[], ["vector_row_of_another", "index_astray"]]


def test_the_command_tells_its_findings_and_has_an_exit_code(
    in_records: Run[Any],
    records_address: str | Path,
    own_folder: Path,
    make_tez: TezMaker,
    capsys: pytest.CaptureFixture[str],
) -> None:
    in_records(lambda records: two_tenants(records, own_folder, make_tez))
    words = ["tenants", "audit", "--json", "--data", str(own_folder)]
    if isinstance(records_address, Path):
        own_folder.joinpath("records.sqlite").write_bytes(b"")
        shutil.copy(records_address, own_folder / "records.sqlite")
    else:
        words += ["--set", f"records_url={records_address}"]
    assert main(words) == 0
    assert json.loads(capsys.readouterr().out) == {"tenants": 2, "findings": []}
    (own_folder / "tenants/loose.txt").write_text("who put this here?")
    assert main(words) == 9
    (found,) = json.loads(capsys.readouterr().out)["findings"]
    assert found["code"] == "file_astray"
    assert main([word for word in words if word != "--json"]) == 9
    assert "tenants/loose.txt" in capsys.readouterr().out
