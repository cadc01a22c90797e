"""A server that is killed at any moment loses no finished exchange and leaves none half-written."""

from __future__ import annotations

import asyncio
import json
import os
import random
import select
import signal
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import select as rows_of

from tests.conftest import ROOT
from tests.session.stand_ins import Clock, scripted, serving
from tipstaff.records.database import Records
from tipstaff.records.tables import ASKED, EVENT, EXCHANGE, RESERVATION, SESSION
from tipstaff.session.event_log import QUERY_ENDS

LIVES = 12
FOREVER: dict[str, Any] = {"timeout_s": 1e9, "resume_s": 1e9}


@contextmanager
def victims(address: str | Path, tez: Path, model: str) -> Iterator[subprocess.Popen[bytes]]:
    orders = json.dumps({"address": str(address), "tez": str(tez), "model": model})
    with subprocess.Popen(
        [sys.executable, "-m", "tests.session.victim", orders],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        bufsize=0,
    ) as process:
        yield process
        assert process.stdin is not None
        process.stdin.close()


def lived(process: subprocess.Popen[bytes], answers: int, then_s: float) -> list[str]:
    """One server, killed so long after so many answers; the queries that it said it answered."""
    assert process.stdin is not None
    process.stdin.write(b"live\n")
    word, pid = words(process)
    answered: list[str] = []
    assert word == "ready"
    while len(answered) < answers:
        answered.append(words(process)[-1])
    select.select([], [], [], then_s)
    os.kill(int(pid), signal.SIGKILL)
    while (said := words(process))[0] != "dead":
        answered.append(said[-1])
    assert said == ["dead", str(int(signal.SIGKILL))]
    return answered


def words(process: subprocess.Popen[bytes]) -> list[str]:
    assert process.stdout is not None
    return process.stdout.readline().decode().split()


async def check(records: Records, answered: set[str], tenant: str = "acme") -> int:
    """What is there is whole; how many exchanges there are."""
    async with records.reading(tenant) as connection:
        exchanges = (await connection.execute(rows_of(EXCHANGE))).all()
        sessions = (await connection.execute(rows_of(SESSION))).all()
        events = (await connection.execute(rows_of(EVENT).order_by(EVENT.c.number))).all()
        places = (await connection.execute(rows_of(RESERVATION))).all()
        under_way = (await connection.execute(rows_of(ASKED))).all()
    finished = {row.query_id for row in exchanges}
    assert answered <= finished
    assert not {row.query_id for row in under_way} & finished
    assert {row.query_id for row in places if row.state == "settled"} == finished
    ends: dict[str, list[str]] = defaultdict(list)
    numbers: dict[str, list[int]] = defaultdict(list)
    for row in events:
        numbers[row.session_id].append(row.number)
        if row.query_id and row.name in QUERY_ENDS:
            ends[row.query_id].append(row.name)
    assert {query for query, told in ends.items() if "tip.response.end" in told} == finished
    assert all(len(told) == 1 for told in ends.values())
    for row in sessions:
        assert numbers[row.session_id] == list(range(1, row.last_event + 1))
        own = sorted(one.number for one in exchanges if one.session_id == row.session_id)
        assert own == list(range(1, row.query_count + 1))
        counted = [one.envelope["usage"] for one in exchanges if one.session_id == row.session_id]
        assert row.output_tokens == sum(usage["output_tokens"] for usage in counted)
    return len(exchanges)


def test_a_server_that_is_killed_again_and_again_loses_nothing_and_leaves_nothing_half(
    records_address: str | Path, tez: Path, tmp_path: Path
) -> None:
    chance = random.Random(20)  # noqa: S311
    slowly = [
        "The budget for the sky fund is $77,000 [[notes:L1]]. And ",
        {"delay_ms": 3},
        "the budget for infrastructure is $500,000 [[notes:L3]]. ",
        {"delay_ms": 3},
        "The budget for training is $20,000 [[notes:L5]].",
    ]
    model = scripted(tmp_path, {"": slowly})
    answered: set[str] = set()

    async def reopened(started: bool) -> tuple[int, Counter[str]]:
        clock = Clock(1_760_000_000 + 10 * LIVES * 1_000)
        async with serving(
            records_address, tez, clock=clock, started=started, **FOREVER
        ) as service:
            count = await check(service.records, answered)
            return count, Counter(await service.reservations())

    with victims(records_address, tez, model) as process:
        for _ in range(LIVES):
            answered |= set(lived(process, chance.randint(0, 5), chance.uniform(0, 0.05)))
            asyncio.run(reopened(started=False))
    count, places = asyncio.run(reopened(started=True))
    assert places == {"settled": count, "returned": places["returned"]}
    # Otherwise the kills hit nothing.
    assert len(answered) > LIVES
    assert places["returned"] > LIVES / 2
