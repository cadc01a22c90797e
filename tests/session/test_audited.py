"""What auditors are told of sessions: who, which tez, when, what was withheld; never what."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import BundleMaker, manifest_of
from tests.session.stand_ins import FAILS, FUND, JANE, NOTES, TEZ, Clock, scripted, serving
from tipstaff.audit.chain import AuditRecord
from tipstaff.audit.verifying import verify
from tipstaff.errors import TipstaffError
from tipstaff.hosting.audit_retention import prune_every_tenant
from tipstaff.records.audit_trail import every
from tipstaff.records.database import Records
from tipstaff.settings import Settings


async def log_of(records: Records, tenant: str = "acme") -> list[AuditRecord]:
    return [record async for record in every(records, tenant)]


def body_of(found: list[AuditRecord], kind: str) -> dict[str, Any]:
    (record,) = [one for one in found if one.kind == kind]
    return dict(record.body or {})


def test_a_session_leaves_its_records_and_none_of_its_words(
    records_address: str | Path, make_bundle: BundleMaker
) -> None:
    files = {"notes.md": NOTES, "secret.md": b"The canary sings.\n"}
    manifest = manifest_of(files)
    manifest["context"]["items"][1]["access"] = {"type": "creator_only"}
    folder = make_bundle(files, manifest=manifest)

    async def session() -> None:
        async with serving(records_address, folder) as service:
            session_id = await service.begun()
            envelope = await service.asked(session_id, FUND)
            await service.sessions.close(JANE, TEZ, session_id)
            await service.sessions.erase(JANE, TEZ, session_id)
            found = await log_of(service.records)
            assert [one.kind for one in found] == [
                "session_started",
                "query",
                "session_closed",
                "erasure",
            ]
            assert verify(found, tenant="acme").is_whole
            told = body_of(found, "query")
            assert (told["user"], told["tez_id"]) == (JANE.user, TEZ)
            assert (told["session_id"], told["query_id"]) == (session_id, envelope.query_id)
            assert (told["total_items"], told["accessible_items"]) == (2, 1)
            assert [one["item_id"] for one in told["filtered"]] == ["secret"]
            assert told["filtered"][0]["access"] == "creator_only"
            assert told["filtered"][0]["reason"]
            assert told["cited"] == ["notes:L1"]
            assert told["retrieval"][0]["similarity_scores"][0]["source_item_id"] == "notes"
            assert told["query_logged"] is False
            said = json.dumps([one.to_wire() for one in found])
            for word in (FUND, "sky fund", "77,000", "canary"):
                assert word not in said

    asyncio.run(session())


def test_without_transparency_only_what_was_filtered_is_kept(
    records_address: str | Path, tez: Path
) -> None:
    async def session() -> None:
        async with serving(records_address, tez, transparency="none") as service:
            await service.asked(await service.begun(), FUND)
            assert body_of(await log_of(service.records), "query")["retrieval"] == []

    asyncio.run(session())


def test_the_search_that_repairs_a_models_statement_is_told_without_its_words(
    records_address: str | Path, tez: Path, tmp_path: Path
) -> None:
    """Enterprise §4.5: a statement without a citation is given one, which had to be found."""
    model = scripted(tmp_path, {"": ["The budget for the sky fund is $77,000."]})

    async def support(transparency: str) -> tuple[str, list[Any]]:
        address = records_address if transparency == "all" else tmp_path / "bare.sqlite"
        async with serving(address, tez, model=model, transparency=transparency) as service:
            session_id = await service.begun()
            said = (await service.asked(session_id, FUND)).response.text
            found = await log_of(service.records)
            assert "77,000" not in json.dumps([one.to_wire() for one in found])
            return said, body_of(found, "query")["support_searches"]

    async def session() -> None:
        said, (search,) = await support("all")
        assert "[[notes:L1]]" in said
        assert search["found"][0] == "notes:L1"
        assert search["candidates"] >= 1
        assert (await support("none"))[1] == []

    asyncio.run(session())


def test_queries_that_fail_are_told_with_the_reason(
    records_address: str | Path, tez: Path, tmp_path: Path
) -> None:
    async def session() -> None:
        async with serving(records_address, tez, model=scripted(tmp_path)) as service:
            with pytest.raises(TipstaffError):
                await service.asked(await service.begun(), FAILS)
            assert body_of(await log_of(service.records), "query_failed")["error"]

    asyncio.run(session())


def test_a_limit_that_is_hit_again_and_again_is_told_once_a_minute(
    records_address: str | Path, make_bundle: BundleMaker
) -> None:
    manifest = manifest_of({"notes.md": NOTES})
    manifest["sharing"] = {"hosting_limits": {"interrogations_per_recipient": 1}}
    folder = make_bundle({"notes.md": NOTES}, manifest=manifest)
    clock = Clock()

    async def session() -> None:
        async with serving(records_address, folder, clock=clock) as service:
            session_id = await service.begun()
            await service.asked(session_id, FUND)
            for minutes in (0, 0, 0, 2):
                clock.passes(minutes=minutes)
                with pytest.raises(TipstaffError):
                    await service.asked(session_id, FUND)
            hits = [one.body or {} for one in await log_of(service.records) if one.kind == "limit"]
            assert [one["repeated"] for one in hits] == [0, 2]
            assert hits[0]["error"] == "budget_exhausted"
            assert hits[0]["limit"]["limit_type"] == "query_count"

    asyncio.run(session())


def test_sessions_at_once_leave_one_chain_with_a_record_for_each_answer(
    records_address: str | Path, tez: Path
) -> None:
    async def sessions() -> None:
        async with serving(records_address, tez) as service:
            ids = await asyncio.gather(*(service.begun() for _ in range(6)))
            await asyncio.gather(*(service.asked(one, FUND) for one in ids))
            found = await log_of(service.records)
            assert verify(found).is_whole
            assert Counter(one.kind for one in found) == {"session_started": 6, "query": 6}
            assert {(one.body or {})["session_id"] for one in found} == set(ids)

    asyncio.run(sessions())


def test_after_its_time_a_query_is_pruned_and_the_session_is_not(
    records_address: str | Path, tez: Path
) -> None:
    clock, key = Clock(), b"k" * 32

    async def session() -> None:
        async with serving(records_address, tez, clock=clock) as service:
            await service.asked(await service.begun(), FUND)
            clock.passes(hours=24 * 91)
            settings = Settings(audit_days=90)
            gone = await prune_every_tenant(
                service.records, settings=settings, key=key, now=clock()
            )
            assert gone == 1
            found = await log_of(service.records)
            assert [(one.kind, one.body is None) for one in found] == [
                ("session_started", False),
                ("query", True),
                ("pruned", False),
            ]
            assert verify(found, key=key).is_whole

    asyncio.run(session())
