"""What every store keeps in an index file, whoever searches its vectors: items, chunks, terms."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from tipstaff.domain.document import Chunk
from tipstaff.domain.scope import Scope
from tipstaff.lexical.bm25 import Postings
from tipstaff.store.index_file import MappedFile
from tipstaff.store.lexicon import Lexicon, lexicon_sections
from tipstaff.store.records import chunk_record, item_record, read_chunk, read_item
from tipstaff.store.store import IndexContents


def facts_of(contents: IndexContents) -> dict[str, Any]:
    """What stands in the header of the file."""
    return {
        "items": [item_record(item) for item in contents.items],
        "embedder": contents.embedder,
        "dimensions": int(contents.vectors.shape[1]),
    }


def sections_of(contents: IndexContents) -> dict[str, npt.NDArray[Any]]:
    """The arrays of the file, without vectors."""
    records = [chunk_record(chunk) for chunk in contents.chunks]
    return {
        **lexicon_sections(contents.counts),
        "records": np.frombuffer(b"".join(records), np.uint8),
        "record_ends": np.cumsum([len(record) for record in records], dtype=np.int64),
    }


class FileIndex:
    """An index file in memory as it lies on disk."""

    def __init__(self, file: MappedFile) -> None:
        self.items = tuple(read_item(record) for record in file.facts["items"])
        self.embedder: str = file.facts["embedder"]
        self.dimensions: int = file.facts["dimensions"]
        self._lexicon = Lexicon(file.sections)
        self._records = file.sections["records"]
        self._record_ends = file.sections["record_ends"]

    @property
    def chunk_count(self) -> int:
        return len(self._record_ends)

    def postings(self, terms: Sequence[str], scope: Scope) -> list[Postings]:
        return self._lexicon.postings(terms, scope)

    def chunks(self, numbers: Sequence[int]) -> list[Chunk]:
        found = []
        for number in numbers:
            start = int(self._record_ends[number - 1]) if number else 0
            found.append(read_chunk(self._records[start : int(self._record_ends[number])].data))
        return found

    def close(self) -> None:
        """The map goes with the last array that looks into it."""
