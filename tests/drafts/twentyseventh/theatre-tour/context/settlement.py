"""Settle a week with a venue: what it owes the company after a run.

Used by Larkfield Theatre Company since the spring tour of 2024. Amounts are in
pence, so that nothing is lost in rounding until the last line.
"""

from dataclasses import dataclass, field
from datetime import date, timedelta

CARD_COMMISSION_PERCENT = 3
PAYMENT_DAYS = 30
LATE_MARGIN_PERCENT = 4
# The Managers' Guild advises to query any difference above this.
TOLERANCE_PENCE = 250


class SettlementError(ValueError):
    """Raised when a run cannot be settled from the figures given."""


@dataclass
class Run:
    venue: str
    gross_pence: int
    planned: int
    played: int
    split_percent: int = 70
    guarantee_pence: int = 0
    contra_pence: list[int] = field(default_factory=list)


def net_receipts(run: Run) -> int:
    """Gross less card commission; nothing else comes off before the split."""
    commission = run.gross_pence * CARD_COMMISSION_PERCENT // 100
    return run.gross_pence - commission


def reduced_guarantee(run: Run) -> int:
    """The guarantee shrinks in proportion to the performances not played."""
    if run.planned < 1:
        raise SettlementError(f"{run.venue}: no performance was planned")
    return run.guarantee_pence * run.played // run.planned


def company_share(run: Run) -> int:
    """The split or the guarantee, whichever is the greater."""
    split = net_receipts(run) * run.split_percent // 100
    return max(split, reduced_guarantee(run))


def amount_due(run: Run) -> int:
    """Contra charges come off the share. A negative result is an error: the
    company never pays a venue out of a settlement."""
    due = company_share(run) - sum(run.contra_pence)
    if due < 0:
        raise SettlementError(f"{run.venue}: contra charges exceed the share")
    return due


def due_date(settled_on: date) -> date:
    """Thirty days after the settlement; a weekend moves it to the Monday."""
    due = settled_on + timedelta(days=PAYMENT_DAYS)
    while due.weekday() >= 5:
        due += timedelta(days=1)
    return due


def late_interest(pence: int, days_late: int, base_rate_percent: float) -> int:
    """Simple interest by the day. The first five days late are let pass."""
    if days_late <= 5:
        return 0
    rate = (base_rate_percent + LATE_MARGIN_PERCENT) / 100
    return round(pence * rate * days_late / 365)


def agrees(ours: int, theirs: int) -> bool:
    return abs(ours - theirs) <= TOLERANCE_PENCE


DRAYMOOR = Run(
    venue="The Foundry",
    gross_pence=3_159_000,
    planned=5,
    played=4,
    guarantee_pence=1_400_000,
    contra_pence=[64_000, 38_500],
)

if __name__ == "__main__":
    print(f"{DRAYMOOR.venue}: £{amount_due(DRAYMOOR) / 100:,.2f}")
