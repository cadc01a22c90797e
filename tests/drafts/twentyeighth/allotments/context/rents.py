"""Yearly rents for Larkfield Gardens, from the plot register.

Run by the treasurer each March; prints one line per plot.
Written by Yusuf Demir, last changed 9 November 2025.
"""

import csv
import sys
from decimal import ROUND_HALF_UP, Decimal

RATE_PER_M2 = Decimal("0.45")  # pounds, from 1 April 2026; was 0.42
WATER_FULL_PLOT = Decimal("24.00")
WATER_HALF_PLOT = Decimal("14.00")
HALF_PLOT_BELOW_M2 = 100  # plots smaller than this count as half plots
SHED_FEE = Decimal("6.50")
MINIMUM_RENT = Decimal("30.00")
PENSIONER_DISCOUNT = Decimal("0.30")
LATE_FEE = Decimal("10.00")


def pennies(amount: Decimal) -> Decimal:
    return amount.quantize(Decimal("0.01"), rounding=ROUND_HALF_UP)


def rent(size_m2: int, discount: str) -> Decimal:
    """The rent for the ground alone. The minimum applies after the discount."""
    amount = RATE_PER_M2 * size_m2
    if discount == "pensioner":
        amount *= 1 - PENSIONER_DISCOUNT
    return max(pennies(amount), MINIMUM_RENT)


def water(size_m2: int) -> Decimal:
    # The pensioner discount is not given on water: decided in 2019.
    if size_m2 < HALF_PLOT_BELOW_M2:
        return WATER_HALF_PLOT
    return WATER_FULL_PLOT


def total(row: dict[str, str]) -> Decimal:
    size = int(row["size_m2"])
    amount = rent(size, row["discount"]) + water(size)
    if row["shed"] == "yes":
        amount += SHED_FEE
    return amount


def main(path: str) -> None:
    with open(path, newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            if row["status"] == "empty":
                continue  # nobody to send a bill to
            # Tenants under notice still pay until they leave.
            print(f"{row['plot']:>3}  {row['tenant']:<24} {total(row):>8}")


if __name__ == "__main__":
    main(sys.argv[1])
