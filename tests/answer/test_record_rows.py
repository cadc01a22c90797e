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
NESTED = """oven:
  power_kw: 12
  hours:
    from: "22:00"
  max_hours_per_day: 6   # by law
loads:
  # Switched off in this order.
  - name: cold room
    watts: 950
  - name: mixer
    watts: 4200
    shared: false
notify:
- baker
- warden
"""
CODE = """DAY_LIMIT_KW = 1400
NIGHT_STARTS = time(23, 0)

def limit(call):
    return DAY_LIMIT_KW
"""


def test_an_object_is_a_row_with_the_names_of_what_it_stands_in() -> None:
    at = OBJECTS.index("shore_kwh")
    (row,) = record_rows(OBJECTS, [(at, at + 20)])
    # A neighbour's value is not cited with it.
    assert row.cells == (("", "charging, island"), ("shore", "900 kWh"))
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


def test_what_is_indented_stands_in_what_is_above_it() -> None:
    rows = record_rows(NESTED, [(0, len(NESTED))])
    assert [row.cells for row in rows] == [
        (
            ("", "oven"),
            ("power", "12 kW"),
            ("max", "6 hours per day"),
            ("max hours per day", "by law"),
        ),
        (("", "oven, hours"), ("from", "22:00")),
        (("", "loads, cold room"), ("name", "cold room"), ("watts", "950 watts")),
        (
            ("", "loads, mixer"),
            ("name", "mixer"),
            ("watts", "4200 watts"),
            ("shared", "false"),
        ),
        (("notify", "baker, warden"),),
    ]


def test_of_a_head_of_code_what_it_is_about_stands_beside_its_constants() -> None:
    head = '"""Prices of 2025 in euros."""\nfrom datetime import date\n\nLOAF_PRICE = 4\n'
    (row,) = record_rows(head, [(0, len(head))])
    assert row.cells == (("about", "Prices of 2025 in euros."), ("loaf price", "4"))


def test_an_item_of_a_list_keeps_its_name_where_only_a_value_is_cited() -> None:
    at = NESTED.index("4200")
    (row,) = record_rows(NESTED, [(at, at + 4)])
    assert row.cells == (("", "loads, mixer"), ("watts", "4200 watts"))


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


def test_a_value_is_cited_with_what_its_object_is_called() -> None:
    text = '{"pumps": [{"maker": "Ostrand", "flow_litres": 40, "head_m": 9}]}'
    at = text.index('"head_m"')
    (row,) = record_rows(text, [(at, at + 12)])
    assert row.cells == (("", "pumps"), ("maker", "Ostrand"), ("head", "9 metres"))


def test_a_table_of_constants_has_its_comment_and_numbers_in_full() -> None:
    lines = ('    "north quay": 12_000,  # the old one', '    "B": 900,')
    code = "\n".join(("# Litres in each tank.", "TANK_LITRES = {", *lines, "}", ""))
    (row,) = record_rows(code, [(0, len(code))])
    assert dict(row.cells)["north quay"] in ("12000 litres", "the old one")
    assert ("b", "900 litres") in row.cells
    assert ("", "Litres in each tank.") in row.cells


def test_several_values_on_one_line_are_cells_of_their_own() -> None:
    code = 'FARES = {"A": 2_900, "B": 2_300}\n'
    (row,) = record_rows(code, [(0, len(code))])
    assert ("a", "2900") in row.cells
    assert ("b", "2300") in row.cells
