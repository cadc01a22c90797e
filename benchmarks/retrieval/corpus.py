"""A made collection that behaves like text: Zipf words, items with topics of their own, vectors
in which chunks that share words are near each other. The same seed gives the same bytes.

Vectors are random projections of weighted term counts (Johnson and Lindenstrauss: angles
survive), because embedding 100,000 texts with a model takes an hour and changes no ratio here.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import msgspec
import numpy as np
import numpy.typing as npt

DIMENSIONS = 384
_VOCABULARY = 30_000
_TOPICS = 120
_TOPIC_WORDS = 250
_WORDS = (80, 170)  # of a chunk
_QUERY_WORDS = 5
_CONSONANTS = ("b", "c", "d", "f", "g", "l", "m", "n", "p", "r", "s", "t", "v", "ch", "st", "pr")
_SYLLABLES = [first + second for first in _CONSONANTS for second in "aeiou"]

Vectors = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Query:
    """A few words of one chunk, and the items (one in ten) that the filtered search may see."""

    text: str
    items: list[str]


@dataclass(frozen=True, slots=True)
class Collection:
    """Chunks in the order of their items; `items[i]` is the item of chunk i."""

    items: list[str]
    texts: list[str]
    vectors: Vectors
    queries: list[Query]
    query_vectors: Vectors

    @property
    def ids(self) -> list[str]:
        return [f"c{number}" for number in range(len(self.texts))]


def generate(chunks: int, *, queries: int, seed: int = 4) -> Collection:
    draw = np.random.default_rng(seed)
    words = _vocabulary(draw)
    frequency = 1 / (np.arange(_VOCABULARY) + 2.7) ** 1.05
    frequency /= frequency.sum()
    topics = [draw.choice(np.arange(300, _VOCABULARY), _TOPIC_WORDS, False) for _ in range(_TOPICS)]
    projection = draw.standard_normal((_VOCABULARY, DIMENSIONS)).astype(np.float32)
    # A rare word says more; like idf, but known before the collection is.
    rarity = np.log(1 / frequency).astype(np.float32) ** 2
    item_of = np.sort(draw.integers(0, min(500, chunks // 3), chunks))
    numbers: list[npt.NDArray[np.intp]] = []
    for item in item_of:
        count = int(draw.integers(*_WORDS))
        common = draw.choice(_VOCABULARY, count, p=frequency)
        topic = topics[(int(item) * 7 + int(draw.integers(0, 3))) % _TOPICS]
        own = topic[(draw.random(count) ** 2 * _TOPIC_WORDS).astype(int)]
        numbers.append(np.where(draw.random(count) < 0.3, own, common))
    vectors = np.stack([_vector(chunk, projection, rarity) for chunk in numbers])
    asked, made = [], []
    names = [f"item-{number:03}" for number in sorted(set(item_of.tolist()))]
    for _ in range(queries):
        chunk = numbers[int(draw.integers(0, chunks))]
        chosen = draw.choice(chunk[chunk > 50], _QUERY_WORDS, False)
        some = draw.choice(len(names), max(len(names) // 10, 1), False)
        asked.append(Query(" ".join(words[n] for n in chosen), sorted(names[n] for n in some)))
        made.append(_vector(chosen, projection, rarity))
    return Collection(
        items=[f"item-{number:03}" for number in item_of.tolist()],
        texts=[_text(chunk, words) for chunk in numbers],
        vectors=vectors,
        queries=asked,
        query_vectors=np.stack(made),
    )


def save(collection: Collection, folder: Path) -> None:
    np.save(folder / "vectors.npy", collection.vectors)
    np.save(folder / "query_vectors.npy", collection.query_vectors)
    facts = (collection.items, collection.texts)
    (folder / "chunks.msgpack").write_bytes(msgspec.msgpack.encode(facts))
    asked = [(query.text, query.items) for query in collection.queries]
    (folder / "queries.msgpack").write_bytes(msgspec.msgpack.encode(asked))


def load(folder: Path) -> Collection:
    items, texts = msgspec.msgpack.decode((folder / "chunks.msgpack").read_bytes())
    queries, query_vectors = load_queries(folder)
    return Collection(items, texts, np.load(folder / "vectors.npy"), queries, query_vectors)


def load_queries(folder: Path) -> tuple[list[Query], Vectors]:
    """Only what a searching process needs, so that its memory is the store's own."""
    asked = msgspec.msgpack.decode((folder / "queries.msgpack").read_bytes())
    return [Query(*one) for one in asked], np.load(folder / "query_vectors.npy")


def exact(collection: Collection, query: int, *, filtered: bool) -> npt.NDArray[np.float64]:
    """The true similarity of every chunk to a query; what is filtered out has -1."""
    wanted = collection.query_vectors[query].astype(np.float64)
    similar: npt.NDArray[np.float64] = collection.vectors.astype(np.float64) @ wanted
    if filtered:
        allowed = set(collection.queries[query].items)
        similar[[item not in allowed for item in collection.items]] = -1
    return similar


def _vocabulary(draw: np.random.Generator) -> list[str]:
    made: dict[str, None] = {}
    while len(made) < _VOCABULARY:
        picked = draw.choice(len(_SYLLABLES), int(draw.integers(1, 5)))
        made["".join(_SYLLABLES[n] for n in picked)] = None
    return list(made)


def _vector(numbers: npt.NDArray[np.intp], projection: Vectors, rarity: Vectors) -> Vectors:
    present, counts = np.unique(numbers, return_counts=True)
    weights = (1 + np.log(counts)).astype(np.float32) * rarity[present]
    raw = weights @ projection[present]
    return (raw / np.linalg.norm(raw)).astype(np.float32)


def _text(numbers: npt.NDArray[np.intp], words: list[str]) -> str:
    sentences = [numbers[start : start + 14] for start in range(0, len(numbers), 14)]
    return " ".join(" ".join(words[n] for n in part).capitalize() + "." for part in sentences)
