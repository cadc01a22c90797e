from __future__ import annotations

from array import array

from hypothesis import given
from hypothesis import strategies as st

from tipstaff.parse.sheet_bands import titled_pieces
from tipstaff.parse.sheet_regions import regions
from tipstaff.parse.sheet_row import MergedCells, RowShape, SheetRow
from tipstaff.parse.sheet_run import RowRun, SheetPiece, single_rows

KINDS = st.text("tnd ", min_size=1, max_size=9)


def row(number: int, kinds: str) -> SheetRow | None:
    """A row by the kinds of its cells; a space is an empty cell."""
    columns = [column for column, kind in enumerate(kinds, start=1) if kind != " "]
    if not columns:
        return None
    texts = [f"{kinds[column - 1]}{number}-{column}" for column in columns]
    return SheetRow(number, RowShape(array("i", columns), kinds.replace(" ", "")), texts)


def sheet(*kinds: str) -> list[SheetPiece]:
    return [found for number, one in enumerate(kinds, start=1) if (found := row(number, one))]


def titles(*kinds: str) -> list[list[str]]:
    return [
        [found.get(column, "") for column in piece.shape.columns]
        for piece, found in titled_pieces(iter(sheet(*kinds)), MergedCells())
    ]


@given(st.lists(KINDS, max_size=40))
def test_every_row_comes_out_once_and_in_order(kinds: list[str]) -> None:
    pieces = sheet(*kinds)
    assert [piece for piece, _ in titled_pieces(iter(pieces), MergedCells())] == pieces


@given(st.lists(st.sampled_from(["tn", "tn tn", "   tn", "   tt", "tt", "tt tt", ""]), max_size=30))
def test_titles_are_texts_of_rows_above(kinds: list[str]) -> None:
    seen: set[str] = set()
    for piece, found in titled_pieces(iter(sheet(*kinds)), MergedCells()):
        (only,) = single_rows(iter([piece]))
        for title in found.values():
            assert set(title.split()) <= seen  # a title may take two rows
        seen.update(only.texts)


def test_a_table_that_begins_beside_another_has_its_own_titles() -> None:
    assert titles("tt", "tn", "tn tt", "tn tn", "tn tn") == [
        ["", ""],
        ["t1-1", "t1-2"],
        ["t1-1", "t1-2", "", ""],
        ["t1-1", "t1-2", "t3-4", "t3-5"],
        ["t1-1", "t1-2", "t3-4", "t3-5"],
    ]


def test_a_region_ends_at_a_blank_row_and_shows_its_first_rows_only() -> None:
    shape = RowShape(array("i", [1, 2]), "tn")
    run = RowRun(first=4, shape=shape, texts=[["a"] * 900, ["1"] * 900], stored={}, formulas={})
    pieces = [*sheet("tt", "tn", "", "tn")[:2], run]
    found = [list(region.pieces()) for region in regions(iter(pieces))]
    assert found == [pieces[:2], [run]]
