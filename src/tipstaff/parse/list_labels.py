"""Numbers as lists write them: 3 is "3", "c", "C", "iii" or "III"."""

from __future__ import annotations

_ROMAN = (
    (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"),
    (50, "l"), (40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
)  # fmt: skip


def roman(number: int) -> str:
    """In lower case; what the Romans could not write stays in digits."""
    if not 0 < number < 4000:
        return str(number)
    text = ""
    for value, letters in _ROMAN:
        count, number = divmod(number, value)
        text += letters * count
    return text


def letters(number: int) -> str:
    """a, b, … z, then aa, bb as word processors go on."""
    if not 0 < number <= 26 * 20:
        return str(number)
    repeats, index = divmod(number - 1, 26)
    return chr(ord("a") + index) * (repeats + 1)
