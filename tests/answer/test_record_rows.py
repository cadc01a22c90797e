"""Data, settings and constants are read as rows: a key is the header of its value."""

from __future__ import annotations

import pytest

from tipstaff.answer.key_words import read_cell, read_table_cell
from tipstaff.answer.record_rows import record_rows

OBJECTS = """"charging": {
  "north_quay": {"charger_kw": 2200, "plug": "by hand"},
  "island": {"charger_kw": 1200, "shore_kwh": 900, "tags": ["new", "dry"]}
}"""
SETTINGS = """[cache]
ttl_ms = 900  # just under a second
# Never below this.
floor_percent = 25
shared = false
"""
CODE = """DAY_LIMIT_KW = 1400
NIGHT_STARTS = time(23, 0)

def limit(call):
    return DAY_LIMIT_KW
"""


def test_an_object_is_a_row_with_the_names_of_what_it_stands_in() -> None:
    at = OBJECTS.index("shore_kwh")
    (row,) = record_rows(OBJECTS, [(at, at + 20)])
    assert row.cells == (
        ("", "charging, island"),
        ("charger", "1200 kW"),
        ("shore", "900 kWh"),
        ("tags", "new, dry"),
    )
    assert "shore_kwh" in row.keys


def test_objects_side_by_side_are_rows_of_their_own() -> None:
    rows = record_rows(OBJECTS, [(0, len(OBJECTS))])
    assert [row.cells[0][1] for row in rows] == ["charging, north quay", "charging, island"]


def test_of_settings_only_the_cited_lines_are_read_and_their_comments_with_them() -> None:
    at = SETTINGS.index("floor_percent")
    (row,) = record_rows(SETTINGS, [(at, at + 5)])
    assert row.cells == (
        ("", "cache"),
        ("floor", "25 percent"),
        ("floor percent", "Never below this."),
    )


def test_of_code_constants_are_rows_and_functions_are_not() -> None:
    (row,) = record_rows(CODE, [(0, CODE.index("def"))])
    assert row.cells == (("day limit", "1400 kW"), ("night starts", "23:00"))
    at = CODE.index("return")
    assert record_rows(CODE, [(at, at + 6)]) == []


@pytest.mark.parametrize(
    ("key", "value", "read"),
    [
        ("length_overall_m", "58.4", ("length overall", "58.4 metres")),
        ("nightLimit", "on", ("night limit", "on")),
        ("price_gbp", "500", ("price", "£500")),
        ("Price (£ million)", "18.6", ("Price (£ million)", "£18.6 million")),
        ("m", "4", ("m", "4")),
    ],
)
def test_a_key_gives_its_value_a_unit(key: str, value: str, read: tuple[str, str]) -> None:
    assert read_cell(key, value) == read


def test_a_header_in_words_is_left_as_it_is() -> None:
    assert read_table_cell("Days to ship", "6") == ("Days to ship", "6")
    assert read_table_cell("highest_wind_kn", "57") == ("highest wind", "57 knots")
