"""A filter is forgotten deep inside a real service: the request fails, or shows nothing."""

from __future__ import annotations

import asyncio
import json
import logging
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import Select, insert, select

from tipstaff.hosting import published
from tipstaff.records.database import open_records
from tipstaff.records.tables import TEZ
from tipstaff.serve.app import create_app
from tipstaff.serve.composing import composed
from tipstaff.serve.configuration import ServeConfiguration
from tipstaff.serve.logs import JsonLines
from tipstaff.settings import Settings


def forgotten(_: str) -> Select[tuple[object, ...]]:
    return select(TEZ)


async def planted(address: str | Path) -> None:
    """A tez of each of two tenants."""
    records = await open_records(address)
    try:
        for tenant in ("acme", "rival"):
            async with records.writing(tenant) as connection:
                await connection.execute(
                    insert(TEZ).values(
                        tenant=tenant,
                        tez_id="plan",
                        version=1,
                        digest="0" * 64,
                        title=f"The plan of {tenant}",
                        state="ready",
                        progress="",
                        published_at=0.0,
                        published_by="user:jane",
                    )
                )
    finally:
        await records.aclose()


async def listed(settings: Settings, folder: Path) -> tuple[httpx.Response, str]:
    """What a caller of acme is told, and what is counted then."""
    async with composed(ServeConfiguration(), settings, data_folder=folder) as parts:
        secret, _ = await parts.tokens.issue(tenant="acme", user="user:jane")
        transport = httpx.ASGITransport(create_app(parts.service))
        headers = {"Authorization": f"Bearer {secret}"}
        async with httpx.AsyncClient(
            transport=transport, base_url="http://tip.test", headers=headers
        ) as client:
            answer = await client.get("/tez")
        return answer, parts.service.metrics.text().decode()


def test_a_filter_that_is_forgotten_inside_a_service_shows_nothing(
    records_address: str | Path,
    own_folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    if isinstance(records_address, str):
        shared, settings, folder = True, Settings(records_url=records_address), own_folder
    else:
        shared, settings, folder = False, Settings(), records_address.parent
    asyncio.run(planted(records_address))
    before, _ = asyncio.run(listed(settings, folder))
    assert [one["title"] for one in before.json()["tezits"]] == ["The plan of acme"]
    with monkeypatch.context() as patch:
        patch.setattr(published, "_rows", forgotten)
        caplog.clear()
        # At its start a server looks at its tezits, too: that is not what is tried here.
        patch.setattr("tipstaff.hosting.tezits.Tezits.start", nothing)
        answer, counted = asyncio.run(listed(settings, folder))
    assert "rival" not in answer.text
    if shared:
        assert answer.json() == before.json()
        assert "tip_foreign_rows_total 0.0" in counted
        return
    assert answer.status_code == 500
    assert "tip_foreign_rows_total 1.0" in counted
    (line,) = [one for one in caplog.records if one.name == "tipstaff.records" and is_error(one)]
    logged = json.loads(JsonLines().format(line))
    assert (logged["level"], logged["event"], logged["rows"]) == ("error", "foreign_rows", 1)


async def nothing(*_: Any) -> None:
    return None


def is_error(record: logging.LogRecord) -> bool:
    return record.levelno == logging.ERROR
