"""When a repair is due, and what a late one costs the contractor.

Used by the ticket system each night at 02:15 to mark tickets that are late.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, timedelta

EMERGENCY_HOURS = 4
URGENT_DAYS = 7
ROUTINE_DAYS = 28
DAMP_WORKING_DAYS = 10
DAMP_WORKING_DAYS_YOUNG_CHILD = 3
YOUNG_CHILD_AGE = 5

MISSED_APPOINTMENT_GBP = 25
URGENT_TARGET = 0.92
DEDUCTION = 0.03
DEDUCTION_CAP_GBP = 120_000

# Reminders go to the planner when this share of the time has passed.
REMIND_AT = 0.75

# Heating counts as an emergency from October to April.
HEATING_MONTHS = (10, 11, 12, 1, 2, 3, 4)


@dataclass(frozen=True)
class Ticket:
    number: str
    reported: datetime
    priority: str
    category: str
    youngest_child: int | None = None


def priority_of(ticket: Ticket) -> str:
    """A loss of heating in winter is an emergency, whatever the caller chose."""
    if ticket.category == "no_heating" and ticket.reported.month in HEATING_MONTHS:
        return "emergency"
    return ticket.priority


def due(ticket: Ticket, holidays: set[date]) -> datetime:
    if ticket.category == "damp":
        young = ticket.youngest_child is not None and ticket.youngest_child < YOUNG_CHILD_AGE
        days = DAMP_WORKING_DAYS_YOUNG_CHILD if young else DAMP_WORKING_DAYS
        return add_working_days(ticket.reported, days, holidays)
    priority = priority_of(ticket)
    if priority == "emergency":
        return ticket.reported + timedelta(hours=EMERGENCY_HOURS)
    if priority == "urgent":
        return ticket.reported + timedelta(days=URGENT_DAYS)
    return ticket.reported + timedelta(days=ROUTINE_DAYS)


def add_working_days(start: datetime, days: int, holidays: set[date]) -> datetime:
    """Saturdays, Sundays and public holidays do not count."""
    moment = start
    while days > 0:
        moment += timedelta(days=1)
        if moment.weekday() < 5 and moment.date() not in holidays:
            days -= 1
    return moment


def deduction(invoice_gbp: float, urgent_in_time: float, deducted_so_far: float) -> float:
    """Nothing is deducted when the target is met."""
    if urgent_in_time >= URGENT_TARGET:
        return 0.0
    room = max(DEDUCTION_CAP_GBP - deducted_so_far, 0.0)
    return min(invoice_gbp * DEDUCTION, room)
