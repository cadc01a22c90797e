"""What a family pays for school lunches in LunchPay.

All amounts are in pence. The rules follow decision 4.2 of the Education
Committee; the prices are kept here until the price service is ready.
"""

from dataclasses import dataclass
from datetime import date, time

LUNCH_PRICE = 270
STAFF_PRICE = 395
SIBLING_DISCOUNT = 0.15  # from the third child of a family
FREE_UNTIL_YEAR = 3
LOW_BALANCE = 1000
MAX_DEBT = 2500
ORDER_CLOSES = time(8, 45)
CANCEL_FREE_UNTIL = time(9, 0)
TOP_UP_MINIMUM = 500


@dataclass
class Pupil:
    name: str
    school_year: int
    child_number: int
    free_meals: bool = False
    medical_diet: bool = False


def price_for(pupil: Pupil) -> int:
    """The price of one lunch. Medical diets cost the same as any other lunch."""
    if pupil.free_meals or pupil.school_year <= FREE_UNTIL_YEAR:
        return 0
    if pupil.child_number >= 3:
        return round(LUNCH_PRICE * (1 - SIBLING_DISCOUNT))
    return LUNCH_PRICE


def can_order(now: time) -> bool:
    """Orders for today close at a quarter to nine."""
    return now <= ORDER_CLOSES


def refund(pupil: Pupil, cancelled_at: time) -> int:
    """A lunch that is cancelled in time is refunded in full, later not at all."""
    if cancelled_at <= CANCEL_FREE_UNTIL:
        return price_for(pupil)
    return 0


def reminder(balance: int) -> str | None:
    """A child is always served; only the wording of the reminder changes."""
    if balance < -MAX_DEBT:
        return "letter"  # by post, signed by the school office
    if balance < 0:
        return "call"
    if balance < LOW_BALANCE:
        return "push"
    return None


def top_up_allowed(amount: int) -> bool:
    return amount >= TOP_UP_MINIMUM


def statement_day(month: date) -> date:
    """Statements are sent on the fifth of each month."""
    return month.replace(day=5)
