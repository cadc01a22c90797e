from __future__ import annotations

import datetime as dt
import random
from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.parse.test_workbook import at, edited, made, pairs, parse
from tipstaff.domain.document import Document
from tipstaff.parse.number_columns import show_column
from tipstaff.parse.number_format import NumberFormat
from tipstaff.parse.sheet_run import RowRun
from tipstaff.parse.xlsx_run import Stretches, read_run

READ_RUN = "tipstaff.parse.xlsx_sheet.read_run"
CODES = ["General", "0", "0.00", "#,##0", "$#,##0.00", "0.0%", "{0}", '"{"0"}"', "@", "0.00E+00",
         "#,##0_);(#,##0)", "0;;", ";;;", "yyyy-mm-dd", "[h]:mm", "# ?/?", "[>5]0;0.0",
         "#,##0,"]  # fmt: skip
RAWS = st.one_of(
    st.integers(-(10**17), 10**17).map(str),
    st.integers(0, 20).map(str),
    st.floats(allow_nan=True, allow_infinity=True).map(repr),
    st.floats(-(10**13), 10**13).map(repr),
    st.sampled_from(["0", "-0", "-0.0", "007", "", "x", "1\n", " 5 ", "1_0", "٣", "5.0", "1e5"]),
)


@given(st.sampled_from(CODES), st.lists(RAWS, min_size=1, max_size=12))
def test_a_column_is_shown_as_each_of_its_numbers(code: str, raws: list[str]) -> None:
    number_format = NumberFormat(code)
    assert list(show_column(number_format, raws)) == [number_format.show(raw) for raw in raws]


@given(st.sampled_from(CODES), st.lists(st.floats(1e-9, 1e9).map(repr), min_size=1, max_size=9))
def test_a_column_of_usual_numbers_is_shown_as_each_of_them(code: str, raws: list[str]) -> None:
    number_format = NumberFormat(code)
    raws = raws + raws[:2]
    assert list(show_column(number_format, raws)) == [number_format.show(raw) for raw in raws]


def large(book: Any, rows: int = 1500) -> None:
    """Long tables of like rows, with everything among them that is unlike."""
    chance = random.Random(7)  # noqa: S311 (not for secrets)
    sheet = book.add_worksheet("S")
    money = book.add_format({"num_format": "$#,##0.00_);($#,##0.00)"})
    date = book.add_format({"num_format": "d mmm yyyy"})
    white = book.add_format({"font_color": "white"})
    titles = ["Id", "Name", "Cost", "Day", "Double", "Plain"]
    sheet.write_row(0, 0, titles)
    row = 0
    for number in range(1, rows):
        row += 1
        if number == 700:
            row += 2
            sheet.write_row(row, 0, [title + " again" for title in titles])
            row += 1
        sheet.write(row, 0, number)
        sheet.write(row, 1, "n/a & <b>" if number == 400 else f"Name {number % 50}")
        sheet.write(row, 2, chance.choice([0, -number, number / 7, number]), money)
        sheet.write(row, 3, dt.date(2020, 1, 1) + dt.timedelta(days=number % 40), date)
        sheet.write_formula(row, 4, f'=C{row + 1}*2&"<"', money, number / 3)
        sheet.write(row, 5, chance.choice([number * 1.5, 0, number, 1e11 + number]))
    sheet.set_row(300, None, None, {"hidden": True})
    sheet.write_comment("C900", "Look here.")
    sheet.write(1200, 1, "ghost", white)
    book.add_worksheet("Next").write_row("A1", ["a", 1])


@cache
def large_workbook() -> bytes:
    return made(large)


def facts(document: Document) -> list[object]:
    return [document.text, document.blocks, document.marks, document.sheets, document.notes,
            list(document.cells)]  # fmt: skip


def test_rows_read_many_at_once_are_those_read_one_by_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    content = large_workbook()
    runs: list[RowRun | None] = []

    def watched(*arguments: Any, **options: Any) -> RowRun | None:
        runs.append(read_run(*arguments, **options))
        return runs[-1]

    monkeypatch.setattr(READ_RUN, watched)
    at_once = parse(content)
    read = [len(run) for run in runs if run is not None]
    assert sum(read) > 700
    assert None in runs
    monkeypatch.setattr(READ_RUN, lambda *_, **__: None)
    assert facts(parse(content)) == facts(at_once)
    assert pairs(at_once, "S:A600-F600")[1] == ("Name", "Name 49")
    assert pairs(at_once, "S:A1000-F1000")[1][0] == "Name again"
    assert at(at_once, "S:C900").endswith("Look here.")
    assert "hidden row 301 of 'S'" in {mark.reason for mark in at_once.marks}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('<row r="800"', '<row r="20"'),  # out of order
        ('<row r="800"', "<row"),  # without a number
        ('<c r="A800"', '<c r="B800"'),
        ('<c r="A800"><v>', '<c r="A800"><v>&#32;'),
        ('</c></row><row r="800"', '</c></row><row r="9999"/><row r="800"'),
    ],
)
def test_one_odd_row_among_many_is_read_as_it_would_be_alone(
    monkeypatch: pytest.MonkeyPatch, old: str, new: str
) -> None:
    content = large_workbook()
    odd = edited(content, sheet1=lambda xml: xml.replace(old, new))
    assert odd != edited(content)
    at_once = parse(odd)
    monkeypatch.setattr(READ_RUN, lambda *_, **__: None)
    assert facts(parse(odd)) == facts(at_once)


def test_stretches_are_all_of_the_markup_cut_behind_rows() -> None:
    rows = [f'<row r="{number}">{"x" * (number % 900)}</row>' for number in range(2000)]
    markup = "<sheetData>" + "".join(rows) + "<row>never ends"
    stretches = Stretches(markup, slice(11, len(markup)))
    found = []
    for stretch in stretches:
        found.append(stretch)
        stretches.was_run(True)
    assert "".join(found) == markup[11:]
    assert all(stretch.endswith("</row>") for stretch in found[:-1])
    assert len(found) < 20
