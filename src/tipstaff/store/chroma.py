"""Chroma in this process, on disk: one database a tenant, one collection an index version.

Its search is approximate (a filtered graph), so a passage can be missed that an exact search
of the same scope finds: `scope_exact` is false.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from tipstaff.errors import MissingExtra
from tipstaff.settings import Settings, data_directory
from tipstaff.store.index_folder import folder_name
from tipstaff.store.ties import Answer
from tipstaff.store.vectors_beside import Collection, Ranges, VectorsBeside

_ROWS_AT_ONCE = 1000


class ChromaStore(VectorsBeside):
    name = "chroma"
    scope_exact = False
    exercised = True

    def __init__(self, folder: Path | None = None) -> None:
        place = folder or data_directory() / "tenants"
        super().__init__(ChromaService(place), place)

    @classmethod
    def from_settings(cls, _settings: Settings) -> ChromaStore:
        return _shared(data_directory() / "tenants")


class ChromaService:
    def __init__(self, folder: Path) -> None:
        self._chroma = _library()
        self._folder = folder
        self._clients: dict[str, Any] = {}

    def put(self, collection: Collection, vectors: npt.NDArray[np.float32]) -> None:
        made = self._client(collection.tenant).get_or_create_collection(
            collection.name, configuration={"hnsw": {"space": "ip"}}, embedding_function=None
        )
        for start in range(0, len(vectors), _ROWS_AT_ONCE):
            numbers = range(start, min(start + _ROWS_AT_ONCE, len(vectors)))
            made.upsert(
                ids=[str(number) for number in numbers],
                embeddings=vectors[start : numbers.stop],
                metadatas=[{"number": number} for number in numbers],
            )

    def count(self, collection: Collection) -> int:
        found = self._find(collection)
        return 0 if found is None else int(found.count())

    def nearest(
        self, collection: Collection, query: npt.NDArray[np.float32], ranges: Ranges, count: int
    ) -> Answer:
        found = self._find(collection).query(
            query_embeddings=query[None, :], n_results=count, where=_within(ranges), include=[]
        )
        numbers = [int(name) for name in found["ids"][0]]
        if not numbers:
            return np.empty(0, np.int32), np.empty(0, np.float64)
        # The products are ours: only which passages it finds is left to the graph.
        dots = self.rows(collection, numbers).astype(np.float64) @ query.astype(np.float64)
        return np.array(numbers, np.int32), dots

    def rows(self, collection: Collection, numbers: Sequence[int]) -> npt.NDArray[np.float32]:
        found = self._find(collection).get(
            ids=[str(number) for number in numbers], include=["embeddings"]
        )
        vectors = dict(zip(found["ids"], found["embeddings"], strict=True))
        return np.array([vectors[str(number)] for number in numbers], np.float32)

    def drop(self, collection: Collection) -> None:
        if self._find(collection) is not None:
            self._client(collection.tenant).delete_collection(collection.name)

    def close(self) -> None:
        for client in self._clients.values():
            client.close()
        self._clients.clear()

    def _find(self, collection: Collection) -> Any:
        try:
            return self._client(collection.tenant).get_collection(
                collection.name, embedding_function=None
            )
        except self._chroma.errors.NotFoundError:
            return None

    def _client(self, tenant: str) -> Any:
        """Enterprise §6.2.1: a database of its own for every tenant."""
        if tenant not in self._clients:
            path = self._folder / folder_name(tenant) / "chroma"
            path.mkdir(parents=True, exist_ok=True, mode=0o700)
            # Nothing is sent anywhere unless somebody asks for it.
            quiet = self._chroma.config.Settings(anonymized_telemetry=False)
            self._clients[tenant] = self._chroma.PersistentClient(path=str(path), settings=quiet)
        return self._clients[tenant]


def _within(ranges: Ranges) -> dict[str, Any]:
    parts: list[dict[str, Any]] = [
        {"$and": [{"number": {"$gte": low}}, {"number": {"$lt": high}}]} for low, high in ranges
    ]
    return parts[0] if len(parts) == 1 else {"$or": parts}


@cache
def _shared(folder: Path) -> ChromaStore:
    return ChromaStore(folder)


def _library() -> Any:
    try:
        import chromadb
        import chromadb.config
        import chromadb.errors
    except ImportError:
        raise MissingExtra("The store 'chroma'", extra="chroma") from None
    return chromadb


STORE = ChromaStore
