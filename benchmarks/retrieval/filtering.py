"""`python -m benchmarks.retrieval.filtering [CHUNKS]`: the same scope searched in a large bundle
and in a bundle of nothing else. The time must not tell how much was left out (Enterprise §10.1):
a ratio near 1 is what is wanted, beside the ratio of the same index with itself, which is noise."""

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


def main() -> None:
    chunks = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    whole = generate(chunks, queries=_QUERIES)
    scope = whole.queries[0].items
    part = only(whole, scope)
    with tempfile.TemporaryDirectory(prefix="bench-filtering-") as name:
        opened = {}
        for place, collection in (("whole", whole), ("alone", part), ("again", part)):
            folder = Path(name) / place
            folder.mkdir()
            Tipstaff().build(collection, folder)
            opened[place] = Tipstaff().open(folder)
        found = {place: _found(index, whole, scope) for place, index in opened.items()}
        times: dict[str, list[float]] = {place: [] for place in opened}
        # In turns, so that other load meets all alike; each is first as often as the others,
        # since whoever is first with a query finds its words in no cache.
        for number in range(_ROUNDS * _QUERIES):
            order = [*opened][number % 3 :] + [*opened][: number % 3]
            for place in order:
                took = _time_ms(opened[place], whole, scope, number % _QUERIES)
                times[place].append(took)
    medians = {place: statistics.median(several) for place, several in times.items()}
    same = found["whole"] == found["alone"]
    print(f"{len(part.texts):,} chunks searched, of {chunks:,} or of no more")
    print(f"  alone {medians['alone']:.2f} ms, in the large bundle {medians['whole']:.2f} ms")
    print(f"  ratio {medians['whole'] / medians['alone']:.2f}×", end="")
    print(f" (noise: {medians['again'] / medians['alone']:.2f}×)")
    print(f"  the same passages: {'yes' if same else 'NO'}")


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


def _time_ms(index: Open, whole: Collection, scope: list[str], query: int) -> float:
    before = time.perf_counter()
    index.filtered(whole.queries[query].text, whole.query_vectors[query], scope)
    return (time.perf_counter() - before) * 1000


if __name__ == "__main__":
    main()
