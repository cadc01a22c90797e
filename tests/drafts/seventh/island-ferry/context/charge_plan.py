"""Decides how hard the ferry may charge at each call.

Rules agreed with Northern Grid on 9 September 2025:
the day limit holds from 05:30 to 23:00, the night limit otherwise,
and a stop signal from the grid wins over everything else.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import time

DAY_LIMIT_KW = 1400
NIGHT_LIMIT_KW = 2000
ISLAND_LIMIT_KW = 1200
NIGHT_STARTS = time(23, 0)
NIGHT_ENDS = time(5, 30)

# Above this the battery warranty may lapse (contract, clause 12.3).
CEILING_PERCENT = 90
# Below this the master must not leave the berth.
FLOOR_PERCENT = 25
# The grid asks for 30 seconds; ten are kept in hand.
STOP_WITHIN_S = 20
RETRIES = 3


@dataclass(frozen=True)
class Call:
    """One stay at a berth."""

    port: str
    now: time
    minutes: int
    state_percent: float
    stop_signal: bool = False


class NotEnoughCharge(Exception):
    """Raised when the vessel would leave below the floor."""


def limit_kw(call: Call) -> int:
    """The highest power allowed at this berth and hour."""
    if call.stop_signal:
        return 0
    if call.port == "inchdarroch":
        return ISLAND_LIMIT_KW
    if call.now >= NIGHT_STARTS or call.now < NIGHT_ENDS:
        return NIGHT_LIMIT_KW
    return DAY_LIMIT_KW


def energy_kwh(call: Call, *, connect_s: int) -> float:
    """What can be taken on board, less the time for connecting."""
    seconds = max(call.minutes * 60 - connect_s, 0)
    return limit_kw(call) * seconds / 3600


def state_after(call: Call, *, connect_s: int, rated_kwh: int = 3200) -> float:
    """The state of charge on leaving, never above the ceiling."""
    gained = 100 * energy_kwh(call, connect_s=connect_s) / rated_kwh
    return min(call.state_percent + gained, CEILING_PERCENT)


def may_leave(call: Call, *, connect_s: int, crossing_kwh: int) -> bool:
    """True if the battery stays above the floor at the far side.

    Raises NotEnoughCharge when it is below the floor already.
    """
    leaving = state_after(call, connect_s=connect_s)
    if leaving < FLOOR_PERCENT:
        raise NotEnoughCharge(f"{leaving:.0f} percent at {call.port}")
    arriving = leaving - 100 * crossing_kwh / 3200
    return arriving >= FLOOR_PERCENT


# TODO: wind forecast is not used yet; the master enters crossing_kwh by hand.
