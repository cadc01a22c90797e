"""The names of months and of the days of the week, in lower case."""

from __future__ import annotations

import re

_MONTHS = "january february march april may june july august september october november december"
_WEEKDAYS = "monday tuesday wednesday thursday friday saturday sunday"
MONTHS = tuple(_MONTHS.split())
WEEKDAYS = tuple(_WEEKDAYS.split())
_NAMED = re.compile(r"\b(" + "|".join(f"{name[:3]}(?:{name[3:]})?" for name in MONTHS) + r")\b")


def month_in(text: str) -> int:
    """The number of the first month that a text names, or 0."""
    named = _NAMED.search(text.lower())
    return 1 + [name[:3] for name in MONTHS].index(named[1][:3]) if named else 0


def without_months(text: str) -> str:
    return _NAMED.sub(" ", text.lower())
