"""Checks of the packet labels, run by SeedTrack after each scan.

Written for the inventory of 2025. Maintainer: Noor Haddad.
"""

from dataclasses import dataclass
from datetime import date

PREFIX = "WN"
DIGITS = 5
MIN_SEEDS = 500
MIN_SEEDS_WILD = 200
RETEST_AFTER_YEARS = 10
MAX_LABEL_AGE_YEARS = 25

# Store C is colder than the others, because it holds the grasses and the wild species.
STORE_TEMPERATURES = {"A": -18, "B": -18, "C": -20}


class LabelError(ValueError):
    """Raised when a label cannot belong to a packet of this bank."""


@dataclass(frozen=True)
class Packet:
    accession: str
    store: str
    seeds: int
    wild: bool
    packed: date
    last_test: date | None


def check_digit(number: str) -> int:
    """Weights 3 and 1 alternate from the right; the sum is taken modulo 10."""
    total = 0
    for place, digit in enumerate(reversed(number)):
        total += int(digit) * (3 if place % 2 == 0 else 1)
    return (10 - total % 10) % 10


def parse_label(label: str) -> str:
    """Return the accession number, or raise LabelError."""
    prefix, number, check = label.split("-")
    if prefix != PREFIX:
        raise LabelError(f"foreign label: {label}")
    if len(number) != DIGITS or not number.isdigit():
        raise LabelError(f"number must have {DIGITS} digits: {label}")
    if check_digit(number) != int(check):
        raise LabelError(f"check digit does not match: {label}")
    return f"{prefix}-{number}"


def warnings_for(packet: Packet, today: date) -> list[str]:
    """What the scanner shows to the person who holds the packet."""
    found = []
    minimum = MIN_SEEDS_WILD if packet.wild else MIN_SEEDS
    if packet.seeds < minimum:
        found.append("too few seeds: do not lend")
    if packet.last_test is None:
        found.append("never tested")
    elif today.year - packet.last_test.year > RETEST_AFTER_YEARS:
        found.append("test is due")
    if today.year - packet.packed.year > MAX_LABEL_AGE_YEARS:
        found.append("print a new label")
    return found
