"""`python -m benchmarks.retrieval.filtering [CHUNKS]`: the same scopes (1, 10, 50, 90 in a hundred
items) searched in a large bundle and in a bundle of nothing else. The time must not tell how much
was left out (Enterprise §10.1): a ratio near 1 is what is wanted, beside the ratio of the same
index with itself, which is noise."""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

import numpy as np

from benchmarks.retrieval.corpus import Collection, generate
from benchmarks.retrieval.ours import Open, Tipstaff

_QUERIES = 200
_ROUNDS = 6
_SHARES = (0.01, 0.1, 0.5, 0.9)


def main() -> None:
    chunks = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    whole = generate(chunks, queries=_QUERIES)
    names = sorted(set(whole.items))
    draw = np.random.default_rng(4)
    print(f"A scope searched in a bundle of {chunks:,} chunks, beside a bundle of that scope alone")
    with tempfile.TemporaryDirectory(prefix="bench-filtering-") as name:
        large = _opened(whole, Path(name) / "whole")
        for share in _SHARES:
            scope = draw.choice(names, max(int(len(names) * share), 1), replace=False).tolist()
            part = only(whole, scope)
            folders = (Path(name) / f"{place}-{share}" for place in ("alone", "again"))
            alone, again = (_opened(part, folder) for folder in folders)
            _compare(whole, scope, {"whole": large, "alone": alone, "again": again})
    print(
        "Ratios of medians: by the wall clock, by processor time; in brackets those of a second\n"
        "index of the scope alone, which is noise."
    )


def _opened(collection: Collection, folder: Path) -> Open:
    folder.mkdir()
    Tipstaff().build(collection, folder)
    return Tipstaff().open(folder)


def _compare(whole: Collection, scope: list[str], opened: dict[str, Open]) -> None:
    found = [_found(index, whole, scope) for index in opened.values()]
    walls: dict[str, list[float]] = {place: [] for place in opened}
    works: dict[str, list[float]] = {place: [] for place in opened}
    # In turns, so that other load meets all alike; each is first as often as the others, since
    # whoever is first with a query finds its words in no cache.
    for number in range(_ROUNDS * _QUERIES):
        order = [*opened][number % 3 :] + [*opened][: number % 3]
        for place in order:
            wall, work = _times_ms(opened[place], whole, scope, number % _QUERIES)
            walls[place].append(wall)
            works[place].append(work)
    ratios = []
    for times in (walls, works):
        medians = {place: statistics.median(several) for place, several in times.items()}
        ratio, noise = (medians[place] / medians["alone"] for place in ("whole", "again"))
        ratios.append(f"{ratio:.2f}× ({noise:.2f}×)")
    chunks = sum(item in set(scope) for item in whole.items)
    same = "the same passages" if found[0] == found[1] == found[2] else "OTHER PASSAGES"
    print(
        f"  {chunks:>7,} chunks, {statistics.median(walls['alone']):.2f} ms alone: "
        f"{ratios[0]} wall, {ratios[1]} processor; {same}",
        flush=True,
    )


def only(whole: Collection, scope: list[str]) -> Collection:
    """The collection of these items and no others."""
    kept = [number for number, item in enumerate(whole.items) if item in set(scope)]
    return replace(
        whole,
        items=[whole.items[number] for number in kept],
        texts=[whole.texts[number] for number in kept],
        vectors=np.ascontiguousarray(whole.vectors[kept]),
    )


def _found(index: Open, whole: Collection, scope: list[str]) -> list[list[str]]:
    """By their words: their numbers differ."""
    return [
        index.filtered_texts(query.text, vector, scope)
        for query, vector in zip(whole.queries, whole.query_vectors, strict=True)
    ]


def _times_ms(index: Open, whole: Collection, scope: list[str], query: int) -> tuple[float, float]:
    wall, work = time.perf_counter(), time.thread_time()
    index.filtered(whole.queries[query].text, whole.query_vectors[query], scope)
    return (time.perf_counter() - wall) * 1000, (time.thread_time() - work) * 1000


if __name__ == "__main__":
    main()
