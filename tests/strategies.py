"""Hypothesis strategies for the nouns."""

from __future__ import annotations

import string

from hypothesis import strategies as st

from tipstaff.domain.location import (
    ELEMENT_KINDS,
    Cell,
    CellRange,
    DataPath,
    Element,
    Lines,
    Location,
    Pages,
    Section,
    Slides,
    TimeRange,
    WholeItem,
)

numbers = st.integers(min_value=1, max_value=99_999)
elements = st.none() | st.builds(
    Element, st.sampled_from(sorted({*ELEMENT_KINDS.values()})), numbers
)
section_names = st.text(
    string.ascii_letters + string.digits + "-_.éüß漢", min_size=1, max_size=30
).filter(lambda name: name.strip() == name)
# No spreadsheet program lets a sheet's name hold square brackets.
sheet_names = st.text(
    st.characters(exclude_characters="[]") | st.sampled_from(",:'#$/ "), min_size=1, max_size=20
).filter(lambda name: name.strip() == name and name.isprintable())
cells = st.builds(Cell, st.integers(1, 18_278), st.integers(1, 1_048_576))
item_ids = st.from_regex(r"[a-z0-9](?:[a-z0-9._-]{0,20}[a-z0-9])?", fullmatch=True)
keys = st.text(string.ascii_letters + string.digits + "_", min_size=1, max_size=8)
data_paths = st.lists(
    st.one_of(keys.map(".{}".format), st.integers(0, 99).map("[{}]".format), st.just("['a,b: c']")),
    max_size=5,
).map(lambda parts: DataPath("$" + "".join(parts)))


def _ranges(kind: type[Pages] | type[Slides]) -> st.SearchStrategy[Location]:
    return st.builds(kind, numbers, numbers, elements)


def _cell_range(sheet: str, one: Cell, other: Cell) -> CellRange:
    first = Cell(min(one.column, other.column), min(one.row, other.row))
    return CellRange(sheet, first, Cell(max(one.column, other.column), max(one.row, other.row)))


locations: st.SearchStrategy[Location] = st.one_of(
    st.builds(WholeItem, elements),
    _ranges(Pages),
    _ranges(Slides),
    st.builds(Lines, numbers, numbers),
    st.builds(Section, section_names, elements),
    st.builds(
        TimeRange,
        st.integers(0, 36_000_000),
        st.none() | st.integers(0, 36_000_000),
    ),
    st.builds(_cell_range, sheet_names, cells, cells),
    data_paths,
)
