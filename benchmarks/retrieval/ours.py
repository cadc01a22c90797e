"""Tipstaff's embedded store, through the same searcher that `tip search` uses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby
from pathlib import Path

from benchmarks.retrieval.corpus import Collection, Vectors
from benchmarks.retrieval.way import TOP_K
from tipstaff.domain.document import Chunk, Span
from tipstaff.domain.location import Lines
from tipstaff.domain.retrieval import Method, RetrievalOptions
from tipstaff.domain.scope import EVERYTHING, Filter, IndexedItem
from tipstaff.embed.whole_numbers import whole_numbers
from tipstaff.lexical.analysis import terms
from tipstaff.retrieve.strategies import Searcher
from tipstaff.store.embedded import EmbeddedStore
from tipstaff.store.store import IndexContents, IndexKey, OpenIndex

_KEY = IndexKey(tenant="bench", tez_id="bench", digest="bench")
_OPTIONS = RetrievalOptions(top_k=TOP_K)


class Tipstaff:
    def build(self, collection: Collection, folder: Path) -> None:
        import numpy as np

        counts = [dict(Counter(terms(text))) for text in collection.texts]
        chunks = tuple(
            Chunk(
                chunk_id=chunk_id,
                item_id=item,
                location=Lines(number + 1, number + 1),
                text=text,
                spans=(Span(0, len(text)),),
                tokens=len(text) // 5,
            )
            for number, (chunk_id, item, text) in enumerate(
                zip(collection.ids, collection.items, collection.texts, strict=True)
            )
        )
        contents = IndexContents(
            items=tuple(_items(collection, [sum(terms.values()) for terms in counts])),
            chunks=chunks,
            counts=tuple(counts),
            vectors=np.stack([whole_numbers(vector) for vector in collection.vectors]),
            embedder="bench",
        )
        EmbeddedStore(folder).write(_KEY, contents)

    def open(self, folder: Path) -> Open:
        index = EmbeddedStore(folder).open(_KEY)
        if index is None:
            raise RuntimeError("the index is not there")
        return Open(index)


class Open:
    def __init__(self, index: OpenIndex) -> None:
        self._index = index

    def query(self, text: str, vector: Vectors) -> list[str]:
        return self._search(text, vector, EVERYTHING, _OPTIONS)

    def filtered(self, text: str, vector: Vectors, items: Sequence[str]) -> list[str]:
        return self._search(text, vector, Filter(item_ids=frozenset(items)), _OPTIONS)

    def filtered_texts(self, text: str, vector: Vectors, items: Sequence[str]) -> list[str]:
        """The passages themselves, to compare indexes that number them differently."""
        scope = Filter(item_ids=frozenset(items)).scope(self._index.items)
        searcher = Searcher(index=self._index, scope=scope, embed=lambda _: whole_numbers(vector))
        return [found.chunk.text for found in searcher.search(text, _OPTIONS).found]

    def filtered_vectors(self, vector: Vectors, items: Sequence[str]) -> list[str]:
        options = replace(_OPTIONS, method=Method.VECTOR)
        return self._search("", vector, Filter(item_ids=frozenset(items)), options)

    def _search(
        self, text: str, vector: Vectors, only: Filter, options: RetrievalOptions
    ) -> list[str]:
        searcher = Searcher(
            index=self._index,
            scope=only.scope(self._index.items),
            embed=lambda _: whole_numbers(vector),
        )
        return [found.chunk.chunk_id for found in searcher.search(text, options).found]


def _items(collection: Collection, lengths: Sequence[int]) -> list[IndexedItem]:
    made = []
    first = 0
    for name, group in groupby(collection.items):
        count = len(list(group))
        made.append(
            IndexedItem(
                id=name,
                type="document",
                title=name,
                first=first,
                chunks=count,
                length=sum(lengths[first : first + count]),
                tokens=count * 150,
            )
        )
        first += count
    return made
