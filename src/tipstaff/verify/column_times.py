"""When the columns of a row are of: their years and months, in order."""

from __future__ import annotations

import re

from tipstaff.facts.periods import periods

YEAR = re.compile(r"\b(?:19|20)\d\d\b")
# One more than there are months: a year alone has none of them.
_STEPS = 13


def moment(head: str) -> int:
    """A header's year, and its month if it names one, as a number that grows with time; 0 where it
    has no year."""
    year = YEAR.search(head)
    if year is None:
        return 0
    named = [int(mark[1:]) for mark in periods(head) if mark[0] == "m" and mark[1:].isdigit()]
    # "2023-24" is no month.
    months = [month for month in named if month < _STEPS]
    return _STEPS * int(year[0]) + (months[0] if len(months) == 1 else 0)


def are_apart(one: int, other: int) -> bool:
    """Whether one of two moments is known to be later: of a year and a month of it, neither is."""
    if one // _STEPS != other // _STEPS:
        return True
    return one != other and bool(one % _STEPS and other % _STEPS)
