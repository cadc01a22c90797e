"""Qdrant in this process, on disk: one database a tenant, one collection an index version.

Its local mode compares every vector of the scope, so it is exact. The library lets one process
at a time into a database.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from tipstaff.errors import MissingExtra, RetrievalFailed
from tipstaff.settings import Settings, data_directory
from tipstaff.store.index_folder import folder_name
from tipstaff.store.ties import Answer
from tipstaff.store.vectors_beside import Collection, Ranges, VectorsBeside

_ROWS_AT_ONCE = 1000


class QdrantStore(VectorsBeside):
    name = "qdrant"
    scope_exact = True
    exercised = True

    def __init__(self, folder: Path | None = None) -> None:
        place = folder or data_directory() / "tenants"
        super().__init__(QdrantService(place), place)

    @classmethod
    def from_settings(cls, _settings: Settings) -> QdrantStore:
        return _shared(data_directory() / "tenants")


class QdrantService:
    def __init__(self, folder: Path) -> None:
        self._library, self._models = _library()
        self._folder = folder
        self._clients: dict[str, Any] = {}
        # The local mode is not made for several threads.
        self._lock = threading.RLock()

    def put(self, collection: Collection, vectors: npt.NDArray[np.float32]) -> None:
        models = self._models
        with self._lock:
            client = self._client(collection.tenant)
            if not client.collection_exists(collection.name):
                size = models.VectorParams(size=vectors.shape[1], distance=models.Distance.DOT)
                client.create_collection(collection.name, vectors_config=size)
            for points in self._points(vectors):
                client.upsert(collection.name, points=points)

    def count(self, collection: Collection) -> int:
        with self._lock:
            client = self._client(collection.tenant)
            if not client.collection_exists(collection.name):
                return 0
            return int(client.count(collection.name, exact=True).count)

    def nearest(
        self, collection: Collection, query: npt.NDArray[np.float32], ranges: Ranges, count: int
    ) -> Answer:
        models = self._models
        within = [
            models.FieldCondition(key="number", range=models.Range(gte=low, lt=high))
            for low, high in ranges
        ]
        with self._lock:
            found = (
                self._client(collection.tenant)
                .query_points(
                    collection.name,
                    query=query,
                    query_filter=models.Filter(should=within),
                    with_payload=False,
                    limit=count,
                )
                .points
            )
        numbers = np.array([point.id for point in found], np.int32)
        return numbers, np.array([point.score for point in found], np.float64)

    def rows(self, collection: Collection, numbers: Sequence[int]) -> npt.NDArray[np.float32]:
        with self._lock:
            found = self._client(collection.tenant).retrieve(
                collection.name, ids=list(numbers), with_vectors=True, with_payload=False
            )
        vectors = {point.id: point.vector for point in found}
        return np.array([vectors[number] for number in numbers], np.float32)

    def drop(self, collection: Collection) -> None:
        with self._lock:
            self._client(collection.tenant).delete_collection(collection.name)

    def close(self) -> None:
        with self._lock:
            for client in self._clients.values():
                client.close()
            self._clients.clear()

    def _points(self, vectors: npt.NDArray[np.float32]) -> Iterator[list[Any]]:
        for start in range(0, len(vectors), _ROWS_AT_ONCE):
            yield [
                self._models.PointStruct(id=number, vector=row, payload={"number": number})
                for number, row in enumerate(vectors[start : start + _ROWS_AT_ONCE].tolist(), start)
            ]

    def _client(self, tenant: str) -> Any:
        """Enterprise §6.2.1: a database of its own for every tenant."""
        if tenant not in self._clients:
            path = self._folder / folder_name(tenant) / "qdrant"
            path.mkdir(parents=True, exist_ok=True, mode=0o700)
            try:
                self._clients[tenant] = self._library.QdrantClient(path=str(path))
            except RuntimeError:
                raise RetrievalFailed(
                    "Another process is using the Qdrant database of this tenant.",
                    suggestion="Wait for it to end, or choose a store that processes can share.",
                ) from None
        return self._clients[tenant]


@cache
def _shared(folder: Path) -> QdrantStore:
    """One a process: the library locks its folder."""
    return QdrantStore(folder)


def _library() -> tuple[Any, Any]:
    try:
        import qdrant_client
        from qdrant_client import models
    except ImportError:
        raise MissingExtra("The store 'qdrant'", extra="qdrant") from None
    return qdrant_client, models


STORE = QdrantStore
