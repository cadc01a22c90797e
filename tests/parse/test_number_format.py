from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tipstaff.parse.number_format import BUILT_IN, NumberFormat

ACCOUNTING = '_($* #,##0.00_);_($* \\(#,##0.00\\);_($* "-"??_);_(@_)'


@pytest.mark.parametrize(
    ("code", "stored", "shown"),
    [
        ("General", "123456789012", "123456789012"),
        ("General", "0.30000000000000004", "0.3"),
        ("General", "1E-3", "0.001"),
        ("General", "5.0", "5"),
        ("0", "2.5", "3"),
        ("0.00", "1.005", "1.01"),
        ("0.00", "-0.125", "-0.13"),
        ("0.0", "-0.001", "0.0"),
        ("0.0#", "1.5", "1.5"),
        ("#.##", "0.5", ".5"),
        ("00000", "123", "00123"),
        ("#,##0,", "1234567", "1,235"),
        ('0.0,,"M"', "1234567", "1.2M"),
        ("0.0%", "0.1234", "12.3%"),
        ('0.0"%"', "12.34", "12.3%"),
        ("+0.0%;-0.0%;0.0%", "0.05", "+5.0%"),
        ('"£"#,##0.00', "99.5", "£99.50"),
        ("#,##0.00 [$€-407]", "-1234.5", "-1,234.50 €"),
        ("[$USD] #,##0", "55", "USD 55"),
        ("#,##0_);[Red](#,##0)", "-1234", "(1,234)"),
        (ACCOUNTING, "-5", "$(5.00)"),
        (ACCOUNTING, "0", "$-"),
        ('[>=1000]#,##0,"k";0', "12000", "12k"),
        ('[>=1000]#,##0,"k";0', "12", "12"),
        ("# ??/??", "0.333", "1/3"),
        ("# ?/8", "2.25", "2 2/8"),
        ("0.00E+00", "0.00012345", "1.23E-04"),
        ("##0.0E+0", "12345", "12.3E+3"),
        ("000-00-0000", "123456789", "123-45-6789"),
        ("(000) 000-0000", "5551234567", "(555) 123-4567"),
        ('General" pcs"', "3", "3 pcs"),
        ("m/d/yy h:mm", "45975.5", "11/14/25 12:00"),
        ("[$-409]d-mmm-yy;@", "45975", "14-Nov-25"),
        ("[$-F800]dddd\\,\\ mmmm\\ dd\\,\\ yyyy", "45975", "Friday, November 14, 2025"),
        ("yyyy-mm-dd hh:mm:ss.000", "45975.000011574", "2025-11-14 00:00:01.000"),
        ("h:mm:ss", "0.999999", "0:00:00"),
        ("[h]:mm:ss", "1.5", "36:00:00"),
        ("[mm]:ss", "0.01", "14:24"),
        ("mm:ss.0", "0.001", "01:26.4"),
        ("yyyy-mm-dd", "1", "1900-01-01"),
        ("yyyy-mm-dd", "61", "1900-03-01"),
        ("yyyy-mm-dd", "-3", "-3"),
        ("yyyy-mm-dd", "99999999", "99999999"),
        (";;;", "5", ""),
        ("0.00", "no number", "no number"),
        ("0.00", "nan", "nan"),
        ("0.00", "1e999", "1e999"),
    ],
)
def test_a_number_reads_as_spreadsheets_show_it(code: str, stored: str, shown: str) -> None:
    assert NumberFormat(code).show(stored) == shown


def test_dates_are_stored_as_dates_and_durations_as_numbers() -> None:
    assert NumberFormat("d.m.yy").stored("45975") == "2025-11-14"
    assert NumberFormat("d.m.yy", from_1904=True).stored("44513") == "2025-11-14"
    assert NumberFormat("h:mm").stored("45975.75") == "2025-11-14T18:00:00"
    assert NumberFormat("[h]:mm").stored("1.5") == "1.5"


def test_every_built_in_format_shows_something() -> None:
    for code in BUILT_IN.values():
        assert NumberFormat(code).show("45975.25")


@given(
    st.text('0#?,.%/E+-[]()$€"\\_*;@ymdhsAMP<>=:k General', max_size=30),
    st.floats(width=32) | st.integers(-(10**18), 10**18),
)
def test_any_code_shows_any_number_somehow(code: str, number: float) -> None:
    style = NumberFormat(code)
    assert isinstance(style.show(repr(number)), str)
    assert isinstance(style.stored(repr(number)), str)
    assert isinstance(style.show_text("words"), str)
