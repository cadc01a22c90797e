"""The names of months and of the days of the week, in lower case."""

from __future__ import annotations

_MONTHS = "january february march april may june july august september october november december"
_WEEKDAYS = "monday tuesday wednesday thursday friday saturday sunday"
MONTHS = tuple(_MONTHS.split())
WEEKDAYS = tuple(_WEEKDAYS.split())
