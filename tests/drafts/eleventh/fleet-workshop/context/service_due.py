"""When a vehicle of the fleet is due in the workshop, and how urgent it is.

Run every night at 01:15 by the planning server; the list goes to the workshop desk.
"""

from dataclasses import dataclass
from datetime import date, timedelta

# Miles between two oil services.
OIL_MILES = {
    "ambulance": 12_000,
    "bariatric": 10_000,
    "response car": 9_000,
    "minibus": 15_000,
    "command unit": 6_000,
}

# Days between two safety checks, whatever the mileage.
SAFETY_DAYS = 56
# The law asks for a tail lift to be examined every six months.
TAIL_LIFT_DAYS = 182
# A vehicle may run this far beyond its service before it is blocked.
GRACE_MILES = 500


@dataclass
class Vehicle:
    number: str
    kind: str
    mileage: int
    oil_at: int
    safety_on: date
    tail_lift_on: date | None = None
    spare: bool = False


def oil_due_in(vehicle: Vehicle) -> int:
    """Miles left until the next oil service; negative when it is overdue."""
    return vehicle.oil_at + OIL_MILES[vehicle.kind] - vehicle.mileage


def safety_due_on(vehicle: Vehicle) -> date:
    days = SAFETY_DAYS
    # Spare vehicles stand for long; their brakes rust, so they come in twice as often.
    if vehicle.spare:
        days = days // 2
    return vehicle.safety_on + timedelta(days=days)


def is_blocked(vehicle: Vehicle, today: date) -> bool:
    """A blocked vehicle must not be sent to a call."""
    if oil_due_in(vehicle) < -GRACE_MILES:
        return True
    # There is no grace for the safety check.
    if today > safety_due_on(vehicle):
        return True
    if vehicle.tail_lift_on is not None:
        return today > vehicle.tail_lift_on + timedelta(days=TAIL_LIFT_DAYS)
    return False


def urgency(vehicle: Vehicle, today: date) -> str:
    """The colour on the planning board."""
    if is_blocked(vehicle, today):
        return "red"
    # Amber: less than 1,000 miles or seven days left.
    if oil_due_in(vehicle) < 1_000:
        return "amber"
    if safety_due_on(vehicle) - today <= timedelta(days=7):
        return "amber"
    return "green"
