"""What every store keeps in an index file, whoever searches its vectors: items, chunks, terms."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from functools import cached_property
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

from tipstaff.domain.document import Chunk
from tipstaff.domain.scope import IndexedItems, Scope
from tipstaff.lexical.bm25 import Postings
from tipstaff.store.index_file import MappedFile
from tipstaff.store.lexicon import Lexicon, lexicon_sections
from tipstaff.store.records import chunk_record, item_record, read_chunk, read_item
from tipstaff.store.store import IndexContents


def facts_of(contents: IndexContents) -> dict[str, Any]:
    """What stands in the header of the file, and so is read whenever it is opened."""
    return {
        "embedder": contents.embedder,
        "dimensions": int(contents.vectors.shape[1]),
        "chunks": len(contents.chunks),
    }


def sections_of(contents: IndexContents) -> dict[str, npt.NDArray[Any]]:
    """The arrays of the file, without vectors. A record has a checksum of its own, since a search
    reads a few of very many."""
    records = [chunk_record(chunk) for chunk in contents.chunks]
    items = msgspec.msgpack.encode([item_record(item) for item in contents.items])
    return {
        "items": np.frombuffer(items, np.uint8),
        **lexicon_sections(contents.counts),
        "records": np.frombuffer(b"".join(records), np.uint8),
        "record_ends": np.cumsum([len(record) for record in records], dtype=np.int64),
        "record_checksums": np.array([zlib.crc32(record) for record in records], np.uint32),
    }


class FileIndex:
    """An index file in memory as it lies on disk. What is not asked for is not read."""

    def __init__(self, file: MappedFile) -> None:
        self.embedder: str = file.facts["embedder"]
        self.dimensions: int = file.facts["dimensions"]
        self.chunk_count: int = file.facts["chunks"]
        self._file = file

    @cached_property
    def items(self) -> IndexedItems:
        records = msgspec.msgpack.decode(self._file["items"].data)
        return IndexedItems(read_item(record) for record in records)

    @cached_property
    def _lexicon(self) -> Lexicon:
        return Lexicon(self._file)

    @cached_property
    def _records(self) -> npt.NDArray[Any]:
        return self._file.unchecked("records")

    def postings(self, terms: Sequence[str], scope: Scope) -> list[Postings]:
        return self._lexicon.postings(terms, scope)

    def chunks(self, numbers: Sequence[int]) -> list[Chunk]:
        ends, checksums = self._file["record_ends"], self._file["record_checksums"]
        found = []
        for number in numbers:
            start = int(ends[number - 1]) if number else 0
            record = self._records[start : int(ends[number])].data
            if zlib.crc32(record) != checksums[number]:
                raise self._file.refuse("a passage is damaged")
            found.append(read_chunk(record))
        return found

    def check(self) -> None:
        for name in self._file:
            self._file[name]

    def close(self) -> None:
        """The map goes with the last array that looks into it."""
