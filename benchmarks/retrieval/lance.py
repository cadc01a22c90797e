"""LanceDB as its documentation says: a full-text index, and a vector index or a flat scan.

Its documentation holds a flat scan to be enough below some 100,000 rows, so both are measured.
Filters come before the search, its default.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import lancedb
import pyarrow as pa

from benchmarks.retrieval.corpus import DIMENSIONS, Collection, Vectors
from benchmarks.retrieval.way import TOP_K

# Its advice for recall: compare this many times as many vectors again without compression.
_REFINE = 10


class Flat:
    vector_index = False

    def build(self, collection: Collection, folder: Path) -> None:
        vectors = pa.FixedSizeListArray.from_arrays(
            pa.array(collection.vectors.reshape(-1)), DIMENSIONS
        )
        rows = pa.table(
            {
                "id": collection.ids,
                "item": collection.items,
                "text": collection.texts,
                "vector": vectors,
            }
        )
        table = lancedb.connect(folder).create_table("chunks", rows)
        table.create_fts_index("text")
        table.create_scalar_index("item", index_type="BITMAP")
        if self.vector_index:
            table.create_index(metric="cosine", vector_column_name="vector")
        table.optimize()

    def open(self, folder: Path) -> Open:
        table = lancedb.connect(folder).open_table("chunks")
        return Open(table, refine=_REFINE if self.vector_index else None)


class Indexed(Flat):
    vector_index = True


class Open:
    def __init__(self, table: Any, *, refine: int | None) -> None:
        self._table = table
        self._refine = refine

    def query(self, text: str, vector: Vectors) -> list[str]:
        return _ids(self._hybrid(text, vector))

    def filtered(self, text: str, vector: Vectors, items: Sequence[str]) -> list[str]:
        return _ids(self._hybrid(text, vector).where(_condition(items)))

    def filtered_vectors(self, vector: Vectors, items: Sequence[str]) -> list[str]:
        return _ids(self._tuned(self._table.search(vector)).where(_condition(items)))

    def _hybrid(self, text: str, vector: Vectors) -> Any:
        search = self._table.search(query_type="hybrid").vector(vector).text(text)
        return self._tuned(search)

    def _tuned(self, search: Any) -> Any:
        search = search.distance_type("cosine")
        return search.refine_factor(self._refine) if self._refine else search


def _condition(items: Sequence[str]) -> str:
    return f"item IN ({', '.join(repr(item) for item in items)})"


def _ids(search: Any) -> list[str]:
    rows = search.limit(TOP_K).select(["id", "text"]).to_list()
    return [row["id"] for row in rows]
