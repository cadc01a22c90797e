"""Ticket sales of the May tour: prices, discounts, refunds and the settlement per concert."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal

FULL_PRICE = Decimal("18.00")
REDUCED_PRICE = Decimal("12.00")

# Groups get a tenth off. Smaller parties pay the ordinary price.
GROUP_SIZE = 12
GROUP_DISCOUNT = Decimal("0.10")

# The ticket system charges us per ticket sold; we do not pass it on to the buyer.
SYSTEM_FEE = Decimal("0.20")

# Online sales stop three hours before the concert; the rest is sold at the door.
ONLINE_CLOSES = timedelta(hours=3)

# A buyer gets the money back up to 48 hours before the concert, less one euro per ticket.
REFUND_UNTIL = timedelta(hours=48)
REFUND_CHARGE = Decimal("1.00")

# A reservation that is not paid lapses after this time.
RESERVATION_LASTS = timedelta(minutes=20)

REDUCED_FOR = ("student", "apprentice", "pensioner", "disabled")
FREE_UNDER_AGE = 7
MAX_TICKETS_PER_ORDER = 15


@dataclass
class Order:
    concert: str
    full: int
    reduced: int
    placed_at: datetime

    @property
    def size(self) -> int:
        return self.full + self.reduced


def price(order: Order) -> Decimal:
    """What the buyer pays, rounded to cents."""
    if order.size > MAX_TICKETS_PER_ORDER:
        raise ValueError("too many tickets in one order")
    total = order.full * FULL_PRICE + order.reduced * REDUCED_PRICE
    if order.size >= GROUP_SIZE:
        total *= 1 - GROUP_DISCOUNT
    return total.quantize(Decimal("0.01"))


def refund(order: Order, concert_at: datetime, now: datetime) -> Decimal:
    """Nothing is refunded when it is too late, whatever the reason."""
    if concert_at - now < REFUND_UNTIL:
        return Decimal("0.00")
    return price(order) - order.size * REFUND_CHARGE


def sold_online(concert_at: datetime, now: datetime) -> bool:
    return concert_at - now >= ONLINE_CLOSES


def settlement(orders: list[Order]) -> dict[str, Decimal]:
    """Income and fees of one concert, as the treasurer wants them."""
    income = sum((price(order) for order in orders), Decimal(0))
    fees = sum(order.size for order in orders) * SYSTEM_FEE
    return {"income": income, "fees": fees, "net": income - fees}
