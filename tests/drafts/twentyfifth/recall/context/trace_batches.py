"""Trace batches of jam from a jar lot or a time window to the customers who got them.

Used by Logistics in a recall. Reads the batch list and the dispatch list of the ERP.
"""

from __future__ import annotations

import csv
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path

# A fragment can travel on the conveyor: look at the days before and after as well.
DAYS_BEFORE = 1
DAYS_AFTER = 2

# Dispatches older than this are taken from the archive, which is slow.
ARCHIVE_AFTER_DAYS = 400

MAX_CUSTOMERS = 250
REPORT_FORMATS = ("csv", "pdf")


class TraceError(Exception):
    """The lists do not fit together."""


@dataclass(frozen=True)
class Batch:
    code: str
    line: int
    filled_on: date
    jar_lot: str
    jars_filled: int
    jars_rejected: int


def read_batches(path: Path) -> list[Batch]:
    with path.open(newline="") as file:
        return [
            Batch(
                code=row["batch"],
                line=int(row["line"]),
                filled_on=date.fromisoformat(row["filled_on"]),
                jar_lot=row["jar_lot"],
                jars_filled=int(row["jars_filled"]),
                jars_rejected=int(row["jars_rejected"]),
            )
            for row in csv.DictReader(file)
        ]


def affected(batches: list[Batch], line: int, incident: date) -> list[Batch]:
    """Batches of the same line in the window around the incident.

    Other lines are never included, even if they used the same jar lot.
    """
    first = incident - timedelta(days=DAYS_BEFORE)
    last = incident + timedelta(days=DAYS_AFTER)
    return [b for b in batches if b.line == line and first <= b.filled_on <= last]


def check_balance(batch: Batch, dispatched: int, held: int) -> None:
    """Raise TraceError if more than 0.5 percent of a batch is unaccounted for."""
    missing = batch.jars_filled - batch.jars_rejected - dispatched - held
    if abs(missing) > batch.jars_filled * 0.005:
        raise TraceError(f"{batch.code}: {missing} jars unaccounted for")


def customers(batch: Batch, dispatches: list[dict[str, str]]) -> dict[str, int]:
    """Jars of this batch by customer, the largest first. Samples are left out."""
    jars: dict[str, int] = {}
    for row in dispatches:
        if row["batch"] != batch.code or row["kind"] == "sample":
            continue
        jars[row["customer"]] = jars.get(row["customer"], 0) + int(row["jars"])
    if len(jars) > MAX_CUSTOMERS:
        raise TraceError("too many customers: ask Logistics to split the list")
    return dict(sorted(jars.items(), key=lambda pair: -pair[1]))
