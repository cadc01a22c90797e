from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import locations
from tipstaff.domain.location import (
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
    column_letters,
    column_number,
    read_location,
    slug,
)

# The forms of TIP §5.1 and those that issue from people and models, with what they print as.
FORMS: list[tuple[str, Location, str]] = [
    ("", WholeItem(), ""),
    ("p4", Pages(4, 4), "p4"),
    ("p15-18", Pages(15, 18), "p15-18"),
    ("p15-p18", Pages(15, 18), "p15-18"),
    ("p15–18", Pages(15, 18), "p15-18"),
    ("page 4", Pages(4, 4), "p4"),
    ("L42", Lines(42, 42), "L42"),
    ("L142-167", Lines(142, 167), "L142-167"),
    ("L42-L50", Lines(42, 50), "L42-50"),
    ("termination-clause", Section("termination-clause"), "termination-clause"),
    ("Executive Summary", Section("Executive Summary"), "executive-summary"),
    ("section-3", Section("section-3"), "section-3"),
    ("t0:15:30", TimeRange(930_000), "t0:15:30"),
    ("t0:05:00-0:12:30", TimeRange(300_000, 750_000), "t0:05:00-0:12:30"),
    ("t15:30", TimeRange(930_000), "t0:15:30"),
    ("t1:02:03.5", TimeRange(3_723_500), "t1:02:03.500"),
    ("Q3:B2-F20", CellRange("Q3", Cell(2, 2), Cell(6, 20)), "Q3:B2-F20"),
    ("Q3:B2:F20", CellRange("Q3", Cell(2, 2), Cell(6, 20)), "Q3:B2-F20"),
    ("Staffing:D15", CellRange("Staffing", Cell(4, 15), Cell(4, 15)), "Staffing:D15"),
    ("Q3 Actuals:$C$6", CellRange("Q3 Actuals", Cell(3, 6), Cell(3, 6)), "Q3 Actuals:C6"),
    ("'a: b, c''d':A1", CellRange("a: b, c'd", Cell(1, 1), Cell(1, 1)), "'a: b, c''d':A1"),
    ("Q3", Section("Q3"), "Q3"),
    ("$.api.rateLimit.max", DataPath("$.api.rateLimit.max"), "$.api.rateLimit.max"),
    ("/root/a[2]", DataPath("/root/a[2]"), "/root/a[2]"),
    ("slide 4", Slides(4, 4), "slide-4"),
    ("slides-4-6", Slides(4, 6), "slide-4-6"),
    ("p12:table-3", Pages(12, 12, Element("table", 3)), "p12:table-3"),
    ("figure-1", WholeItem(Element("figure", 1)), "figure-1"),
    ("terms:paragraph 4", Section("terms", Element("para", 4)), "terms:para-4"),
]


@pytest.mark.parametrize(("text", "location", "canonical"), FORMS)
def test_every_form_is_read_and_printed(text: str, location: Location, canonical: str) -> None:
    assert read_location(text) == location
    assert str(location) == canonical


@given(locations)
def test_what_a_location_prints_reads_back_as_the_location(location: Location) -> None:
    assert read_location(str(location)) == location


def test_a_section_that_looks_like_a_page_stays_a_section() -> None:
    assert str(Section("p4")) == "#p4"
    assert read_location("#p4") == Section("p4")


@given(st.integers(1, 20_000))
def test_columns_have_letters_and_back(column: int) -> None:
    assert column_number(column_letters(column)) == column


@pytest.mark.parametrize(
    ("heading", "expected"),
    [
        ("3. Revenue Terms (final)", "3-revenue-terms-final"),
        ("What's new?", "whats-new"),
        ("Überblick — Ziele", "überblick-ziele"),
        ("  ", ""),
    ],
)
def test_headings_have_slugs(heading: str, expected: str) -> None:
    assert slug(heading) == expected


@given(st.text(max_size=60))
def test_any_text_is_some_location(text: str) -> None:
    read_location(text)
