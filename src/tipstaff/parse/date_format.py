"""Spreadsheet dates: serial numbers to moments, and moments as a date format shows them.

Serial numbers count days, from 1900 (with the 29 February 1900 that never was) or from 1904.
Month and weekday names are English, whatever the locale tag of the format.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Sequence

_DAY_MS = 86_400_000
_LAST_SERIAL = 2_958_466  # the day after 9999-12-31

_EPOCH_1904 = dt.datetime(1904, 1, 1)  # noqa: DTZ001 - spreadsheet times have no zone
_EPOCH_1900 = dt.datetime(1899, 12, 30)  # noqa: DTZ001
_EPOCH_BEFORE_MARCH_1900 = dt.datetime(1899, 12, 31)  # noqa: DTZ001

_DATE_PART = re.compile(r"[yY]+|[mM]+|[dD]+|[hH]+|[sS]+|[eE]+|AM/PM|A/P|\.0+", re.IGNORECASE)

_MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August",
           "September", "October", "November", "December")  # fmt: skip
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")

# A piece of a format: ("text", literal), ("part", "yyyy"), ("elapsed", "h").
Piece = tuple[str, str]


def moment(serial: float, *, from_1904: bool, milliseconds: bool = False) -> dt.datetime | None:
    """The moment that a serial number names, to the second, or None where there is none."""
    if not 0 <= serial < _LAST_SERIAL:
        return None
    total_ms = round(serial * _DAY_MS)
    if not milliseconds:
        total_ms = (total_ms + 500) // 1000 * 1000
    since_1900 = _EPOCH_1900 if serial >= 60 else _EPOCH_BEFORE_MARCH_1900
    try:
        return (_EPOCH_1904 if from_1904 else since_1900) + dt.timedelta(milliseconds=total_ms)
    except OverflowError:
        return None


def iso(serial: float, *, from_1904: bool) -> str | None:
    """A serial number as ISO 8601: a time below one day, a date, or a date and time."""
    at = moment(serial, from_1904=from_1904)
    if at is None:
        return None
    if serial < 1 and not from_1904:
        return at.time().isoformat()
    return at.date().isoformat() if at.time() == dt.time() else at.isoformat()


def date_parts(letters: str) -> list[Piece]:
    """The unquoted part of a format in pieces: `d/m` is day, a slash, month."""
    pieces: list[Piece] = []
    position = 0
    for match in _DATE_PART.finditer(letters):
        if match.start() > position:
            pieces.append(("text", letters[position : match.start()]))
        pieces.append(("part", match[0].lower()))
        position = match.end()
    if position < len(letters):
        pieces.append(("text", letters[position:]))
    return pieces


def date_renderer(pieces: Sequence[Piece], *, from_1904: bool) -> Callable[[float], str | None]:
    """A function from serial numbers to what the format shows; None where it cannot."""
    pieces = _minutes_told_from_months(pieces)
    parts = {text for kind, text in pieces if kind == "part"}
    fraction = any(part.startswith(".") for part in parts)
    twelve_hours = bool(parts & {"am/pm", "a/p"})
    elapsed = any(kind == "elapsed" for kind, _ in pieces)

    def render(serial: float) -> str | None:
        at = moment(abs(serial) if elapsed else serial, from_1904=from_1904, milliseconds=fraction)
        if at is None:
            return None
        shown = [
            text
            if kind == "text"
            else _elapsed(text, abs(serial))
            if kind == "elapsed"
            else _shown(text, at, twelve_hours=twelve_hours)
            for kind, text in pieces
        ]
        return ("-" if serial < 0 else "") + "".join(shown).strip()

    return render


def _minutes_told_from_months(pieces: Sequence[Piece]) -> list[Piece]:
    """`m` is minutes right behind hours or right before seconds, else the month."""
    timed = [
        (index, text[0]) for index, (kind, text) in enumerate(pieces) if kind in ("part", "elapsed")
    ]
    result = list(pieces)
    for place, (index, letter) in enumerate(timed):
        if letter != "m" or pieces[index][0] == "elapsed":
            continue
        before = timed[place - 1][1] if place else ""
        after = timed[place + 1][1] if place + 1 < len(timed) else ""
        if before == "h" or after == "s":
            result[index] = ("part", "n" * len(pieces[index][1]))
    return result


def _shown(part: str, at: dt.datetime, *, twelve_hours: bool) -> str:
    letter, length = part[0], len(part)
    if part in ("am/pm", "a/p"):
        name = "AM" if at.hour < 12 else "PM"
        return name if part == "am/pm" else name[0]
    if letter == "y":
        return f"{at.year % 100:02d}" if length <= 2 else f"{at.year:04d}"
    if letter == "e":
        return f"{at.year:04d}"
    if letter == "m" and length > 2:
        name = _MONTHS[at.month - 1]
        return {3: name[:3], 5: name[0]}.get(length, name)
    if letter == "d" and length > 2:
        name = _DAYS[at.weekday()]
        return name[:3] if length == 3 else name
    if letter == ".":
        return f".{at.microsecond // 1000:03d}"[: max(2, length)]
    hour = (at.hour % 12 or 12) if twelve_hours else at.hour
    number = {"m": at.month, "d": at.day, "h": hour, "n": at.minute, "s": at.second}[letter]
    return f"{number:02d}" if length > 1 else str(number)


def _elapsed(letters: str, serial: float) -> str:
    """Hours, minutes or seconds in all: `[h]` of a day and a half is 36."""
    seconds = round(serial * 86_400)
    count = seconds // {"h": 3600, "m": 60, "s": 1}[letters[0]]
    return str(count).rjust(len(letters), "0")
