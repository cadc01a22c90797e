"""Compensation for late or missing Line 6 services, as paid by customer service.

The rules were agreed with the passengers' council on 3 June 2025.
"""

from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal

# A delay of fewer minutes than this is not compensated.
MIN_DELAY_MINUTES = 20

# Flat sums in euros for one journey.
SHORT_DELAY_SUM = Decimal("15.00")  # from 20 to 59 minutes
LONG_DELAY_SUM = Decimal("30.00")  # 60 minutes and more
MISSED_TRAIN_SUM = Decimal("45.00")  # last connection at Sankt Brun missed

# A taxi is refunded up to this sum, with a receipt.
TAXI_LIMIT = Decimal("80.00")

# A claim must arrive within so many days of the journey.
CLAIM_DAYS = 30

# Nobody gets more than this in one calendar year.
YEARLY_LIMIT = Decimal("240.00")


@dataclass(frozen=True)
class Claim:
    passenger: str
    journey: date
    received: date
    delay_minutes: int
    missed_last_train: bool = False
    taxi_receipt: Decimal | None = None
    season_ticket: bool = False


def is_in_time(claim: Claim) -> bool:
    """Late claims are refused, whatever the reason."""
    return claim.received <= claim.journey + timedelta(days=CLAIM_DAYS)


def flat_sum(claim: Claim) -> Decimal:
    if claim.missed_last_train:
        return MISSED_TRAIN_SUM
    if claim.delay_minutes >= 60:
        return LONG_DELAY_SUM
    if claim.delay_minutes >= MIN_DELAY_MINUTES:
        return SHORT_DELAY_SUM
    return Decimal(0)


def taxi_refund(claim: Claim) -> Decimal:
    """Taxis are refunded only when the last train was missed."""
    if not claim.missed_last_train or claim.taxi_receipt is None:
        return Decimal(0)
    return min(claim.taxi_receipt, TAXI_LIMIT)


def payment(claim: Claim, paid_this_year: Decimal) -> Decimal:
    """What is paid now; holders of a season ticket get a quarter more on the flat sum."""
    if not is_in_time(claim):
        return Decimal(0)
    flat = flat_sum(claim)
    if claim.season_ticket:
        flat *= Decimal("1.25")
    # TODO: ask Rui Teixeira whether taxis should count towards the yearly limit.
    total = flat + taxi_refund(claim)
    return min(total, max(YEARLY_LIMIT - paid_this_year, Decimal(0)))
