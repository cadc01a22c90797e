"""A vector database for similarity, our own index file for everything else.

The file is written first and the vectors after it; an index counts as there only when the
database holds as many vectors as the file has chunks. So a killed writer leaves nothing that
the next one, or a removal, does not find.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np
import numpy.typing as npt

from tipstaff.domain.scope import Scope
from tipstaff.store.file_index import FileIndex, facts_of, sections_of
from tipstaff.store.index_file import MappedFile
from tipstaff.store.index_folder import IndexFolder
from tipstaff.store.store import IndexContents, IndexKey, Nearest
from tipstaff.store.ties import Answer, nearest_in_order

Ranges = Sequence[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Collection:
    """The vectors of one index version. `name` is safe wherever letters and digits are."""

    tenant: str
    name: str


class VectorService(Protocol):
    """What a vector database must do; vectors are named by the numbers of their chunks."""

    def put(self, collection: Collection, vectors: npt.NDArray[np.float32]) -> None:
        """Add every row; rows that are there already stay as they are."""
        ...

    def count(self, collection: Collection) -> int:
        """How many vectors there are; 0 if there is no such collection."""
        ...

    def nearest(
        self, collection: Collection, query: npt.NDArray[np.float32], ranges: Ranges, count: int
    ) -> Answer:
        """The most similar ones within half-open ranges, and their products with the query."""
        ...

    def rows(self, collection: Collection, numbers: Sequence[int]) -> npt.NDArray[np.float32]:
        """The vectors of these numbers, in this order."""
        ...

    def drop(self, collection: Collection) -> None:
        """Remove it, if it is there."""
        ...

    def close(self) -> None: ...


class VectorsBeside:
    """A store made of a service and of index files; adapters add their name and claims."""

    name: str

    def __init__(self, service: VectorService, folder: Path) -> None:
        self._service = service
        self._files = IndexFolder(folder, ending=f".{self.name}")

    def write(self, key: IndexKey, contents: IndexContents) -> None:
        dropped = self._files.write(key, facts_of(contents), sections_of(contents))
        self._drop(key, dropped)
        collection = collection_of(key)
        if len(contents.chunks) and self._service.count(collection) != len(contents.chunks):
            self._service.put(collection, contents.vectors.astype(np.float32))

    def open(self, key: IndexKey) -> IndexBeside | None:
        file = self._files.open(key)
        if file is None:
            return None
        index = IndexBeside(file, self._service, collection_of(key))
        return index if index.is_whole() else None

    def remove(self, *, tenant: str, tez_id: str, keep: str | None = None) -> int:
        dropped = self._files.remove(tenant=tenant, tez_id=tez_id, keep=keep)
        self._drop(IndexKey(tenant=tenant, tez_id=tez_id, digest=""), dropped)
        return len(dropped)

    def close(self) -> None:
        self._service.close()

    def _drop(self, key: IndexKey, digests: Sequence[str]) -> None:
        for digest in digests:
            gone = IndexKey(tenant=key.tenant, tez_id=key.tez_id, digest=digest)
            self._service.drop(collection_of(gone))


class IndexBeside(FileIndex):
    def __init__(self, file: MappedFile, service: VectorService, collection: Collection) -> None:
        super().__init__(file)
        self._service = service
        self._collection = collection

    def is_whole(self) -> bool:
        return self.chunk_count == 0 or self._service.count(self._collection) == self.chunk_count

    def nearest(self, query: npt.NDArray[np.int16], scope: Scope, limit: int) -> Nearest:
        wanted, ranges = query.astype(np.float32), scope.ranges()

        def ask(count: int) -> Answer:
            return self._service.nearest(self._collection, wanted, ranges, count)

        return nearest_in_order(ask, limit=limit, chunk_count=scope.chunk_count)

    def vectors(self, numbers: Sequence[int]) -> npt.NDArray[np.int16]:
        if not len(numbers):
            return np.empty((0, self.dimensions), np.int16)
        plain = [int(number) for number in numbers]
        return self._service.rows(self._collection, plain).astype(np.int16)


def collection_of(key: IndexKey) -> Collection:
    """Different keys have different collections, in any database that tenants might share."""
    joined = "\0".join((key.tenant, key.tez_id, key.digest)).encode()
    return Collection(key.tenant, f"Tez{hashlib.sha256(joined).hexdigest()[:40]}")
