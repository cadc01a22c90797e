"""`python -m benchmarks.retrieval.filtering [CHUNKS]`: the same scopes (1, 10, 50, 90 in a hundred
items) searched in a large bundle and in bundles of nothing else. The time must not tell how much
was left out (Enterprise §10.1). Each measurement is a process of its own, since where its memory
lies moves its times more than anything else: bundles that are alike differ by that, too, and what
two of them differ by is noise."""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from benchmarks.retrieval.corpus import Collection, generate
from benchmarks.retrieval.ours import Open, Tipstaff

_QUERIES = 200
_PASSES = 4
_PROCESSES = 7
_SHARES = (0.01, 0.1, 0.5, 0.9)
_ALONE = ("alone-1", "alone-2", "alone-3")


def main() -> None:
    chunks = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    whole = generate(chunks, queries=_QUERIES)
    names = sorted(set(whole.items))
    draw = np.random.default_rng(4)
    print(f"A scope searched in a bundle of {chunks:,} chunks, beside bundles of that scope alone")
    with tempfile.TemporaryDirectory(prefix="bench-filtering-") as name:
        for share in _SHARES:
            scope = draw.choice(names, max(int(len(names) * share), 1), replace=False).tolist()
            folder = Path(name) / str(share)
            _build(whole, scope, folder)
            _compare(folder, sum(item in set(scope) for item in whole.items))
    print(
        f"Milliseconds of processor time a query, median of {_PROCESSES} processes each; in\n"
        "brackets from the quickest process to the slowest. An observer who sees one time and\n"
        "must say where it comes from guesses right in so many of 100 cases; 50 is chance, and\n"
        "the second figure is for two bundles of the scope alone."
    )


def _build(whole: Collection, scope: list[str], folder: Path) -> None:
    folder.mkdir()
    part = only(whole, scope)
    found = []
    for place, collection in (("whole", whole), *((place, part) for place in _ALONE)):
        (folder / place).mkdir()
        Tipstaff().build(collection, folder / place)
        found.append(_found(Tipstaff().open(folder / place), whole, scope))
    if any(texts != found[0] for texts in found):
        raise AssertionError("a scope gave other passages in the large bundle")
    asked = {"scope": scope, "texts": [query.text for query in whole.queries]}
    (folder / "asked.json").write_text(json.dumps(asked), "utf-8")
    np.save(folder / "vectors.npy", whole.query_vectors)


def _compare(folder: Path, chunks: int) -> None:
    times: dict[str, list[list[float]]] = {place: [] for place in ("whole", *_ALONE)}
    for _ in range(_PROCESSES):
        for place, several in times.items():
            several.append(_in_a_process(folder, place))
    medians = {place: [statistics.median(one) for one in each] for place, each in times.items()}
    alone = [median for place in _ALONE for median in medians[place]]
    singles = {place: [one for each in several for one in each] for place, several in times.items()}
    told = [_told_apart(singles[place], singles[_ALONE[1]]) for place in ("whole", _ALONE[0])]
    print(
        f"  {chunks:>7,} chunks: in the large bundle {_spread(medians['whole'])}, alone "
        f"{_spread(alone)}; told apart {told[0]:.0f} (alone: {told[1]:.0f})",
        flush=True,
    )


def _in_a_process(folder: Path, place: str) -> list[float]:
    command = [sys.executable, "-m", __spec__.name, "--measure", str(folder), place]
    done = subprocess.run(command, capture_output=True, check=True, text=True)  # noqa: S603
    times: list[float] = json.loads(done.stdout)
    return times


def _measure(folder: Path, place: str) -> None:
    asked = json.loads((folder / "asked.json").read_text("utf-8"))
    vectors = np.load(folder / "vectors.npy")
    index = Tipstaff().open(folder / place)
    times = []
    for _ in range(_PASSES):
        for text, vector in zip(asked["texts"], vectors, strict=True):
            before = time.thread_time()
            index.filtered(text, vector, asked["scope"])
            times.append((time.thread_time() - before) * 1000)
    print(json.dumps(times[_QUERIES:]))  # the first pass fills caches, here as there


def _told_apart(some: Sequence[float], others: Sequence[float]) -> float:
    """The best that a threshold on one time can do, in a hundred guesses."""
    ordered = np.sort(np.concatenate([some, others]))
    below = [np.searchsorted(np.sort(each), ordered) / len(each) for each in (some, others)]
    return 50 + 50 * float(np.abs(below[0] - below[1]).max())


def _spread(medians: Sequence[float]) -> str:
    return f"{statistics.median(medians):.2f} ({min(medians):.2f}–{max(medians):.2f})"


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


if __name__ == "__main__":
    if sys.argv[1:2] == ["--measure"]:
        _measure(Path(sys.argv[2]), sys.argv[3])
    else:
        main()
