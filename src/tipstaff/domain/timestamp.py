"""Moments as the specification writes them: in UTC, to the second, with a Z."""

from __future__ import annotations

import datetime as dt


def timestamp(seconds: float) -> str:
    moment = dt.datetime.fromtimestamp(seconds, dt.UTC)
    return moment.isoformat(timespec="seconds").replace("+00:00", "Z")


def timestamp_or_none(seconds: float | None) -> str | None:
    return None if seconds is None else timestamp(seconds)
