"""`python -m benchmarks.retrieval [--quick] [--rounds N] [--without NAME]`: every store at 1,000,
10,000 and 100,000 chunks (`--quick` leaves out the last), each in processes of its own, in turns.

A store that fails, or needs more than ten minutes for a step, is said to in its line of the table,
and the others go on. One whose searching process takes minutes (LlamaIndex decodes its vectors
number by number whenever it opens) gets one instead of `--rounds`."""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.retrieval.corpus import Collection, exact, generate, save
from benchmarks.retrieval.way import ENTRIES, TOP_K, Entry

_SIZES = (1_000, 10_000, 100_000)
_QUERIES = 200
_MOST_SECONDS = 600
_LONG_SECONDS = 120
_COLUMNS = (
    ("build s", "build_s", "{:.2f}"),
    ("open ms", "open_ms", "{:.2f}"),
    ("open+1st ms", "first_ms", "{:.1f}"),
    ("p50 ms", "query.p50_ms", "{:.2f}"),
    ("p95 ms", "query.p95_ms", "{:.2f}"),
    ("cpu ms", "query.cpu_ms", "{:.2f}"),
    ("10% p50 ms", "filtered.p50_ms", "{:.2f}"),
    ("10% recall", "recall", "{:.3f}"),
    ("within .001", "near_recall", "{:.3f}"),
    ("peak MB", "peak_mb", "{:.0f}"),
    ("disk MB", "disk_mb", "{:.1f}"),
)

Measured = dict[str, Any]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="1,000 and 10,000 chunks only")
    parser.add_argument("--rounds", type=int, default=3, help="searching processes of each store")
    parser.add_argument("--without", default="", metavar="NAME", help="leave this store out")
    arguments = parser.parse_args()
    without = arguments.without.lower()
    entries = [one for one in ENTRIES if not without or without not in one.name.lower()]
    for size in _SIZES[:2] if arguments.quick else _SIZES:
        print(_table(size, *_measured(size, entries, arguments.rounds)), flush=True)
        print()
    print(
        "Importing is not counted, embedding neither. open+1st: until the first answer, since\n"
        "some open lazily. p50, p95: wall clock of a query; cpu: processor time of one, all\n"
        f"threads; medians of {arguments.rounds} processes that took turns. 10%: the same query\n"
        f"among one item in ten; its recall is that of vector search, first {TOP_K}, against an\n"
        "exact one in 64-bit floats, strictly and with ties within a similarity of 0.001. Peak:\n"
        "of the searching process. (×): beside ours; below 1 it is less than ours."
    )


class Unfinished(Exception):
    """A store did not do a step; in words."""


def _measured(
    size: int, entries: Sequence[Entry], rounds: int
) -> tuple[dict[str, Measured], dict[str, str]]:
    """What was measured of each store, and of the others why nothing was."""
    collection = generate(size, queries=_QUERIES)
    with tempfile.TemporaryDirectory(prefix="bench-retrieval-") as name:
        places = {entry.name: Path(name) / f"way-{n}" for n, entry in enumerate(entries)}
        data = Path(name) / "data"
        data.mkdir()
        save(collection, data)
        built: dict[str, Measured] = {}
        searched: dict[str, list[Measured]] = {entry.name: [] for entry in entries}
        failed: dict[str, str] = {}
        steps = [("build", entry) for entry in entries]
        steps += [("search", entry) for _ in range(rounds) for entry in entries]
        for step, entry in steps:
            if entry.name in failed or _is_long(searched[entry.name]):
                continue
            try:
                done = _run(step, entry, data, places[entry.name])
            except Unfinished as problem:
                if entry is ENTRIES[0]:
                    raise SystemExit(f"{entry.name} {problem}") from None
                failed[entry.name] = str(problem)
                continue
            if step == "build":
                built[entry.name] = done
            else:
                searched[entry.name].append(done)
        measured = {
            name: _medians(several)
            | _recalls(collection, several[0]["found"])
            | {"build_s": built[name]["build_s"], "disk_mb": _disk_mb(places[name])}
            for name, several in searched.items()
            if name not in failed
        }
        return measured, failed


def _is_long(searched: Sequence[Measured]) -> bool:
    return bool(searched) and searched[-1]["seconds"] > _LONG_SECONDS


def _run(step: str, entry: Entry, data: Path, folder: Path) -> Measured:
    words = [sys.executable, "-m", "benchmarks.retrieval.measuring", step, entry.name]
    started = time.monotonic()
    try:
        done = subprocess.run(  # noqa: S603 (our own module)
            [*words, str(data), str(folder)],
            capture_output=True,
            text=True,
            check=False,
            timeout=_MOST_SECONDS,
        )
    except subprocess.TimeoutExpired:
        raise Unfinished(f"needs more than {_MOST_SECONDS} s to {step}") from None
    if done.returncode:
        last = " ".join(done.stderr.strip().splitlines()[-1:])
        raise Unfinished(f"fails to {step}: {last}")
    measured: Measured = json.loads(done.stdout.splitlines()[-1])
    return measured | {"seconds": time.monotonic() - started}


def _medians(searched: Sequence[Measured]) -> Measured:
    keys = [key for _, key, _ in _COLUMNS if key == "peak_mb" or key.endswith("_ms")]
    return {key: statistics.median(_value(one, key) for one in searched) for key in keys}


def _value(measured: Measured, key: str) -> float:
    for part in key.split("."):
        measured = measured[part]
    return float(measured)  # type: ignore[arg-type]


def _recalls(collection: Collection, found: Sequence[Sequence[str]]) -> Measured:
    """How many of the true first chunks were found; and how many of those found are as near as
    the last of the true ones, or within a thousandth."""
    hits = near = wanted = 0
    for query, ids in enumerate(found):
        similar = exact(collection, query, filtered=True)
        numbers = [int(chunk_id.removeprefix("c")) for chunk_id in ids]
        true = similar.argsort()[::-1][: min(TOP_K, int((similar > -1).sum()))]
        wanted += len(true)
        hits += len(set(true.tolist()) & set(numbers))
        near += sum(bool(similar[number] >= similar[true[-1]] - 0.001) for number in numbers)
    return {"recall": hits / wanted, "near_recall": near / wanted}


def _disk_mb(folder: Path) -> float:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / 1e6


def _table(size: int, measured: dict[str, Measured], failed: dict[str, str]) -> str:
    ours = measured[ENTRIES[0].name]
    lines = [f"{size:,} chunks"]
    lines.append(f"  {'':<28}" + "".join(f"{title:>19}" for title, _, _ in _COLUMNS))
    for entry in (one for one in ENTRIES if one.name in measured):
        cells = "".join(
            f"{_cell(measured[entry.name][key], ours[key], shape, key):>19}"
            for _, key, shape in _COLUMNS
        )
        lines.append(f"  {f'{entry.name} ({entry.searches})':<28}" + cells)
    lines += [f"  {name:<28}{why}" for name, why in failed.items()]
    return "\n".join(lines)


def _cell(value: float, ours: float, shape: str, key: str) -> str:
    text = shape.format(value)
    return text if "recall" in key or not ours else f"{text} ({value / ours:.1f}×)"


if __name__ == "__main__":
    main()
