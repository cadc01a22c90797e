"""One step of one way in a process of its own: `measuring build|search WAY DATA FOLDER`.

Prints what it measured as one line of JSON. Importing is not counted; opening is, and so is the
first query after it, which is when lazy stores do their opening.
"""

from __future__ import annotations

import json
import re
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.retrieval.corpus import load, load_queries
from benchmarks.retrieval.way import Way, way_named

# A way that needs longer than this for all queries is asked fewer of them.
_MOST_SECONDS = 30.0
_FEWEST = 5


def main() -> None:
    step, name, data, folder = sys.argv[1:]
    way = way_named(name)
    measured = {"build": _build, "search": _search}[step](way, Path(data), Path(folder))
    print(json.dumps(measured | {"peak_mb": _peak_mb()}))


def _build(way: Way, data: Path, folder: Path) -> dict[str, Any]:
    collection = load(data)
    started = time.perf_counter()
    way.build(collection, folder)
    return {"build_s": time.perf_counter() - started}


def _search(way: Way, data: Path, folder: Path) -> dict[str, Any]:
    queries, vectors = load_queries(data)
    started = time.perf_counter()
    index = way.open(folder)
    opened = time.perf_counter()
    index.query(queries[0].text, vectors[0])
    answered = time.perf_counter()
    asked = list(zip(queries, vectors, strict=True))
    found: list[list[str]] = []
    return {
        "open_ms": (opened - started) * 1000,
        "first_ms": (answered - started) * 1000,
        "query": _timed([_call(index.query, one.text, v) for one, v in asked]),
        "filtered": _timed([_call(index.filtered, one.text, v, one.items) for one, v in asked]),
        "vectors": _timed([_call(index.filtered_vectors, v, one.items) for one, v in asked], found),
        "found": found,
    }


def _call(function: Callable[..., list[str]], *words: Any) -> Callable[[], list[str]]:
    return lambda: function(*words)


def _timed(
    calls: list[Callable[[], list[str]]], found: list[list[str]] | None = None
) -> dict[str, float]:
    """p50 and p95 by the wall clock, and processor time a query, which other load moves less."""
    calls[0]()
    walls: list[float] = []
    processor, started = time.process_time(), time.perf_counter()
    for call in calls:
        before = time.perf_counter()
        result = call()
        walls.append((time.perf_counter() - before) * 1000)
        if found is not None:
            found.append(result)
        if len(walls) >= _FEWEST and time.perf_counter() - started > _MOST_SECONDS:
            break
    return {
        "p50_ms": statistics.median(walls),
        "p95_ms": sorted(walls)[int(len(walls) * 0.95)],
        "cpu_ms": (time.process_time() - processor) * 1000 / len(walls),
        "asked": len(walls),
    }


def _peak_mb() -> float:
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    found = re.search(r"VmHWM:\s+(\d+)", status)
    return int(found[1]) / 1024 if found else 0.0


if __name__ == "__main__":
    main()
