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
from tipstaff.store.lexicon import GATHERED, numbers_of
from tipstaff.store.store import IndexContents, IndexKey, Nearest


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
        wanted = query.astype(np.float32)
        ranges = scope.ranges()
        if not ranges:
            return Nearest(np.empty(0, np.int32), np.empty(0, np.float64))
        edges = np.array(ranges)
        numbers = numbers_of(edges[:, 0], edges[:, 1]).astype(np.int32)
        # Row by row: a product of matrix and vector wakes a thread per core, which on a busy
        # machine costs more than the whole search. Whole numbers are the same either way.
        if len(numbers) <= GATHERED:
            dots = np.vecdot(self._vectors[numbers], wanted)
        else:
            dots = np.concatenate([np.vecdot(self._vectors[a:b], wanted) for a, b in ranges])
        chosen = best(numbers, dots, limit)
        return Nearest(numbers[chosen], dots[chosen].astype(np.float64))

    def vectors(self, numbers: Sequence[int]) -> npt.NDArray[np.int16]:
        return self._vectors[list(numbers)].astype(np.int16)


STORE = EmbeddedStore
