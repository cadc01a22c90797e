"""Which embedder, and how to join it with the keywords: quality, cold time, rate and memory.

`python -m benchmarks.embedders DATAFILE [EMBEDDER …]` reads JSON lines with `source`, `query`,
`passage` and `answerable`; each source becomes a bundle whose items are its passages, and a
query is answered by the item that it was asked of.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from tipstaff.bundle.opening import open_bundle
from tipstaff.domain.retrieval import Method, RetrievalOptions
from tipstaff.domain.scope import Filter
from tipstaff.embed.embedding import embed_query
from tipstaff.embed.registry import embedder_named
from tipstaff.indexing import IndexedBundle, index_bundle
from tipstaff.retrieve.ranking import rank
from tipstaff.settings import Settings
from tipstaff.tenant_data import vector_cache

EMBEDDERS = ("minilm", "static")
WAYS = {
    "keyword": RetrievalOptions(method=Method.KEYWORD, top_k=100),
    "vector": RetrievalOptions(method=Method.VECTOR, top_k=100),
    **{
        f"weighted {percent}% vector": RetrievalOptions(vector_weight=percent / 100, top_k=100)
        for percent in (30, 50, 70)
    },
    "rrf 50%": RetrievalOptions(fusion="rrf", vector_weight=0.5, top_k=100),
    "rrf 70% vector": RetrievalOptions(fusion="rrf", vector_weight=0.7, top_k=100),
}
_COLD = """
import re, sys, time
from pathlib import Path
from tipstaff.embed.registry import embedder_named
embedder_named(sys.argv[1], threads=2).query("When does the lease end?")
# Not from getrusage: a child starts with its parent's peak.
peak = re.search(r"VmHWM:\\s+(\\d+)", Path("/proc/self/status").read_text())
print(time.process_time(), int(peak[1]) / 1024)
"""


def main() -> None:
    file, *named = sys.argv[1:]
    rows = [json.loads(line) for line in Path(file).read_text(encoding="utf-8").splitlines()]
    with tempfile.TemporaryDirectory() as folder:
        os.environ["TIPSTAFF_DATA_DIR"] = f"{folder}/data"
        for name in named or EMBEDDERS:
            print(f"{name}\n  {cold(name)}\n  {speed(name, rows)}")
        for source, (passages, asked) in sources(rows).items():
            place = bundle(Path(folder) / source, passages)
            print(f"\n{source}: {len(passages)} passages, {len(asked)} queries")
            print(f"  {'':<10}{'':<22}{'recall@1':>9}{'recall@5':>9}{'MRR':>7}")
            for name in named or EMBEDDERS:
                for line in quality(name, place, asked):
                    print(f"  {name:<10}{line}", flush=True)


def sources(
    rows: Sequence[dict[str, object]],
) -> dict[str, tuple[list[str], list[tuple[str, str]]]]:
    """By source: its passages, and its queries, each with the id of the passage's item."""
    found: dict[str, tuple[dict[str, str], list[tuple[str, str]]]] = {}
    for row in rows:
        if isinstance(row.get("passage"), str):
            ids, asked = found.setdefault(str(row["source"]), ({}, []))
            item = ids.setdefault(str(row["passage"]), f"p{len(ids):05}")
            if row["answerable"]:
                asked.append((str(row["query"]), item))
    return {source: (list(ids), asked) for source, (ids, asked) in found.items()}


def bundle(folder: Path, passages: Sequence[str]) -> Path:
    (folder / "context").mkdir(parents=True)
    items = []
    for number, passage in enumerate(passages):
        name = f"p{number:05}"
        (folder / "context" / f"{name}.txt").write_text(passage, encoding="utf-8")
        items.append({"id": name, "type": "document", "title": name, "file": f"context/{name}.txt"})
    (folder / "tez.md").write_text("# Passages\n", encoding="utf-8")
    manifest = {
        "tezit_version": "1.2",
        "id": folder.name,
        "version": 1,
        "created_at": "2026-01-01T00:00:00Z",
        "creator": {"name": "benchmark"},
        "synthesis": {"title": "Passages", "type": "analysis", "file": "tez.md"},
        "context": {"scope": "full", "item_count": len(items), "items": items},
    }
    (folder / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    return folder


def quality(name: str, place: Path, asked: Sequence[tuple[str, str]]) -> Iterator[str]:
    settings = Settings(embedder=name, max_items=100_000)
    with open_bundle(place, settings=settings) as opened:
        indexed = index_bundle(opened, settings=settings)
        for way, options in WAYS.items():
            places = [place_of(item, query, indexed, options) for query, item in asked]
            first = sum(place == 1 for place in places) / len(places)
            fifth = sum(0 < place <= 5 for place in places) / len(places)
            mrr = sum(1 / place for place in places if place) / len(places)
            yield f"{way:<22}{first:>9.3f}{fifth:>9.3f}{mrr:>7.3f}"


def place_of(item: str, query: str, indexed: IndexedBundle, options: RetrievalOptions) -> int:
    """Which place the item has, by its best chunk; 0 for none."""
    with vector_cache(indexed.embedder, indexed.settings, indexed.tenant) as cache:
        found = rank(
            query,
            index=indexed.index,
            scope=Filter().scope(indexed.index.items),
            options=options,
            embed=partial(embed_query, embedder=indexed.embedder, cache=cache),
        )
    order = list(dict.fromkeys(one.chunk.item_id for one in found))
    return order.index(item) + 1 if item in order else 0


def cold(name: str) -> str:
    """A new process: interpreter, imports, weights, one query. The least of several runs."""
    runs = []
    for _ in range(7):
        started = time.perf_counter()
        done = subprocess.run(  # noqa: S603 (this interpreter, our own words)
            [sys.executable, "-c", _COLD, name], capture_output=True, text=True, check=True
        )
        cpu_s, memory_mb = map(float, done.stdout.split())
        runs.append((time.perf_counter() - started, cpu_s, memory_mb))
    wall, cpu, memory = (min(column) for column in zip(*runs, strict=True))
    return f"cold to first vector {wall:.2f} s ({cpu:.2f} s of processor), {memory:.0f} MB"


def speed(name: str, rows: Sequence[dict[str, object]], *, count: int = 200) -> str:
    passages = [str(row["passage"]) for row in rows if isinstance(row.get("passage"), str)]
    some = list(dict.fromkeys(passages))[:count]
    embedder = embedder_named(name, threads=2)
    list(embedder.passages(some[:4]))
    wall, cpu = time.perf_counter(), time.process_time()
    list(embedder.passages(some))
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    words = sum(len(text.split()) for text in some) / len(some)
    return (
        f"{len(some) / wall:.0f} passages of {words:.0f} words a second, "
        f"{1000 * cpu / len(some):.1f} ms of processor each"
    )


if __name__ == "__main__":
    main()
