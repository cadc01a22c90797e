"""How long beginning a session and asking takes with ten tezits in one server, and with many.

Every tez is a real one: published by `Tezits.publish`, with its row, its audit record and its own
index. They are one small bundle under many ids, so that its bytes are kept once. Between sizes a
real `tip serve` is started over the same records and folder, and asked in turns with one that has
the fewest: the same ten at every size, which stay open, and any, of which most have to be opened.
"""

from __future__ import annotations

import asyncio
import os
import random
import statistics
import tempfile
import time
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import httpx

from tests.serve.long_answers import FOLLOW_UP, ITEMS
from tests.serve.processes import served, without_limits
from tipstaff.domain.caller import LOCAL_TENANT, Caller, Permission
from tipstaff.hosting.tezits import Tezits
from tipstaff.records.database import FILE, open_records
from tipstaff.settings import Settings

SETTINGS = Settings(embedder="static", reader="none")
SENDER = Caller(
    tenant=LOCAL_TENANT, user="user:sender", permissions=frozenset({Permission.PUBLISH})
)
_HERE, _BESIDE = "data", "beside"


@dataclass(frozen=True, slots=True)
class Times:
    """Seconds of the server with this many tezits, and of the one with the fewest beside it."""

    here: list[float] = field(default_factory=list)
    beside: list[float] = field(default_factory=list)

    @property
    def ratio(self) -> float:
        return _p95(self.here) / _p95(self.beside)


def measure(sizes: Sequence[int], asks: int) -> None:
    fewest = sizes[0]
    print(f"Beginning a session and asking, beside a server with {fewest} tezits, in turns")
    print(
        f"  {'tezits':>8}{'published/s':>13}{'start s':>9}"
        f"{'same ten: p95 ms':>18}{'ratio':>7}{'any: p95 ms':>13}{'ratio':>7}"
    )
    with tempfile.TemporaryDirectory(prefix="bench-growth-") as name:
        folder = Path(name)
        asyncio.run(published(folder, _BESIDE, 0, fewest))
        there = 0
        for size in sizes:
            rate = asyncio.run(published(folder, _HERE, there, size))
            there = size
            started_s, same, any_of_them = asked(folder, size, fewest, asks)
            print(
                f"  {size:>8,}{rate:>13.1f}{started_s:>9.1f}"
                f"{_p95(same.here) * 1e3:>18.0f}{same.ratio:>7.2f}"
                f"{_p95(any_of_them.here) * 1e3:>13.0f}{any_of_them.ratio:>7.2f}",
                flush=True,
            )


async def published(folder: Path, data: str, there: int, size: int) -> float:
    """Up to `size`; how many a second."""
    archive = folder / "small.zip"
    if not archive.exists():
        # Without an id of its own: it can be published under any.
        with zipfile.ZipFile(archive, "w") as bundle:
            bundle.writestr("tez.md", "# Findings\n")
            for name, content in ITEMS.items():
                bundle.writestr(name, content)
    # Where indexes lie.
    os.environ["TIPSTAFF_DATA_DIR"] = str(folder / data)
    records = await open_records(folder / data / FILE)
    tezits = Tezits(records, settings=SETTINGS, data_folder=folder / data)
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


def asked(folder: Path, size: int, fewest: int, asks: int) -> tuple[float, Times, Times]:
    """In turns, so that a busy machine slows both alike; and how long the start took."""
    same, any_of_them = Times(), Times()
    with ExitStack() as stack:
        beside = stack.enter_context(_client(folder, _BESIDE))
        began = time.perf_counter()
        here = stack.enter_context(_client(folder, _HERE))
        started_s = time.perf_counter() - began
        chance = random.Random(size)  # noqa: S311 (a benchmark)
        for number in range(fewest):
            _asked_once(beside, number)
            _asked_once(here, number)
        for turn in range(asks):
            same.beside.append(_asked_once(beside, turn % fewest))
            same.here.append(_asked_once(here, turn % fewest))
        for _ in range(asks):
            any_of_them.beside.append(_asked_once(beside, chance.randrange(fewest)))
            any_of_them.here.append(_asked_once(here, chance.randrange(size)))
    return started_s, same, any_of_them


@contextmanager
def _client(folder: Path, data: str) -> Iterator[httpx.Client]:
    with served(folder, *without_limits(), data=data) as server:
        headers = {"Authorization": f"Bearer {server.token}"}
        with httpx.Client(base_url=server.url, headers=headers, timeout=60) as client:
            yield client


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
