"""How many streams a server carries: `make bench-serve` (`python -m benchmarks.serving`).

A real `tip serve` with the scripted model on loopback, and a driver that reads plain sockets so
that it takes little of the two cores itself. Every session asks a few queries, one after the other;
all sessions stream at once. Then as many idle streams are opened and held. The same is done with a
bare FastAPI endpoint (`bare_endpoint.py`), in the same run: overhead is the ratio of both.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import httpx

from benchmarks.stream_reading import Answer, Target, held, read_stream
from tests.conftest import manifest_of
from tests.serve.long_answers import ITEMS, QUESTION, slow_model

# As a model does that is asked over a network: an answer takes as long as people wait for one.
PAUSES, PAUSE_MS = 10, 2_000
QUERY = {"query": QUESTION}
MOST_P95_MS = 300
LEVELS = ("per_session", "per_recipient", "per_user", "per_tez", "per_tenant", "global")


@dataclass
class Figures:
    """What was measured of one server."""

    name: str
    first_ms: list[float] = field(default_factory=list)
    burst_ms: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    events: int = 0
    cpu_ms_a_stream: float = 0
    idle_held: int = 0
    mib: dict[str, float] = field(default_factory=dict)

    def p95(self, values: Sequence[float]) -> float:
        return statistics.quantiles(values, n=20)[-1] if len(values) > 1 else 0.0


def write_tez(folder: Path) -> Path:
    """The smallest tez that has ten facts."""
    tez = folder / "tez"
    (tez / "context").mkdir(parents=True)
    for name, content in ITEMS.items():
        (tez / "context" / name).write_bytes(content)
    (tez / "tez.md").write_text("# Budgets\n\nEach thing has one [[notes:L3]].\n")
    (tez / "manifest.json").write_text(json.dumps(manifest_of(ITEMS, id="bench")))
    return tez


@contextmanager
def tip_serve(folder: Path) -> Iterator[tuple[Target, int]]:
    tez, model = write_tez(folder), slow_model(folder, delay_ms=PAUSE_MS)
    settings = {f"rate_{level}": 0 for level in LEVELS} | {
        "queries_per_recipient": 0,
        "concurrent_queries": 200,
        "heartbeat_s": 5,
    }
    words = [word for name, value in settings.items() for word in ("--set", f"{name}={value}")]
    words += ["--set", "reader=none", "--set", "embedder=static", "--port", "0"]
    command = [sys.executable, "-m", "tipstaff", "serve", str(tez), "--model", model]
    environment = os.environ | {"TIPSTAFF_DATA_DIR": str(folder / "data")}
    with (
        (folder / "log").open("w") as log,
        subprocess.Popen(  # noqa: S603 (this very program)
            [*command, *words], stdout=subprocess.PIPE, stderr=log, text=True, env=environment
        ) as process,
    ):
        assert process.stdout is not None  # noqa: S101 (as asked for)
        url = process.stdout.readline().strip()
        token = process.stdout.readline().strip().removeprefix("token: ")
        try:
            yield Target(url, token), process.pid
        finally:
            process.kill()


@contextmanager
def bare(events: int) -> Iterator[tuple[Target, int]]:
    port = 18_000 + os.getpid() % 1_000
    words = [str(number) for number in (port, events, PAUSES, PAUSE_MS)]
    command = [sys.executable, "-m", "benchmarks.bare_endpoint", *words]
    with subprocess.Popen(command) as process:  # noqa: S603 (this very program)
        url = f"http://127.0.0.1:{port}"
        try:
            with httpx.Client(transport=httpx.HTTPTransport(retries=8)) as client:
                client.get(f"{url}/openapi.json")
            yield Target(url, ""), process.pid
        finally:
            process.kill()


async def sessions_of(target: Target, number: int) -> list[str]:
    """Paths of so many new sessions; of the bare endpoint, none is needed."""
    if not target.token:
        return [""] * number
    headers = {"Authorization": f"Bearer {target.token}"}
    async with httpx.AsyncClient(base_url=target.url, headers=headers, timeout=60) as client:
        path = "/tez/bench/interrogate"
        opened = [(await client.post(f"{path}/init")).json() for _ in range(number)]
    return [f"{path}/{one['session_id']}" for one in opened]


async def streamed(target: Target, paths: list[str], *, queries: int) -> list[Answer]:
    """Every session asks one query after the other. The first of each comes at its own moment
    within the length of an answer, as those of many people do."""

    async def session(number: int, path: str) -> list[Answer]:
        await asyncio.sleep(number / len(paths) * PAUSES * PAUSE_MS / 1_000)
        return [await read_stream(target, f"{path}/query", QUERY) for _ in range(queries)]

    done = await asyncio.gather(*(session(number, path) for number, path in enumerate(paths)))
    return [answer for answers in done for answer in answers]


async def measured(name: str, target: Target, pid: int, asked: argparse.Namespace) -> Figures:
    figures = Figures(name)
    paths = await sessions_of(target, asked.sessions)
    warm = await read_stream(target, f"{paths[0]}/query", QUERY)
    figures.events = warm.events
    figures.mib["before"] = resident_mib(pid)
    cpu = processor_s(pid)
    answers = await streamed(target, paths, queries=asked.queries)
    figures.cpu_ms_a_stream = (processor_s(pid) - cpu) / len(answers) * 1_000
    figures.mib["streaming"] = resident_mib(pid)
    burst = await asyncio.gather(*(read_stream(target, f"{path}/query", QUERY) for path in paths))
    figures.first_ms = [one.first_s * 1_000 for one in answers]
    figures.burst_ms = [one.first_s * 1_000 for one in burst]
    figures.errors = [one.error for one in (*answers, *burst) if one.error]
    idle = await sessions_of(target, asked.idle)
    figures.idle_held = await held(target, [f"{path}/events" for path in idle], asked.idle_s)
    figures.mib["idle"] = resident_mib(pid)
    return figures


def resident_mib(pid: int) -> float:
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmRSS"))


def processor_s(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def report(ours: Figures, other: Figures, asked: argparse.Namespace) -> None:
    def row(what: str, of: Figures) -> str:
        values = of.first_ms if what == "spread" else of.burst_ms
        return f"{statistics.median(values):8.0f} {of.p95(values):8.0f}"

    print(f"load of the machine (1 min): {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    print(f"{asked.sessions} sessions at once, {asked.queries} queries each, then one each in the")
    print(f"same instant; {ours.events} events in {PAUSES * PAUSE_MS / 1_000:.0f} s a stream\n")
    for what, title in (("spread", "first event, ms"), ("burst", "the same, same instant")):
        print(f"{title:24}     p50      p95")
        for figures in (ours, other):
            print(f"  {figures.name:22}{row(what, figures)}")
    print(f"\n{'':24}{'errors':>8}{'cpu ms':>8}{'idle held':>10}  MiB before/streaming/idle")
    for one in (ours, other):
        memory = " / ".join(f"{one.mib[when]:.0f}" for when in ("before", "streaming", "idle"))
        held_of = f"{one.idle_held}/{asked.idle}"
        print(
            f"  {one.name:22}{len(one.errors):8}{one.cpu_ms_a_stream:8.1f}{held_of:>10}  {memory}"
        )
    ratio = ours.p95(ours.first_ms) / max(other.p95(other.first_ms), 0.1)
    cpu = ours.cpu_ms_a_stream / max(other.cpu_ms_a_stream, 0.1)
    print(f"\nratio to the bare endpoint: p95 {ratio:.1f}, processor a stream {cpu:.1f}")
    for error in sorted(set(ours.errors))[:5]:
        print(f"error: {error}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sessions", type=int, default=200)
    parser.add_argument("--queries", type=int, default=2)
    parser.add_argument("--idle", type=int, default=1_000)
    parser.add_argument("--idle-s", type=float, default=40)
    parser.add_argument("--quick", action="store_true", help="a tenth of it")
    asked = parser.parse_args()
    if asked.quick:
        asked.sessions, asked.idle, asked.idle_s = 20, 100, 12
    # Two descriptors a stream, here and there.
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    with tempfile.TemporaryDirectory() as folder, tip_serve(Path(folder)) as (target, pid):
        ours = asyncio.run(measured("tip serve", target, pid, asked))
    with bare(ours.events) as (target, pid):
        other = asyncio.run(measured("bare FastAPI", target, pid, asked))
    report(ours, other, asked)
    good = not ours.errors and ours.idle_held == asked.idle
    return 0 if good and ours.p95(ours.first_ms) < MOST_P95_MS else 1


if __name__ == "__main__":
    sys.exit(main())
