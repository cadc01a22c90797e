"""Plans the night's charging at Harrow Lane.

Called every five minutes. Each bus that is plugged in gets a share of the
site's power, the most urgent bus first.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

SITE_LIMIT_KW = 900
RESERVE_KW = 60
MAX_PER_OUTLET_KW = 120
MIN_PER_OUTLET_KW = 20
TARGET_SOC = 0.95
HILL_ROUTES = {"27"}
HILL_TARGET_SOC = 1.0
BATTERY_KWH = 352
READY_BEFORE_DEPARTURE = timedelta(minutes=25)
CHEAP_START_HOUR = 0
CHEAP_END_HOUR = 5


class NoPower(Exception):
    """Raised when not even the smallest share can be given."""


@dataclass
class PluggedBus:
    number: str
    route: str
    soc: float
    departure: datetime

    @property
    def target(self) -> float:
        """Buses for hilly routes are filled up completely."""
        return HILL_TARGET_SOC if self.route in HILL_ROUTES else TARGET_SOC

    @property
    def missing_kwh(self) -> float:
        return max(0.0, (self.target - self.soc) * BATTERY_KWH)


def urgency(bus: PluggedBus, now: datetime) -> float:
    """The power in kW that the bus needs from now on to be ready in time."""
    left = bus.departure - READY_BEFORE_DEPARTURE - now
    hours = left.total_seconds() / 3600
    if hours <= 0:
        return float("inf")
    return bus.missing_kwh / hours


def is_cheap(now: datetime) -> bool:
    """Night tariff from midnight to five o'clock."""
    return CHEAP_START_HOUR <= now.hour < CHEAP_END_HOUR


def shares(buses: list[PluggedBus], now: datetime) -> dict[str, float]:
    """Power for each bus by number. A full bus gets nothing."""
    free = SITE_LIMIT_KW - RESERVE_KW
    given: dict[str, float] = {}
    for bus in sorted(buses, key=lambda one: urgency(one, now), reverse=True):
        if bus.missing_kwh == 0:
            given[bus.number] = 0.0
            continue
        wanted = MAX_PER_OUTLET_KW if is_cheap(now) else urgency(bus, now)
        share = min(wanted, MAX_PER_OUTLET_KW, free)
        if share < MIN_PER_OUTLET_KW:
            share = 0.0
        given[bus.number] = share
        free -= share
    if buses and not any(given.values()) and any(b.missing_kwh for b in buses):
        raise NoPower("no bus can be charged")
    return given
