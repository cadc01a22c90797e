"""FAISS as the searcher of vectors: a flat index, so nothing is approximate.

Its bytes are a section of our index file: one file a version, checked and renamed as a whole.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from tipstaff.domain.scope import Scope
from tipstaff.errors import MissingExtra
from tipstaff.settings import Settings, data_directory
from tipstaff.store.file_index import FileIndex, facts_of, sections_of
from tipstaff.store.index_file import MappedFile
from tipstaff.store.index_folder import IndexFolder
from tipstaff.store.store import IndexContents, IndexKey, Nearest
from tipstaff.store.ties import Answer, nearest_in_order


class FaissStore:
    name = "faiss"
    scope_exact = True
    exercised = True

    def __init__(self, folder: Path | None = None) -> None:
        self._faiss = _library()
        self._files = IndexFolder(folder or data_directory() / "tenants", ending=".faiss")

    @classmethod
    def from_settings(cls, _settings: Settings) -> Self:
        return cls()

    def write(self, key: IndexKey, contents: IndexContents) -> None:
        index = self._faiss.IndexFlatIP(contents.vectors.shape[1])
        index.add(contents.vectors.astype(np.float32))
        sections = sections_of(contents) | {"faiss": self._faiss.serialize_index(index)}
        self._files.write(key, facts_of(contents), sections)

    def open(self, key: IndexKey) -> FaissIndex | None:
        file = self._files.open(key)
        return FaissIndex(file, self._faiss) if file else None

    def remove(self, *, tenant: str, tez_id: str, keep: str | None = None) -> int:
        return len(self._files.remove(tenant=tenant, tez_id=tez_id, keep=keep))

    def close(self) -> None:
        """Nothing is held."""


class FaissIndex(FileIndex):
    def __init__(self, file: MappedFile, faiss: Any) -> None:
        super().__init__(file)
        self._faiss = faiss

    @cached_property
    def _index(self) -> Any:
        return self._faiss.deserialize_index(self._file["faiss"])

    def nearest(self, query: npt.NDArray[np.int16], scope: Scope, limit: int) -> Nearest:
        wanted = query.astype(np.float32)[None, :]

        def ask(count: int) -> Answer:
            answers = [self._within(wanted, *pair, count) for pair in scope.ranges()]
            numbers = np.concatenate([answer[0] for answer in answers])
            return numbers, np.concatenate([answer[1] for answer in answers])

        return nearest_in_order(ask, limit=limit, chunk_count=scope.chunk_count)

    def _within(self, wanted: npt.NDArray[np.float32], start: int, end: int, count: int) -> Answer:
        """One range at a time: FAISS then looks at no other row."""
        chosen = self._faiss.SearchParameters(sel=self._faiss.IDSelectorRange(start, end))
        dots, numbers = self._index.search(wanted, min(count, end - start), params=chosen)
        return numbers[0].astype(np.int32), dots[0].astype(np.float64)

    def vectors(self, numbers: Sequence[int]) -> npt.NDArray[np.int16]:
        rows = self._index.reconstruct_batch(np.asarray(numbers, np.int64))
        return np.asarray(rows).astype(np.int16)


def _library() -> Any:
    try:
        import faiss
    except ImportError:
        raise MissingExtra("The store 'faiss'", extra="faiss") from None
    return faiss


STORE = FaissStore
