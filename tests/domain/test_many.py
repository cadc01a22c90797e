from __future__ import annotations

from itertools import repeat

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tipstaff.domain.document import Span
from tipstaff.domain.lanes import Lanes
from tipstaff.domain.location import Cell, CellRange
from tipstaff.domain.many import many

OFFSETS = st.integers(0, 2**30 - 1)


def test_values_made_at_once_are_those_made_one_by_one() -> None:
    cells = many(Cell, 3, column=repeat(2), row=range(5, 8))
    assert cells == [Cell(2, 5), Cell(2, 6), Cell(2, 7)]
    assert hash(cells[0]) == hash(Cell(2, 5))
    ranges = many(CellRange, 3, sheet=repeat("Q3"), first=cells, last=cells)
    assert [str(one) for one in ranges] == ["Q3:B5", "Q3:B6", "Q3:B7"]
    with pytest.raises(AttributeError):
        cells[0].row = 9  # type: ignore[misc]


def test_a_field_that_is_forgotten_or_unknown_is_refused() -> None:
    with pytest.raises(TypeError, match="end"):
        many(Span, 1, start=[0])
    with pytest.raises(TypeError, match="colour"):
        many(Span, 1, start=[0], end=[1], colour=["red"])


@given(st.lists(st.tuples(OFFSETS, OFFSETS), max_size=50))
def test_lanes_add_number_by_number(pairs: list[tuple[int, int]]) -> None:
    left, right = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    total = (Lanes.of(left) + Lanes.of(right)).array()
    assert list(total) == [sum(pair) for pair in pairs]
