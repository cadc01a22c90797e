"""Days and times of day are read in any form, and the time between two is reckoned or not told."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tipstaff.facts.moments import between, moments, nearest


@pytest.mark.parametrize(
    ("text", "day", "year", "clock"),
    [
        ("on 4 December 2023.", (12, 4), 2023, None),
        ("on the 4th of December", (12, 4), 0, None),
        ("December 4, 2023, at noon", (12, 4), 2023, None),
        ("4 Sept. 2023 at 09:30", (9, 4), 2023, (9, 30, 0)),
        ("start: 2024-01-17 05:30", (1, 17), 2024, (5, 30, 0)),
        ("2024-01-17T06:10Z", (1, 17), 2024, (6, 10, 0)),
        ("2024-01-17", (1, 17), 2024, None),
        ("at 03:12 the alarm", (0, 0), 0, (3, 12, 0)),
    ],
)
def test_a_moment_is_read(
    text: str, day: tuple[int, int], year: int, clock: tuple[int, int, int] | None
) -> None:
    (one,) = moments(text)
    assert (one.day, one.year, one.clock) == (day, year, clock)
    assert one.text in text
    assert not one.text.endswith(".")


def test_of_a_day_with_a_time_in_another_zone_the_day_is_known() -> None:
    (one,) = moments("Date: Thu, 4 Jul 2024 16:58 +0200")
    assert (one.text, one.day, one.year, one.clock) == ("4 Jul 2024", (7, 4), 2024, None)


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("6 June and 4 July", 28),
        ("4 December 2023 and 18 January", 45),
        ("20 December and 5 March", None),
        ("29 February and 1 March 2023", None),
    ],
)
def test_without_a_year_two_days_are_as_near_as_they_can_be(text: str, days: int | None) -> None:
    span = nearest(*moments(text))
    assert span == (None if days is None else timedelta(days=days))


@pytest.mark.parametrize(
    "text",
    [
        "31 June 2024",
        "30 February",
        "29 February 2023",
        "the score was 3",
        "1:120",
        "in May",
        "25:10",
        "v2.11",
        "Section 4 may be used",
        "Section 4 May",
        "APR 12%",
        "the Mar 23 report",
        "20 Apr 24",
        "20 Apr '24",
        "a scale of 1:50",
        "at 10:15 pm",
        "10:15 CEST",
        "09:15 -0500",
        "the 5 ſeptember 1902",
    ],
)
def test_what_is_no_moment_is_none(text: str) -> None:
    assert moments(text) == []


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("from 4 December 2023 to 18 January 2024", 45),
        # Of which years, nobody has said.
        ("from 6 June to 4 July", None),
        ("from 6 June to 4 July 2024", None),
        ("from 2024-03-04T10:00Z to 2024-03-05T10:00Z", 1),
        ("from 2024-03-04T10:00Z to 2024-03-04T12:00+02:00", None),
        ("from 28 February 2024 to 1 March 2024", 2),
        ("from 28 February 2023 to 1 March 2023", 1),
        # A day and a time of day.
        ("from 4 July to 03:12", None),
        ("from 4 July 2024 to 2024-07-05T10:00", None),
    ],
)
def test_the_time_between_two_is_told_where_it_is_known(text: str, days: int | None) -> None:
    first, second = moments(text)
    span = between(first, second)
    assert span == (None if days is None else timedelta(days=days))


POINTS = st.datetimes(datetime(1995, 1, 1), datetime(2060, 12, 31))  # noqa: DTZ001


@given(POINTS, POINTS)
def test_it_reckons_as_the_calendar_does(one: datetime, other: datetime) -> None:
    one, other = (moment.replace(second=0, microsecond=0, tzinfo=UTC) for moment in (one, other))
    first, second = moments(f"{one:%Y-%m-%dT%H:%M}, then {other:%Y-%m-%d %H:%M}.")
    assert between(first, second) == other - one


@given(st.dates(date(1995, 1, 1), date(2060, 12, 31)))
def test_a_day_is_the_same_in_every_form(day: date) -> None:
    forms = (f"{day:%Y-%m-%d}", f"{day.day} {day:%B %Y}", f"{day:%B} {day.day}, {day.year}")
    read = [moments(form) for form in forms]
    assert {(one.day, one.year) for (one,) in read} == {((day.month, day.day), day.year)}
