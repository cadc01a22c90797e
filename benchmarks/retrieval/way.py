"""What each compared store can do, in one shape; only a chosen one is imported."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from benchmarks.retrieval.corpus import Collection, Vectors

TOP_K = 10


class Searching(Protocol):
    """An opened index. Each search gives the ids of the best chunks, with their texts read."""

    def query(self, text: str, vector: Vectors) -> list[str]:
        """Its best kind of search: hybrid where it has one."""
        ...

    def filtered(self, text: str, vector: Vectors, items: Sequence[str]) -> list[str]:
        """The same, among these items only."""
        ...

    def filtered_vectors(self, vector: Vectors, items: Sequence[str]) -> list[str]:
        """By vectors alone among these items: what recall is measured on."""
        ...


class Way(Protocol):
    """A store: `build` makes an index in an empty folder, `open` opens it in a new process."""

    def build(self, collection: Collection, folder: Path) -> None: ...

    def open(self, folder: Path) -> Searching: ...


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of the table; `searches` says plainly what its queries are."""

    name: str
    place: str
    searches: str


ENTRIES = (
    Entry("tipstaff", "benchmarks.retrieval.ours:Tipstaff", "hybrid"),
    Entry("LanceDB, IVF_PQ", "benchmarks.retrieval.lance:Indexed", "hybrid"),
    Entry("LanceDB, flat", "benchmarks.retrieval.lance:Flat", "hybrid"),
    Entry("Chroma", "benchmarks.retrieval.chroma:Chroma", "vector"),
    Entry("LlamaIndex simple", "benchmarks.retrieval.llama:Simple", "vector"),
)


def way_named(name: str) -> Way:
    entry = next(entry for entry in ENTRIES if entry.name == name)
    module, _, attribute = entry.place.partition(":")
    made: Way = getattr(importlib.import_module(module), attribute)()
    return made
