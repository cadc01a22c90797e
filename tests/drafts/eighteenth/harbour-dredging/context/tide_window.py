"""Tide windows for the spoil barge at Ardmoyle.

The barge Brugga draws 2.9 m when loaded and 1.2 m when empty. A window is a time in which
the water over the sill of the harbour mouth is deep enough for her to pass.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

SILL_DEPTH_M = 1.8  # below chart datum, survey of 3 March 2025
DRAUGHT_LOADED_M = 2.9
DRAUGHT_EMPTY_M = 1.2
KEEL_CLEARANCE_M = 0.5
SWELL_LIMIT_M = 1.5
MIN_WINDOW = timedelta(minutes=40)
STALE_AFTER = timedelta(minutes=20)


@dataclass(frozen=True)
class Level:
    at: datetime
    metres: float  # above chart datum


class StaleGauge(Exception):
    """The last reading is too old to plan a passage by."""


def needed_level(loaded: bool) -> float:
    """The tide that the barge needs: draught and clearance, less the depth of the sill."""
    draught = DRAUGHT_LOADED_M if loaded else DRAUGHT_EMPTY_M
    return max(draught + KEEL_CLEARANCE_M - SILL_DEPTH_M, 0.0)


def windows(levels: list[Level], loaded: bool) -> list[tuple[datetime, datetime]]:
    """All windows of at least MIN_WINDOW, in order. Shorter ones are dropped."""
    found = []
    start = None
    for level in levels:
        if level.metres >= needed_level(loaded):
            start = start or level.at
        elif start is not None:
            if level.at - start >= MIN_WINDOW:
                found.append((start, level.at))
            start = None
    return found


def may_sail(now: datetime, last: Level, swell_m: float, loaded: bool) -> bool:
    """Whether the barge may leave at once. An old reading is never trusted."""
    if now - last.at > STALE_AFTER:
        raise StaleGauge(f"last reading at {last.at:%H:%M} UTC")
    if swell_m > SWELL_LIMIT_M:
        return False
    return last.metres >= needed_level(loaded)


def colour(now: datetime, last: Level, swell_m: float, loaded: bool) -> str:
    """What the display in the cabin shows: green, red, or grey when the gauge is silent."""
    try:
        return "green" if may_sail(now, last, swell_m, loaded) else "red"
    except StaleGauge:
        return "grey"
