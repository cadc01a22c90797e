"""What a night at Karlsegg Hut costs: the rules of the booking page, prices of 2025 in euros."""

from dataclasses import dataclass
from datetime import date, timedelta

MEMBER_PRICE = {"dormitory": 16, "room": 22}
OTHER_PRICE = {"dormitory": 32, "room": 44}
HALF_BOARD = 46
CHILD_HALF_BOARD = 29
VISITOR_TAX = 2.40

# Children below this age sleep free of charge; up to JUNIOR_UNTIL they pay half.
FREE_BELOW_AGE = 6
JUNIOR_UNTIL = 18

GROUP_FROM = 12
FREE_PLACE_EVERY = 20
MAX_NIGHTS = 3
DEPOSIT_PER_BED = 10


class BookingRefused(Exception):
    """The booking breaks a rule of the house."""


@dataclass(frozen=True)
class Guest:
    age: int
    member: bool


@dataclass(frozen=True)
class Booking:
    guests: tuple[Guest, ...]
    bed: str
    arrival: date
    nights: int


def price_of_bed(guest: Guest, bed: str) -> float:
    """The price of one bed for one night, without the visitor tax."""
    if guest.age < FREE_BELOW_AGE:
        return 0.0
    table = MEMBER_PRICE if guest.member else OTHER_PRICE
    full = table[bed]
    return full / 2 if guest.age <= JUNIOR_UNTIL else float(full)


def price_of_booking(booking: Booking) -> float:
    """Every twentieth place of a group is free, which is for the leader."""
    if booking.nights > MAX_NIGHTS:
        raise BookingRefused("no more than three nights in a row")
    beds = sorted(price_of_bed(guest, booking.bed) for guest in booking.guests)
    free = len(beds) // FREE_PLACE_EVERY
    adults = sum(guest.age > JUNIOR_UNTIL for guest in booking.guests)
    return (sum(beds[free:]) + adults * VISITOR_TAX) * booking.nights


def deposit(booking: Booking) -> int:
    """Groups pay a deposit for each bed, single guests do not."""
    count = len(booking.guests)
    return count * DEPOSIT_PER_BED if count >= GROUP_FROM else 0


def cancellation_fee(booking: Booking, cancelled_on: date) -> float:
    """Free until 48 hours before arrival for single guests and 14 days for groups."""
    group = len(booking.guests) >= GROUP_FROM
    free_until = booking.arrival - timedelta(days=14 if group else 2)
    if cancelled_on <= free_until:
        return 0.0
    return 15.0 * len(booking.guests)


def bed_is_held_until(booking: Booking) -> str:
    """A bed that is not claimed by then is given away."""
    return "18:00"
