"""How long it takes to know what a thousand items are to a hundred recipients: asked for the first
time, and kept. Every recipient may read the first of them and no other."""

from __future__ import annotations

import asyncio
import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.access.http_server import serving
from tests.access.worlds import CedarWorld, FgaWorld, RegoWorld, World
from tipstaff.access.authorization import Authorization
from tipstaff.access.authorizer import Outcome


@contextmanager
def worlds() -> Iterator[list[World]]:
    with tempfile.TemporaryDirectory(prefix="bench-enterprise-") as name:
        fga = FgaWorld()
        with serving(fga.server):
            yield [
                fga,
                RegoWorld(Path(name) / "rego"),
                CedarWorld(Path(name) / "cedar"),
            ]


def measure(items: int, recipients: int) -> None:
    print(f"Authorisation of {items:,} items for {recipients} recipients (ms a recipient)")
    print(f"  {'':8}{'cold p50':>10}{'p95':>9}{'kept p50':>10}{'p95':>9}  checks/s cold")
    with worlds() as every:
        for world in every:
            cold, kept = asyncio.run(_timed(world, items, recipients))
            rate = items / statistics.median(cold)
            print(
                f"  {world.type:8}{_ms(statistics.median(cold))}{_ms(_p95(cold))}"
                f"{_ms(statistics.median(kept))}{_ms(_p95(kept))}  {rate:,.0f}"
            )


async def _timed(world: World, items: int, recipients: int) -> tuple[list[float], list[float]]:
    users = [f"user:reader{number}@example.com" for number in range(recipients)]
    documents = [f"paper-{number}" for number in range(items)]
    for user in users:
        world.allow(user, documents[0])
    settings = world.in_force(access_timeout_s="60")
    authorization = Authorization.from_settings(settings, [world.type])
    service = authorization._services[world.type]
    cold: list[float] = []
    kept: list[float] = []
    try:
        for times in (cold, kept):
            for user in users:
                checks = [world.check(user, document) for document in documents]
                started = time.perf_counter()
                decisions = await service.check(checks)
                times.append(time.perf_counter() - started)
                # An undecided item is withheld like a denied one, but never kept.
                if [one.outcome for one in decisions] != [Outcome.ALLOWED] + [Outcome.DENIED] * (
                    items - 1
                ):
                    raise RuntimeError(f"{world.type}: wrong decisions for {user}")
    finally:
        await authorization.aclose()
    return cold, kept


def _p95(values: list[float]) -> float:
    return statistics.quantiles(values, n=20)[-1] if len(values) > 1 else values[0]


def _ms(seconds: float) -> str:
    return f"{seconds * 1_000:10.1f}"
