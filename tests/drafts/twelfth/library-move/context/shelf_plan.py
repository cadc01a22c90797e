"""Where each class of books stands in the Merrow Library.

Written by Yusuf Karaca for the move of 2025. Lengths are in centimetres unless
a name says otherwise.
"""

from dataclasses import dataclass
from math import ceil

SHELF_LENGTH = 90
SHELVES_PER_BAY = 6
COMPACT_SHELVES_PER_BAY = 7

# Growth for ten years, as a share of the present length.
GROWTH = {
    "law": 0.15,
    "music": 0.10,
    "periodicals": 0.0,  # printed periodicals are no longer bought
    "general": 0.20,
}
DEFAULT_GROWTH = 0.12

# Class marks by their first letter; the ground floor has no open shelves.
FLOOR_OF_CLASS = {
    "A": 1,
    "B": 1,
    "H": 2,
    "K": 4,  # law, with a reading room of its own
    "M": 3,  # music, beside the listening rooms
    "Q": 3,
    "T": 2,
}
BASEMENT = -1
LAST_LOAN_YEARS = 8


@dataclass(frozen=True)
class Run:
    """Books that stand together: a class mark and how long they are."""

    class_mark: str
    collection: str
    length: int
    years_since_loan: int


def floor_for(run: Run) -> int:
    """Periodicals and books not lent for eight years go to the basement."""
    if run.collection == "periodicals":
        return BASEMENT
    if run.years_since_loan >= LAST_LOAN_YEARS:
        return BASEMENT
    return FLOOR_OF_CLASS.get(run.class_mark[0], 2)


def length_with_growth(run: Run) -> int:
    share = GROWTH.get(run.collection, DEFAULT_GROWTH)
    return ceil(run.length * (1 + share))


def bays_for(run: Run) -> int:
    """Whole bays only: two runs never share a bay."""
    on_compact = floor_for(run) == BASEMENT
    shelves = COMPACT_SHELVES_PER_BAY if on_compact else SHELVES_PER_BAY
    return ceil(length_with_growth(run) / (SHELF_LENGTH * shelves))


def check(runs: list[Run], bays_on_floor: dict[int, int]) -> list[str]:
    """The floors that are too full. A floor may be filled to 95 percent."""
    used: dict[int, int] = {}
    for run in runs:
        floor = floor_for(run)
        used[floor] = used.get(floor, 0) + bays_for(run)
    return [
        f"floor {floor}: {bays} bays"
        for floor, bays in sorted(used.items())
        if bays > 0.95 * bays_on_floor[floor]
    ]
