"""TIP §13.3 over HTTP: whoever races for a budget, exactly what is in it is answered."""

from __future__ import annotations

import asyncio
from collections import Counter
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.conftest import BundleMaker
from tests.serve.long_answers import FOLLOW_UP, long_bundle, slow_model
from tests.serve.processes import Server, served, without_limits

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])
PATH = "/tez/small-tez/interrogate"
RACERS, PLACES = 24, 7


async def race(server: Server, *, streamed: bool) -> list[tuple[int, str]]:
    """Each with a session of its own, all at once; status and body."""
    headers = {"Authorization": f"Bearer {server.token}"}
    async with httpx.AsyncClient(base_url=server.url, headers=headers, timeout=90) as client:

        async def begun() -> str:
            return str((await client.post(f"{PATH}/init")).json()["session_id"])

        async def asked(session: str) -> tuple[int, str]:
            answer = await client.post(
                f"{PATH}/{session}/query",
                json={"query": FOLLOW_UP},
                headers={"Accept": "text/event-stream" if streamed else "application/json"},
            )
            return answer.status_code, answer.text

        sessions = [await begun() for _ in range(RACERS)]
        return await asyncio.gather(*(asked(one) for one in sessions))


@pytest.mark.parametrize("streamed", [False, True])
def test_racers_over_http_get_exactly_the_answers_that_were_paid_for(
    make_bundle: BundleMaker, tmp_path: Path, streamed: bool
) -> None:
    limits: dict[str, Any] = {"interrogations_per_recipient": PLACES}
    bundle = long_bundle(make_bundle, sharing={"hosting_limits": limits})
    model = slow_model(tmp_path, delay_ms=30)
    with served(tmp_path, bundle, "--model", model, *without_limits()) as server:
        done = asyncio.run(race(server, streamed=streamed))
    assert Counter(status for status, _ in done) == {200: PLACES, 429: RACERS - PLACES}
    for status, body in done:
        assert ("$1,000" in body) == (status == 200)
        assert ("budget_exhausted" in body) == (status == 429)
