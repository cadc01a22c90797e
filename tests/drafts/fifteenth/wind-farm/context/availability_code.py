"""Technical availability of the turbines and what is owed for it (service contract, clause 4)."""

from __future__ import annotations

from dataclasses import dataclass

GUARANTEE = 97.0
BONUS_FROM = 98.0
DAMAGES_PER_TENTH = 9_500
BONUS_PER_TENTH = 4_000
CAP_SHARE = 0.30
FEE_PER_TURBINE = 124_000

FREE_SERVICE_HOURS = 40
FREE_LIGHTNING_DAYS = 14
STORM_WIND = 25.0

# Stops that are never the contractor's downtime.
EXCUSED = {"grid", "ice", "storm", "bats", "shadow"}


@dataclass(frozen=True)
class Stop:
    turbine: str
    cause: str
    hours: float


def counted_hours(stops: list[Stop]) -> float:
    """Hours of one turbine in one year that count against the contractor."""
    total = 0.0
    service = 0.0
    lightning = 0.0
    for stop in stops:
        if stop.cause in EXCUSED:
            continue
        if stop.cause == "service":
            service += stop.hours
        elif stop.cause == "lightning":
            lightning += stop.hours
        else:
            total += stop.hours
    total += max(0.0, service - FREE_SERVICE_HOURS)
    total += max(0.0, lightning - FREE_LIGHTNING_DAYS * 24)
    return total


def availability(stops: list[Stop], hours_in_year: int = 8760) -> float:
    """Percent, rounded to one decimal place."""
    return round(100 * (1 - counted_hours(stops) / hours_in_year), 1)


def farm_availability(per_turbine: dict[str, float]) -> float:
    """The plain mean: every turbine weighs the same, whatever it produces."""
    return round(sum(per_turbine.values()) / len(per_turbine), 1)


def damages(mean: float, turbines: int = 9) -> int:
    """Pounds that the contractor pays; nothing at or above the guarantee."""
    if mean >= GUARANTEE:
        return 0
    tenths = int(round((GUARANTEE - mean) * 10, 6))
    cap = int(CAP_SHARE * FEE_PER_TURBINE * turbines)
    return min(tenths * DAMAGES_PER_TENTH, cap)


def bonus(mean: float) -> int:
    """Pounds that the operator pays on top of the fee; it has no upper limit."""
    if mean <= BONUS_FROM:
        return 0
    tenths = int(round((mean - BONUS_FROM) * 10, 6))
    return tenths * BONUS_PER_TENTH


def report_line(turbine: str, percent: float) -> str:
    """A turbine below 92 percent is marked with a star in the monthly list."""
    star = " *" if percent < 92.0 else ""
    return f"{turbine}: {percent:.1f} %{star}"
