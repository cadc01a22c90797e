"""Night charging plan for the Quarry Lane depot.

Decides which bus charges when, so that the site limit is never exceeded and
every bus is ready 20 minutes before it leaves.
"""

from dataclasses import dataclass

SITE_LIMIT_KW = 720
RESERVE_KW = 60
SLOT_MINUTES = 15
READY_BEFORE_DEPARTURE_MIN = 20
CHARGING_EFFICIENCY = 0.93
NIGHT_PRICE_PENCE = 14.2
DAY_PRICE_PENCE = 23.8

# The last ten per cent are slow: the battery takes less power.
TAPER_FROM_SOC = 90
TAPER_FACTOR = 0.4


@dataclass
class Bus:
    number: int
    battery_kwh: float
    soc: float  # state of charge in per cent
    target_soc: float
    departs_minute: int  # minutes after midnight
    max_kw: float = 150.0


def energy_needed(bus: Bus) -> float:
    """Energy to draw from the grid, losses included, in kWh."""
    missing = max(bus.target_soc - bus.soc, 0.0)
    return bus.battery_kwh * missing / 100 / CHARGING_EFFICIENCY


def power_now(bus: Bus) -> float:
    """What the bus can take at its present state of charge."""
    if bus.soc >= TAPER_FROM_SOC:
        return bus.max_kw * TAPER_FACTOR
    return bus.max_kw


def order(buses: list[Bus]) -> list[Bus]:
    """Buses that leave first charge first; among equals, the emptier one."""
    return sorted(buses, key=lambda bus: (bus.departs_minute, bus.soc))


def allot(buses: list[Bus]) -> dict[int, float]:
    """Power for each bus in the next slot.

    A bus that would get less than 20 kW gets nothing: the chargers run badly
    at such low power.
    """
    left = SITE_LIMIT_KW - RESERVE_KW
    plan: dict[int, float] = {}
    for bus in order(buses):
        if energy_needed(bus) <= 0:
            continue
        power = min(power_now(bus), left)
        if power < 20:
            power = 0.0
        plan[bus.number] = power
        left -= power
    return plan


def late(buses: list[Bus], minute: int) -> list[int]:
    """Numbers of the buses that cannot be ready in time."""
    numbers = []
    for bus in buses:
        hours = (bus.departs_minute - READY_BEFORE_DEPARTURE_MIN - minute) / 60
        if energy_needed(bus) > hours * bus.max_kw:
            numbers.append(bus.number)
    return numbers


def cost_pounds(kwh: float, at_night: bool) -> float:
    price = NIGHT_PRICE_PENCE if at_night else DAY_PRICE_PENCE
    return round(kwh * price / 100, 2)
