"""Chroma's persistent client. Locally it ranks by vectors only; its filter on words is yes or no,
so its queries here are vector queries."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import chromadb
from chromadb.config import Settings

from benchmarks.retrieval.corpus import Collection, Vectors
from benchmarks.retrieval.way import TOP_K


class Chroma:
    def build(self, collection: Collection, folder: Path) -> None:
        client = _client(folder)
        made = client.create_collection(
            "chunks", embedding_function=None, configuration={"hnsw": {"space": "cosine"}}
        )
        most = client.get_max_batch_size()
        for start in range(0, len(collection.texts), most):
            part = slice(start, start + most)
            made.add(
                ids=collection.ids[part],
                embeddings=collection.vectors[part],
                documents=collection.texts[part],
                metadatas=[{"item": item} for item in collection.items[part]],
            )

    def open(self, folder: Path) -> Open:
        return Open(_client(folder).get_collection("chunks", embedding_function=None))


class Open:
    def __init__(self, collection: Any) -> None:
        self._collection = collection

    def query(self, text: str, vector: Vectors) -> list[str]:  # noqa: ARG002 (no hybrid here)
        return self._search(vector, None)

    def filtered(self, text: str, vector: Vectors, items: Sequence[str]) -> list[str]:  # noqa: ARG002
        return self.filtered_vectors(vector, items)

    def filtered_vectors(self, vector: Vectors, items: Sequence[str]) -> list[str]:
        return self._search(vector, {"item": {"$in": list(items)}})

    def _search(self, vector: Vectors, where: dict[str, Any] | None) -> list[str]:
        found = self._collection.query(
            query_embeddings=[vector],
            n_results=TOP_K,
            where=where,
            include=["documents", "distances"],
        )
        ids: list[str] = found["ids"][0]
        return ids


def _client(folder: Path) -> Any:
    settings = Settings(anonymized_telemetry=False)
    return chromadb.PersistentClient(path=str(folder), settings=settings)
