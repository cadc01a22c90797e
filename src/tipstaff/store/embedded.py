"""The default store: one file a bundle version, searched exactly, in this process."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from tipstaff.domain.scope import Scope
from tipstaff.lexical.bm25 import best
from tipstaff.settings import Settings, data_directory
from tipstaff.store.file_index import FileIndex, facts_of, sections_of
from tipstaff.store.index_folder import IndexFolder
from tipstaff.store.lexicon import numbers_of
from tipstaff.store.store import IndexContents, IndexKey, Nearest

# Rows that are copied at once: they stay in the processor's cache.
_GATHERED = 256
# From so many chunks on, an item is compared where it lies sooner than it is copied.
_LARGE_ITEM = 32


class EmbeddedStore:
    name = "embedded"
    scope_exact = True
    exercised = True

    def __init__(self, folder: Path | None = None) -> None:
        self._files = IndexFolder(folder or data_directory() / "tenants", ending=".index")

    @classmethod
    def from_settings(cls, _settings: Settings) -> Self:
        return cls()

    def write(self, key: IndexKey, contents: IndexContents) -> None:
        # Whole numbers in floats: what BLAS multiplies without a copy.
        vectors = contents.vectors.astype(np.float32)
        self._files.write(key, facts_of(contents), sections_of(contents) | {"vectors": vectors})

    def open(self, key: IndexKey) -> EmbeddedIndex | None:
        file = self._files.open(key)
        return EmbeddedIndex(file) if file else None

    def remove(self, *, tenant: str, tez_id: str, keep: str | None = None) -> int:
        return len(self._files.remove(tenant=tenant, tez_id=tez_id, keep=keep))

    def close(self) -> None:
        """Nothing is held."""


class EmbeddedIndex(FileIndex):
    @cached_property
    def _vectors(self) -> npt.NDArray[Any]:
        return self._file["vectors"]

    def nearest(self, query: npt.NDArray[np.int16], scope: Scope, limit: int) -> Nearest:
        if not scope.chunk_count:
            return Nearest(np.empty(0, np.int32), np.empty(0, np.float64))
        edges = np.frombuffer(scope.edges, np.int32)
        numbers = numbers_of(edges[::2], edges[1::2]).astype(np.int32)
        dots = self._products(query.astype(np.float32), edges, numbers)
        chosen = best(numbers, dots, limit)
        return Nearest(numbers[chosen], dots[chosen].astype(np.float64))

    def _products(
        self,
        wanted: npt.NDArray[np.float32],
        edges: npt.NDArray[np.int32],
        numbers: npt.NDArray[np.int32],
    ) -> npt.NDArray[np.float32]:
        """Row by row: a product of matrix and vector wakes a thread per core, which on a busy
        machine costs more than the whole search. Whole numbers are the same either way.

        Small items are gathered even where they lie together, and large ones are taken one by
        one, so that the work is the same whatever lies between them (Enterprise §10.1)."""
        products = np.empty(len(numbers), np.float32)
        sizes = edges[1::2] - edges[::2]
        places = np.cumsum(sizes) - sizes
        is_large = sizes >= _LARGE_ITEM
        for first, size, place in zip(
            edges[::2][is_large].tolist(),
            sizes[is_large].tolist(),
            places[is_large].tolist(),
            strict=True,
        ):
            rows = self._vectors[first : first + size]
            np.vecdot(rows, wanted, out=products[place : place + size])
        small = np.flatnonzero(np.repeat(~is_large, sizes))
        gathered = np.empty((min(_GATHERED, len(small)), self.dimensions), np.float32)
        for start in range(0, len(small), _GATHERED):
            some = small[start : start + _GATHERED]
            rows = gathered[: len(some)]
            # Without "clip" it would be copied twice.
            self._vectors.take(numbers[some], axis=0, out=rows, mode="clip")
            products[some] = np.vecdot(rows, wanted)
        return products

    def vectors(self, numbers: Sequence[int]) -> npt.NDArray[np.int16]:
        return self._vectors[list(numbers)].astype(np.int16)


STORE = EmbeddedStore
