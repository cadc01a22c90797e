"""The figures of the project budget, each stated once.

The workbook is written from them, values and cached totals alike. The papers that repeat a figure
do so in their own words, so a change here has to be carried into `meridian/` by hand.
"""

from datetime import date

VERSION_DATE = date(2025, 11, 14)
SUBSCRIPTION, SERVICES, DISCOUNT = 612_000, 2_088_000, 0.05
OCTOBER_VENDORS, OCTOBER_RATE, RATE = 2_655_000, 0.12, 0.15
CEILING, DISCOVERY_Q2 = 4_500_000, 860_000

STAFF = (
    ("Programme director", 1.0, date(2026, 1, 5), 34, 4_200),
    ("Solution architect", 1.0, date(2026, 1, 5), 24, 3_900),
    ("Integration engineers", 3.0, date(2026, 2, 2), 20, 3_400),
    ("Data engineers", 2.0, date(2026, 2, 2), 22, 3_300),
    ("Business analysts", 2.5, date(2026, 1, 5), 26, 2_800),
    ("Test lead and testers", 3.0, date(2026, 4, 13), 16, 2_600),
    ("Super users (backfill)", 8.0, date(2026, 6, 1), 6, 1_900),
    ("Change and training lead", 1.0, date(2026, 2, 2), 30, 2_900),
)
OTHER_INTERNAL = (
    ("Test environments and tooling", 84_000),
    ("Travel between sites", 46_500),
    ("Archive storage for MOSS records (seven years)", 23_900),
)
RESERVES = (
    ("R-01", "Data migration", 0.4),
    ("R-03", "Interfaces", 0.3),
    ("R-05", "Super users kept longer", 0.2),
    ("-", "Not allocated", 0.1),
)
ACTUALS = (
    ("Staff", 168_000, 182_500, 194_500, 540_000),
    ("Consultants", 120_000, 135_000, 140_000, 380_000),
    ("Licenses and trial environments", 38_000, 41_000, 46_000, 130_000),
    ("Travel", 15_500, 18_000, 21_500, 60_000),
)
MOSS_RUN = (
    ("Hosting and hardware", 418_000),
    ("Maintenance contracts", 356_000),
    ("Support staff", 432_000),
    ("Database licenses", 134_000),
)
CONTINUUM_RUN = (
    ("Subscription (year 1 price)", SUBSCRIPTION),
    ("Support staff", 228_000),
    ("Interface hosting", 65_000),
)

VENDORS = SUBSCRIPTION + SERVICES - int(SERVICES * DISCOUNT)
STAFF_TOTAL = sum(int(fte * weeks * rate) for _, fte, _, weeks, rate in STAFF)
INTERNAL = STAFF_TOTAL + sum(amount for _, amount in OTHER_INTERNAL)
BASE = VENDORS + INTERNAL
CONTINGENCY = round(BASE * RATE)
TOTAL = BASE + CONTINGENCY
