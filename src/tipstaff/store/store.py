"""What every store is: it keeps the index of a bundle version, and gives facts about a scope.

A store never computes a keyword score and never merges results: one piece of code does that
for all of them, so that all of them agree (docs/decisions/0008).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, Self, runtime_checkable

import numpy as np
import numpy.typing as npt

from tipstaff.domain.document import Chunk
from tipstaff.domain.scope import IndexedItem, IndexedItems, Scope
from tipstaff.lexical.bm25 import Postings
from tipstaff.settings import Settings


class DamagedIndex(Exception):
    """What is kept is not what was written; it is built again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexKey:
    """Which index: a tenant's, of a tez, of exactly this content and pipeline."""

    tenant: str
    tez_id: str
    digest: str


@dataclass(frozen=True, slots=True)
class Nearest:
    """Chunks by similarity, best first, and their products with the query (whole numbers)."""

    chunks: npt.NDArray[np.int32]
    dots: npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexContents:
    """Everything that an index holds. Chunks are in the order of the items; `counts[i]` are the
    terms of chunk i with how often each occurs; `vectors` are whole numbers, one row a chunk."""

    items: tuple[IndexedItem, ...]
    chunks: tuple[Chunk, ...]
    counts: tuple[dict[str, int], ...]
    vectors: npt.NDArray[np.int16]
    embedder: str


@runtime_checkable
class OpenIndex(Protocol):
    """An index that can be asked. Chunks are named by their numbers; a scope's own methods say
    which numbers it holds, and nothing outside it may be looked at. What turns out to be damaged
    is never used: the question ends with DamagedIndex, and the index is no longer there."""

    embedder: str
    dimensions: int

    @property
    def items(self) -> IndexedItems: ...

    def postings(self, terms: Sequence[str], scope: Scope) -> list[Postings]:
        """For each term where it occurs within the scope, in the order asked."""
        ...

    def nearest(self, query: npt.NDArray[np.int16], scope: Scope, limit: int) -> Nearest:
        """The chunks of the scope that are most similar to a query; equal ones in order."""
        ...

    def chunks(self, numbers: Sequence[int]) -> list[Chunk]: ...

    def vectors(self, numbers: Sequence[int]) -> npt.NDArray[np.int16]: ...

    def check(self) -> None:
        """Look for damage everywhere now, rather than where and when something is asked for."""
        ...

    def close(self) -> None: ...


@runtime_checkable
class Store(Protocol):
    """`scope_exact`: a search in a scope equals, bit for bit, one of an index of that scope
    alone. `exercised`: whether the adapter was ever run against the live service."""

    name: str
    scope_exact: bool
    exercised: bool

    @classmethod
    def from_settings(cls, settings: Settings, /) -> Self: ...

    def write(self, key: IndexKey, contents: IndexContents) -> None:
        """Whole or not at all; writing what is there already changes nothing."""
        ...

    def open(self, key: IndexKey) -> OpenIndex | None:
        """None if it is not there, or seen to be damaged: then it is to be built."""
        ...

    def remove(self, *, tenant: str, tez_id: str, keep: str | None = None) -> int:
        """Drop every index of a tez but the one named; how many were dropped."""
        ...

    def close(self) -> None: ...
