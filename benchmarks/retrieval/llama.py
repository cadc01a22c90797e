"""LlamaIndex's default: a `VectorStoreIndex` on the `SimpleVectorStore`, vectors given. It has
no keyword half, so its queries here are vector queries."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from llama_index.core import MockEmbedding, StorageContext, VectorStoreIndex
from llama_index.core import load_index_from_storage as load_index
from llama_index.core.schema import QueryBundle, TextNode
from llama_index.core.vector_stores import (
    FilterOperator,
    MetadataFilter,
    MetadataFilters,
)

from benchmarks.retrieval.corpus import DIMENSIONS, Collection, Vectors
from benchmarks.retrieval.way import TOP_K


class Simple:
    def build(self, collection: Collection, folder: Path) -> None:
        nodes = [
            TextNode(id_=chunk_id, text=text, metadata={"item": item}, embedding=vector.tolist())
            for chunk_id, text, item, vector in zip(
                collection.ids,
                collection.texts,
                collection.items,
                collection.vectors,
                strict=True,
            )
        ]
        index = VectorStoreIndex(nodes, embed_model=MockEmbedding(embed_dim=DIMENSIONS))
        index.storage_context.persist(str(folder))

    def open(self, folder: Path) -> Open:
        storage = StorageContext.from_defaults(persist_dir=str(folder))
        return Open(load_index(storage, embed_model=MockEmbedding(embed_dim=DIMENSIONS)))


class Open:
    def __init__(self, index: Any) -> None:
        self._index = index

    def query(self, text: str, vector: Vectors) -> list[str]:
        return self._search(text, vector, None)

    def filtered(self, text: str, vector: Vectors, items: Sequence[str]) -> list[str]:
        wanted = MetadataFilter(key="item", value=list(items), operator=FilterOperator.IN)
        return self._search(text, vector, MetadataFilters(filters=[wanted]))

    def filtered_vectors(self, vector: Vectors, items: Sequence[str]) -> list[str]:
        return self.filtered("", vector, items)

    def _search(self, text: str, vector: Vectors, filters: Any) -> list[str]:
        retriever = self._index.as_retriever(similarity_top_k=TOP_K, filters=filters)
        found = retriever.retrieve(QueryBundle(text, embedding=vector.tolist()))
        return [one.node.node_id for one in found]
