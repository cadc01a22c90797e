"""Documents in, the contents of an index out: chunks, their terms, their vectors, summaries.

What is computed for an item depends on that item alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

import numpy as np
import numpy.typing as npt

from tipstaff.chunk.chunking import chunks
from tipstaff.domain.document import Chunk, Document
from tipstaff.domain.scope import IndexedItem
from tipstaff.index.summaries import summary
from tipstaff.lexical.analysis import terms
from tipstaff.store.store import IndexContents

Embed = Callable[[Sequence[str]], npt.NDArray[np.int16]]


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceItem:
    """An item to be indexed: what the manifest says of it, and its document."""

    id: str
    type: str
    title: str
    document: Document
    metadata: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))


def build(
    sources: Sequence[SourceItem],
    *,
    chunk_tokens: int,
    overlap_percent: int,
    count_tokens: Callable[[str], int],
    embed: Embed,
    embedder: str,
) -> IndexContents:
    """The index of these items, in their order; chunks of an item stand side by side."""
    every: list[Chunk] = []
    lengths: list[tuple[int, int]] = []
    counts: list[dict[str, int]] = []
    for source in sources:
        made = chunks(
            source.id,
            source.document,
            max_tokens=chunk_tokens,
            overlap_percent=overlap_percent,
            count_tokens=count_tokens,
        )
        lengths.append((len(every), len(made)))
        every += made
        counts += [dict(Counter(terms(searched_text(chunk)))) for chunk in made]
    vectors = embed([searched_text(chunk) for chunk in every])
    items = []
    for source, (first, count) in zip(sources, lengths, strict=True):
        own = range(first, first + count)
        items.append(
            IndexedItem(
                id=source.id,
                type=source.type,
                title=source.title,
                first=first,
                chunks=count,
                length=sum(sum(counts[number].values()) for number in own),
                tokens=sum(every[number].tokens for number in own),
                summary=summary(source.document, every[first : first + count], vectors[own]),
                metadata=source.metadata,
            )
        )
    return IndexContents(
        items=tuple(items),
        chunks=tuple(every),
        counts=tuple(counts),
        vectors=vectors,
        embedder=embedder,
    )


def searched_text(chunk: Chunk) -> str:
    """What is searched and embedded: a chunk under its headings and its table's header."""
    return f"{chunk.context}\n{chunk.text}" if chunk.context else chunk.text
