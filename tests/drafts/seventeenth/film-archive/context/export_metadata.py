"""Writes the catalogue records of scanned reels for the national film portal.

Run every night at 02:30. A reel is left out if it may not go online, if it
has no year, or if its scan has not been checked.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import date
from pathlib import Path

PORTAL_SCHEMA = "EN 15907"
MAX_RECORDS = 500
MAX_TITLE_CHARS = 120
ONLINE_LINES = 1080
RETRIES = 3
RETRY_WAIT_S = 45

# The heirs of Karl Weidmann do not allow these online (agreement, clause 3.1).
BLOCKED = {"W-088", "W-089", "W-090", "W-091"}

FRAME_RATES = {"silent": 18, "sound": 24}


@dataclass
class Reel:
    number: str
    title: str
    year: int | None
    length_m: float
    sound: bool
    checked_on: date | None


def may_leave(reel: Reel) -> bool:
    """Whether a record of this reel goes to the portal."""
    if reel.number in BLOCKED:
        return False
    if reel.year is None:
        return False
    return reel.checked_on is not None


def running_time_s(reel: Reel) -> int:
    # 35 mm film has 52.5 frames to the metre.
    rate = FRAME_RATES["sound" if reel.sound else "silent"]
    return round(reel.length_m * 52.5 / rate)


def record(reel: Reel) -> dict[str, object]:
    return {
        "schema": PORTAL_SCHEMA,
        "id": f"ofa:{reel.number.lower()}",
        "title": reel.title[:MAX_TITLE_CHARS],
        "year": reel.year,
        "running_time_s": running_time_s(reel),
        "lines": ONLINE_LINES,
        "holder": "Ostermark Film Archive",
        "language": "de",
    }


def export(reels: list[Reel], folder: Path) -> int:
    """Writes at most MAX_RECORDS records, oldest films first; returns how many."""
    chosen = sorted(filter(may_leave, reels), key=lambda reel: reel.year or 0)
    chosen = chosen[:MAX_RECORDS]
    folder.mkdir(parents=True, exist_ok=True)
    for reel in chosen:
        path = folder / f"{reel.number}.json"
        path.write_text(json.dumps(record(reel), indent=2), encoding="utf-8")
    return len(chosen)
