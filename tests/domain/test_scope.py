"""Items by id, scopes and their chunks."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tipstaff.domain.scope import Filter, IndexedItem, IndexedItems, Scope


def item(name: str, first: int, chunks: int) -> IndexedItem:
    return IndexedItem(
        id=name, type="document", title="", first=first, chunks=chunks, length=0, tokens=0
    )


ITEMS = (item("a", 0, 3), item("b", 3, 0), item("c", 3, 2), item("d", 5, 1))


@pytest.mark.parametrize("items", [ITEMS, [*ITEMS], IndexedItems(ITEMS)])
def test_items_named_come_in_the_order_of_the_index_and_once(items: Sequence[IndexedItem]) -> None:
    scope = Filter(item_ids=["d", "nobody", "a", "d"]).scope(items)
    assert scope == Scope((ITEMS[0], ITEMS[3]))


def test_no_id_names_no_item() -> None:
    assert Filter(item_ids=[]).scope(IndexedItems(ITEMS)).items == ()
    assert IndexedItems(ITEMS).named([]) == []


def test_the_items_of_an_index_are_a_tuple_like_any_other() -> None:
    assert IndexedItems(ITEMS) == ITEMS


def test_the_edges_are_those_of_each_item_and_ranges_join_neighbours() -> None:
    scope = Scope(ITEMS)
    assert scope.edges.tolist() == [0, 3, 3, 3, 3, 5, 5, 6]
    assert scope.ranges() == [(0, 6)]
    assert scope.chunk_count == 6


def test_a_scope_with_a_gap_looks_the_same_as_one_without() -> None:
    """As many steps either way: only the numbers differ (Enterprise §10.1)."""
    apart = Scope((item("a", 0, 3), item("c", 30, 2)))
    together = Scope((item("a", 0, 3), item("c", 3, 2)))
    assert len(apart.edges) == len(together.edges)
    assert apart.chunk_count == together.chunk_count
