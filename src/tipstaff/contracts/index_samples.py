"""Indexes made of chance, for suites that hold a store to its promises.

Small vocabularies and few distinct vectors, so that equal scores are common; items without
chunks, chunks without terms, and now and then more chunks than a ranking reads.
"""

from __future__ import annotations

import random
from collections.abc import Collection
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from tipstaff.domain.document import Chunk, Span
from tipstaff.domain.location import Lines
from tipstaff.domain.scope import IndexedItem
from tipstaff.embed.embedder import unit
from tipstaff.embed.whole_numbers import whole_numbers
from tipstaff.store.store import IndexContents

DIMENSIONS = 32
_TYPES = ("document", "email", "data")
_SOURCES = ("archive", "desk", "court")


def chance_of(seed: int) -> random.Random:
    """The same chance for the same seed: a fault that was found is found again."""
    return random.Random(seed)  # noqa: S311 (nothing secret)


def index_contents(chance: random.Random, *, most_chunks: int = 12) -> IndexContents:
    """An index of a few items, each with up to so many chunks."""
    palette = [_vector(chance) for _ in range(chance.choice((2, 10, 60)))]
    chunks: list[Chunk] = []
    counts: list[dict[str, int]] = []
    items: list[IndexedItem] = []
    for number in range(chance.randint(1, 9)):
        own = [
            _chunk(f"item-{number}", place, chance) for place in range(_some(chance, most_chunks))
        ]
        terms = [_terms(chance) for _ in own]
        items.append(_item(number, len(chunks), own, terms, chance))
        chunks += own
        counts += terms
    vectors = [chance.choice(palette) for _ in chunks]
    return IndexContents(
        items=tuple(items),
        chunks=tuple(chunks),
        counts=tuple(counts),
        vectors=np.array(vectors, np.int16).reshape(len(chunks), DIMENSIONS),
        embedder="chance",
    )


def part_of(contents: IndexContents, item_ids: Collection[str]) -> IndexContents:
    """The index of a bundle that holds only these items."""
    kept: list[int] = []
    items = []
    for item in contents.items:
        if item.id in item_ids:
            items.append(replace(item, first=len(kept)))
            kept += range(item.first, item.first + item.chunks)
    return IndexContents(
        items=tuple(items),
        chunks=tuple(contents.chunks[number] for number in kept),
        counts=tuple(contents.counts[number] for number in kept),
        vectors=contents.vectors[kept].reshape(len(kept), contents.vectors.shape[1]),
        embedder=contents.embedder,
    )


def query_text(chance: random.Random) -> str:
    """Words of the vocabulary, and sometimes one that no index has."""
    words = [_word(chance) for _ in range(chance.randint(1, 5))]
    return " ".join([*words, "w999"] if chance.random() < 0.2 else words)


def query_vector(chance: random.Random) -> npt.NDArray[np.int16]:
    return _vector(chance)


def _some(chance: random.Random, most: int) -> int:
    return 0 if chance.random() < 0.1 else chance.randint(1, most)


def _vector(chance: random.Random) -> npt.NDArray[np.int16]:
    return whole_numbers(unit([chance.gauss(0, 1) for _ in range(DIMENSIONS)]))


def _word(chance: random.Random) -> str:
    """Rare and common ones; a digit keeps the stemmer away from them."""
    return f"w{int(30 * chance.random() ** 2)}"


def _terms(chance: random.Random) -> dict[str, int]:
    return {_word(chance): chance.randint(1, 6) for _ in range(chance.randint(0, 8))}


def _chunk(item_id: str, place: int, chance: random.Random) -> Chunk:
    text = f"Passage {place} of {item_id}: naïve 漢字 \x00 {chance.random()}"
    return Chunk(
        chunk_id=f"{item_id}#{place}",
        item_id=item_id,
        location=Lines(place + 1, place + 2),
        text=text,
        spans=(Span(100 * place, 100 * place + len(text)),),
        tokens=chance.randint(1, 200),
        context=chance.choice(("", "A heading › another")),
        split=chance.random() < 0.1,
    )


def _item(
    number: int,
    first: int,
    chunks: list[Chunk],
    terms: list[dict[str, int]],
    chance: random.Random,
) -> IndexedItem:
    return IndexedItem(
        id=f"item-{number}",
        type=chance.choice(_TYPES),
        title=f"Item '{number}'",
        first=first,
        chunks=len(chunks),
        length=sum(sum(counts.values()) for counts in terms),
        tokens=sum(chunk.tokens for chunk in chunks),
        summary=f"What item {number} is about.",
        metadata={"source": chance.choice(_SOURCES)},
    )
