"""Pinecone as the searcher of vectors: one namespace an index version, in one index of yours.

Not exercised against the live service: requests follow its published interface, and only their
form is tested. The index must exist, with the metric `dotproduct` and the embedder's dimensions;
`database_url` is its host, and the key is read from PINECONE_API_KEY.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from tipstaff.errors import MissingExtra, RetrievalFailed, UsageError
from tipstaff.settings import DEFAULTS, Settings, data_directory
from tipstaff.store.ties import Answer
from tipstaff.store.vectors_beside import Collection, Ranges, VectorsBeside

# The service's own limits on one request.
_MOST_FOUND = 10_000
_ROWS_AT_ONCE = 100
# Vectors are seen some seconds after they were sent.
_VISIBLE_TIMEOUT_S = 60


class PineconeStore(VectorsBeside):
    name = "pinecone"
    scope_exact = False
    exercised = False

    @classmethod
    def from_settings(cls, settings: Settings) -> PineconeStore:
        if settings.database_url == DEFAULTS.database_url:
            raise UsageError(
                "The store 'pinecone' needs the host of an index.",
                suggestion="Give it with --set database_url=https://….pinecone.io.",
            )
        index = _library().Pinecone().Index(host=settings.database_url)
        return cls(PineconeService(index), data_directory() / "tenants")


class PineconeService:
    """`index` is the client's object for one index."""

    def __init__(self, index: Any, *, wait: Callable[[float], None] = time.sleep) -> None:
        self._index = index
        self._wait = wait

    def put(self, collection: Collection, vectors: npt.NDArray[np.float32]) -> None:
        for start in range(0, len(vectors), _ROWS_AT_ONCE):
            rows = vectors[start : start + _ROWS_AT_ONCE].tolist()
            self._index.upsert(
                namespace=collection.name,
                vectors=[
                    {"id": str(number), "values": row, "metadata": {"number": number}}
                    for number, row in enumerate(rows, start)
                ],
            )
        for _ in range(_VISIBLE_TIMEOUT_S):
            if self.count(collection) == len(vectors):
                return
            self._wait(1)
        raise RetrievalFailed("Pinecone does not show the vectors that were sent to it.")

    def count(self, collection: Collection) -> int:
        namespaces = self._index.describe_index_stats().namespaces
        found = namespaces.get(collection.name)
        return 0 if found is None else int(found.vector_count)

    def nearest(
        self, collection: Collection, query: npt.NDArray[np.float32], ranges: Ranges, count: int
    ) -> Answer:
        within = [{"number": {"$gte": low, "$lt": high}} for low, high in ranges]
        found = self._index.query(
            namespace=collection.name,
            vector=query.tolist(),
            top_k=min(count, _MOST_FOUND),
            filter=within[0] if len(within) == 1 else {"$or": within},
        ).matches
        numbers = np.array([int(match.id) for match in found], np.int32)
        return numbers, np.array([match.score for match in found], np.float64)

    def rows(self, collection: Collection, numbers: Sequence[int]) -> npt.NDArray[np.float32]:
        found: dict[str, Any] = {}
        for start in range(0, len(numbers), _ROWS_AT_ONCE):
            names = [str(number) for number in numbers[start : start + _ROWS_AT_ONCE]]
            found |= self._index.fetch(ids=names, namespace=collection.name).vectors
        return np.array([found[str(number)].values for number in numbers], np.float32)

    def drop(self, collection: Collection) -> None:
        if self.count(collection):
            self._index.delete(delete_all=True, namespace=collection.name)

    def close(self) -> None:
        self._index.close()


def _library() -> Any:
    try:
        import pinecone
    except ImportError:
        raise MissingExtra("The store 'pinecone'", extra="pinecone") from None
    return pinecone


STORE = PineconeStore
