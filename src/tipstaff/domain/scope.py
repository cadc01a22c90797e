"""The grounding boundary of one recipient, as retrieval sees it: items, and their chunks."""

from __future__ import annotations

from array import array
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexedItem:
    """What an index knows of an item. Its chunks are numbered `first` to `first + chunks - 1`;
    `length` is their length in terms, `tokens` in a model's tokens."""

    id: str
    type: str
    title: str
    first: int
    chunks: int
    length: int
    tokens: int
    summary: str = ""
    # Other facts that a search may filter by (TIP §10.1.5), as words.
    metadata: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))


class IndexedItems(tuple[IndexedItem, ...]):
    """The items of an index, each found by its id without a look at the others: how many others
    there are must not be told by the time that it takes (Enterprise §10.1)."""

    @cached_property
    def _places(self) -> dict[str, int]:
        return {item.id: place for place, item in enumerate(self)}

    def named(self, ids: Collection[str]) -> list[IndexedItem]:
        """Those with these ids, in the order of the index."""
        places = self._places
        return [self[place] for place in sorted({places[one] for one in ids if one in places})]


@dataclass(frozen=True)
class Scope:
    """The items that may be searched, in the order of the index."""

    items: tuple[IndexedItem, ...]

    @cached_property
    def chunk_count(self) -> int:
        return sum(item.chunks for item in self.items)

    @cached_property
    def total_length(self) -> int:
        return sum(item.length for item in self.items)

    @cached_property
    def edges(self) -> array[int]:
        """Where the chunks of each item begin and end: first, end, first, end. Neighbours are
        not joined: whether two items are neighbours depends on what lies between them."""
        return array(
            "i", [e for item in self.items for e in (item.first, item.first + item.chunks)]
        )

    @cached_property
    def tokens(self) -> int:
        return sum(item.tokens for item in self.items)

    def ranges(self) -> list[tuple[int, int]]:
        """Half-open ranges of chunk numbers; neighbouring items make one range."""
        joined: list[tuple[int, int]] = []
        for item in self.items:
            if joined and joined[-1][1] == item.first:
                joined[-1] = joined[-1][0], item.first + item.chunks
            elif item.chunks:
                joined.append((item.first, item.first + item.chunks))
        return joined

    def item_of(self, chunk: int) -> IndexedItem:
        """The item that a chunk of this scope belongs to."""
        low, high = 0, len(self.items) - 1
        while low < high:
            middle = (low + high + 1) // 2
            if self.items[middle].first <= chunk:
                low = middle
            else:
                high = middle - 1
        return self.items[low]


@dataclass(frozen=True, slots=True, kw_only=True)
class Filter:
    """What a search is narrowed to (TIP §10.1.5); None means whatever is permitted."""

    item_ids: Collection[str] | None = None
    item_types: Collection[str] | None = None
    metadata: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))

    def scope(self, items: Sequence[IndexedItem]) -> Scope:
        """Ids are looked at first: the items that are left out by theirs take no time."""
        if self.item_ids is not None:
            every = items if isinstance(items, IndexedItems) else IndexedItems(items)
            items = every.named(self.item_ids)
        if self.item_types is None and not self.metadata:
            return Scope(tuple(items))
        return Scope(tuple(item for item in items if self._lets_in(item)))

    def _lets_in(self, item: IndexedItem) -> bool:
        return (self.item_types is None or item.type in self.item_types) and all(
            item.metadata.get(name) == value for name, value in self.metadata.items()
        )


EVERYTHING = Filter()
