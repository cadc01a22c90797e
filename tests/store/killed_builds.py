"""Builds of an index that are killed at random moments, in a process of its own.

    python -m tests.store.killed_builds FOLDER KILLS SEED

Prints one JSON object: what happened, and every fault. Builders are forked from this process,
which has everything imported, so that nearly all of their time goes into building.
"""

from __future__ import annotations

import json
import os
import random
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

import numpy as np

from tipstaff.contracts.index_samples import chance_of
from tipstaff.contracts.stores import Row, ranked_rows
from tipstaff.domain.retrieval import RetrievalOptions
from tipstaff.domain.scope import Scope
from tipstaff.embed.cache import VectorCache
from tipstaff.embed.embedder import Vector, unit
from tipstaff.embed.embedding import embed_passages
from tipstaff.embed.whole_numbers import whole_numbers
from tipstaff.index.building import SourceItem, build
from tipstaff.parse.plain_text import parse_text
from tipstaff.store.embedded import EmbeddedStore
from tipstaff.store.store import IndexContents, IndexKey, OpenIndex
from tipstaff.tokens import count_tokens

KEY = IndexKey(tenant="local", tez_id="killed", digest="digest")
QUERY = "which clause of the lease speaks of the pump"
_WORDS = ("clause", "court", "heat", "lease", "ledger", "notice", "pump", "rent", "river", "valve")


class WordEmbedder:
    """A text is the sum of its words, each a direction of its own: quick, and always the same."""

    name = "words"
    dimensions = 256
    fingerprint = "words"

    def passages(self, texts: Sequence[str]) -> Iterator[Vector]:
        return map(self.query, texts)

    def query(self, text: str) -> Vector:
        sums = np.zeros(self.dimensions, np.float32)
        for word in text.split():
            sums[sum(word.encode()) % self.dimensions] += 1
        return unit(sums)


class Scene:
    """A folder with an index and a cache of vectors, and what the index must hold."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.store = EmbeddedStore(folder)
        self.sources = [_source(number) for number in range(8)]
        self.contents = self.built()
        self.store.write(KEY, self.contents)
        index = self.store.open(KEY)
        assert index is not None
        self.expected = _ranking(index)

    def built(self) -> IndexContents:
        embedder = WordEmbedder()
        with VectorCache(
            self.folder / "vectors.sqlite",
            fingerprint=embedder.fingerprint,
            dimensions=embedder.dimensions,
            max_bytes=1 << 24,
        ) as cache:
            return build(
                self.sources,
                chunk_tokens=128,
                overlap_percent=15,
                count_tokens=count_tokens,
                embed=partial(embed_passages, embedder=embedder, cache=cache),
                embedder=embedder.name,
            )

    def build_and_write(self) -> None:
        self.store.write(KEY, self.built())

    def write_for_ever(self) -> None:
        while True:
            self.store.write(KEY, self.contents)

    def forget(self, chance: random.Random) -> None:
        """Sometimes there is no index yet, and sometimes no vector is known either."""
        if chance.random() < 0.5:
            self.store.remove(tenant=KEY.tenant, tez_id=KEY.tez_id)
        if chance.random() < 0.3:
            for path in self.folder.glob("vectors.sqlite*"):
                path.unlink()

    def faults(self) -> Iterator[str]:
        index = self.store.open(KEY)
        if index is None:
            self.build_and_write()
            index = self.store.open(KEY)
            if index is None:
                yield "it cannot be built again"
                return
            yield from self.leftovers()
        if _ranking(index) != self.expected:
            yield "a search finds something else"
        if index.chunks(range(len(self.contents.chunks))) != list(self.contents.chunks):
            yield "the chunks are others"

    def leftovers(self) -> Iterator[str]:
        """After a whole build nothing is there but the index and the cache."""
        known = {"digest.index", "vectors.sqlite", "vectors.sqlite-wal", "vectors.sqlite-shm"}
        names = {path.name for path in self.folder.rglob("*") if path.is_file()}
        if names - known:
            yield f"left behind: {sorted(names - known)}"

    def half_written(self) -> int:
        return sum(1 for _ in self.folder.rglob(".building-*"))


def main(folder: Path, kills: int, seed: int) -> dict[str, object]:
    scene, chance = Scene(folder), chance_of(seed)
    start = time.monotonic()
    scene.build_and_write()
    build_s = time.monotonic() - start
    done: Counter[str] = Counter()
    faults: list[str] = []
    while done["killed"] < kills:
        scene.forget(chance)
        before = scene.half_written()
        writing = chance.random() < 0.5
        work = scene.write_for_ever if writing else scene.build_and_write
        builders = [_forked(work) for _ in range(chance.choice((1, 1, 2, 3)))]
        time.sleep(chance.random() * (0.3 if writing else 1.2) * build_s)
        # Of several builders of the same index some may live on; those that write for ever not.
        for place, process in enumerate(builders):
            if writing or place == 0 or chance.random() < 0.5:
                os.kill(process, signal.SIGKILL)
        ends = [os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]) for process in builders]
        done["killed"] += ends.count(-signal.SIGKILL)
        done["finished"] += ends.count(0)
        done["with several builders"] += len(builders) > 1
        done["half written files"] += max(0, scene.half_written() - before)
        faults += [f"a builder failed: {end}" for end in ends if end not in (0, -signal.SIGKILL)]
        faults += scene.faults()
    scene.build_and_write()
    faults += scene.leftovers()
    return {"build_ms": round(build_s * 1000), **done, "faults": faults}


def _forked(work: Callable[[], None]) -> int:
    process = os.fork()
    if process:
        return process
    try:
        work()
        os._exit(0)
    except BaseException as problem:
        print(repr(problem), file=sys.stderr, flush=True)
        os._exit(1)


def _ranking(index: OpenIndex) -> list[Row]:
    vector = whole_numbers(WordEmbedder().query(QUERY))
    return ranked_rows(
        index, Scope(index.items), query=QUERY, vector=vector, options=RetrievalOptions()
    )


def _source(number: int) -> SourceItem:
    chance = chance_of(number)
    paragraphs = [
        " ".join(chance.choice(_WORDS) for _ in range(60)).capitalize() + "." for _ in range(12)
    ]
    return SourceItem(
        id=f"item-{number}",
        type="document",
        title=f"Item {number}",
        document=parse_text("\n\n".join(paragraphs)),
    )


if __name__ == "__main__":
    print(json.dumps(main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))))
