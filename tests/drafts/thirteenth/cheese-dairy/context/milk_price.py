"""Monthly milk payment to the member farms of the Vallombre dairy."""

from dataclasses import dataclass
from datetime import date

BASE_CENTS = 74.0  # set by the board for the fourth quarter of 2025
WINTER_CENTS = 3.0  # November to February
RAW_MILK_CENTS = 4.5  # milk fit for raw-milk cheese
HAULAGE_CENTS = 1.2  # deducted where the road is closed to the tanker
FAT_REFERENCE = 4.0
FAT_STEP_CENTS = 0.35  # for each tenth of a percent above or below the reference
PENALTY_CENTS = 4.0
MAX_GERMS = 40_000
MAX_CELLS = 200_000


@dataclass(frozen=True)
class Delivery:
    farm: str
    month: date
    kilograms: float
    fat_percent: float
    germs: int
    cells: int
    tanker_access: bool = True


def is_winter(month: date) -> bool:
    return month.month in (11, 12, 1, 2)


def over_limit(delivery: Delivery) -> bool:
    return delivery.germs > MAX_GERMS or delivery.cells > MAX_CELLS


def fat_bonus(delivery: Delivery) -> float:
    """Positive for rich milk, negative for thin milk; never more than 3 cents either way."""
    tenths = (delivery.fat_percent - FAT_REFERENCE) * 10
    return max(-3.0, min(3.0, tenths * FAT_STEP_CENTS))


def cents_per_kg(delivery: Delivery, previous_over_limit: bool) -> float:
    cents = BASE_CENTS + fat_bonus(delivery)
    if is_winter(delivery.month):
        cents += WINTER_CENTS
    if over_limit(delivery):
        # The first month costs only the raw-milk supplement, the second the penalty as well.
        if previous_over_limit:
            cents -= PENALTY_CENTS
    else:
        cents += RAW_MILK_CENTS
    if not delivery.tanker_access:
        cents -= HAULAGE_CENTS
    return round(cents, 2)


def payment(delivery: Delivery, previous_over_limit: bool = False) -> float:
    """Francs for the month, rounded to five centimes."""
    francs = delivery.kilograms * cents_per_kg(delivery, previous_over_limit) / 100
    return round(francs * 20) / 20
