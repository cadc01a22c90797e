"""Two real servers over one PostgreSQL and one folder: the one that is free builds the indexes."""

from __future__ import annotations

import asyncio
import time
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest

from tests.hosting.conftest import TezMaker, make_tez
from tests.records.conftest import postgres_address
from tests.serve.processes import served
from tests.store.conftest import database_url, superuser_url
from tipstaff.access.tokens import Tokens
from tipstaff.domain.caller import Permission
from tipstaff.records.database import open_records

__all__ = ["database_url", "make_tez", "postgres_address", "superuser_url"]
pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])
SOON_S = 30


def publishers_token(address: str) -> str:
    async def issued() -> str:
        records = await open_records(address)
        try:
            secret, _ = await Tokens(records).issue(
                tenant="acme",
                user="user:sender",
                permissions=frozenset({Permission.PUBLISH, Permission.INTERROGATE}),
            )
        finally:
            await records.aclose()
        return secret

    return asyncio.run(issued())


def state_of(client: httpx.Client, url: str) -> str:
    answer = client.get(f"{url}/tez/small-tez")
    return str(answer.raise_for_status().json()["state"])


def test_published_through_one_server_and_indexed_by_the_other(
    postgres_address: str, make_tez: TezMaker, tmp_path: Path
) -> None:
    tez = make_tez().read_bytes()
    token = publishers_token(postgres_address)
    words = ("--set", f"records_url={postgres_address}", "--set", "lease_s=3")
    with ExitStack() as stack:
        client = stack.enter_context(httpx.Client(headers={"Authorization": f"Bearer {token}"}))
        first = stack.enter_context(served(tmp_path, *words, "--set", "index_jobs=leave"))
        answer = client.put(f"{first.url}/tez/small-tez", content=tez, params={"wait": "false"})
        assert answer.status_code == 202, answer.text
        assert state_of(client, first.url) == "indexing"
        second = stack.enter_context(served(tmp_path, *words))
        ends_at = time.monotonic() + SOON_S
        while state_of(client, first.url) == "indexing" and time.monotonic() < ends_at:
            time.sleep(0.1)
        assert state_of(client, first.url) == "ready"
        init = client.post(f"{first.url}/tez/small-tez/interrogate/init")
        init.raise_for_status()
        told = client.get(f"{first.url}/metrics").text
        assert 'tip_tezits_asked_total{outcome="miss"} 1.0' in told
        assert second.stop() == 0
    assert "Traceback" not in (tmp_path / "stderr").read_text()
