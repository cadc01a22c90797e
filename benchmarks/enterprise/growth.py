"""How long beginning a session and asking takes with ten tezits in one server, and with many.

Every tez is a real one: published by `Tezits.publish`, with its row, its audit record and its own
index. They are one small bundle under many ids, so that its bytes are kept once. Between sizes a
real `tip serve` is started over the same records and folder, and asked: the same ten at every size,
which stay open, and any of them, of which most have to be opened first.
"""

from __future__ import annotations

import asyncio
import os
import random
import statistics
import tempfile
import time
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import httpx

from tests.serve.long_answers import FOLLOW_UP, ITEMS
from tests.serve.processes import served, without_limits
from tipstaff.domain.caller import Caller, Permission
from tipstaff.hosting.tezits import Tezits
from tipstaff.indexing import LOCAL_TENANT
from tipstaff.records.database import FILE, open_records
from tipstaff.settings import Settings

SETTINGS = Settings(embedder="static", reader="none")
SENDER = Caller(
    tenant=LOCAL_TENANT, user="user:sender", permissions=frozenset({Permission.PUBLISH})
)
_SAME = 10


@dataclass(frozen=True, slots=True)
class Size:
    tezits: int
    published_a_second: float
    started_s: float
    same: list[float]
    any_of_them: list[float]


def measure(sizes: Sequence[int], asks: int) -> None:
    print(f"Beginning a session and asking, of {' / '.join(f'{size:,}' for size in sizes)} tezits")
    print(
        f"  {'tezits':>8}{'published/s':>13}{'start s':>9}"
        f"{'same ten: p50':>15}{'p95 ms':>9}{'any: p50':>11}{'p95 ms':>9}"
    )
    done: list[Size] = []
    with tempfile.TemporaryDirectory(prefix="bench-growth-") as name:
        folder = Path(name)
        os.environ["TIPSTAFF_DATA_DIR"] = str(folder / "data")
        there = 0
        for size in sizes:
            rate = asyncio.run(published(folder, there, size))
            there = size
            done.append(asked(folder, size, rate, asks))
            print(_row(done[-1]), flush=True)
    first, last = done[0], done[-1]
    print(
        f"  from {first.tezits:,} to {last.tezits:,} tezits: p95 of the same ten "
        f"{_p95(last.same) / _p95(first.same):.2f} times, of any "
        f"{_p95(last.any_of_them) / _p95(first.any_of_them):.2f} times, "
        f"start {last.started_s / first.started_s:.2f} times"
    )


async def published(folder: Path, there: int, size: int) -> float:
    """Up to `size`; how many a second."""
    archive = folder / "small.zip"
    if not archive.exists():
        # Without an id of its own: it can be published under any.
        with zipfile.ZipFile(archive, "w") as bundle:
            bundle.writestr("tez.md", "# Findings\n")
            for name, content in ITEMS.items():
                bundle.writestr(name, content)
    records = await open_records(folder / "data" / FILE)
    tezits = Tezits(records, settings=SETTINGS, data_folder=folder / "data")
    began = time.perf_counter()
    try:
        for number in range(there, size):
            tez = await tezits.publish(SENDER, archive, tez_id=_name(number))
            if not tez.is_served:
                raise RuntimeError(f"{tez.tez_id}: {tez.progress}")
        return (size - there) / (time.perf_counter() - began)
    finally:
        await tezits.aclose()
        await records.aclose()


def asked(folder: Path, size: int, rate: float, asks: int) -> Size:
    began = time.perf_counter()
    with served(folder, *without_limits()) as server:
        started_s = time.perf_counter() - began
        chance = random.Random(size)  # noqa: S311 (a benchmark)
        headers = {"Authorization": f"Bearer {server.token}"}
        with httpx.Client(base_url=server.url, headers=headers, timeout=60) as client:
            for number in range(_SAME):
                _asked_once(client, number)
            same = [_asked_once(client, turn % _SAME) for turn in range(asks)]
            any_of_them = [_asked_once(client, chance.randrange(size)) for _ in range(asks)]
    return Size(size, rate, started_s, same, any_of_them)


def _asked_once(client: httpx.Client, number: int) -> float:
    path = f"/tez/{_name(number)}/interrogate"
    began = time.perf_counter()
    session = client.post(f"{path}/init").raise_for_status().json()["session_id"]
    answer = client.post(f"{path}/{session}/query", json={"query": FOLLOW_UP})
    answer.raise_for_status()
    return time.perf_counter() - began


def _name(number: int) -> str:
    return f"tez-{number:06}"


def _p95(values: list[float]) -> float:
    return statistics.quantiles(values, n=20)[-1]


def _row(size: Size) -> str:
    same, others = size.same, size.any_of_them
    return (
        f"  {size.tezits:>8,}{size.published_a_second:>13.1f}{size.started_s:>9.1f}"
        f"{statistics.median(same) * 1e3:>15.0f}{_p95(same) * 1e3:>9.0f}"
        f"{statistics.median(others) * 1e3:>11.0f}{_p95(others) * 1e3:>9.0f}"
    )
