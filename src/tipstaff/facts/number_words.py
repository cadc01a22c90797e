"""Numbers spelled out in English: "four thousand three hundred and eighty", "eleven and a half
thousand". What stands between two numbers ("five and six") does not make them one."""

from __future__ import annotations

import re
from decimal import Decimal

_SMALL = {
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
    "nine": 9,
}  # fmt: skip
_TEENS = {
    "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15,
    "sixteen": 16, "seventeen": 17, "eighteen": 18, "nineteen": 19,
}  # fmt: skip
_TENS = {
    "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70,
    "eighty": 80, "ninety": 90,
}  # fmt: skip
_LARGE = {"thousand": 3, "million": 6, "billion": 9}
_VALUES = _SMALL | _TEENS | _TENS

_small, _teens, _tens, _large = ("|".join(words) for words in (_SMALL, _TEENS, _TENS, _LARGE))
_below_100 = rf"(?:(?:{_tens})(?:[-\s](?:{_small})\b)?|{_teens}|{_small})\b"
# Atomic: "two hundred" is never read as "two" because of what follows it.
_below_1000 = rf"(?>(?:{_below_100}\s+|a\s+)?hundred\b(?:\s+and\s+{_below_100})?|{_below_100})"
# Groups: none of its own, so that others may build on it.
NUMBER_WORDS = (
    rf"\b{_below_1000}(?:\s+and\s+a\s+half\b)?(?:\s+(?:{_large})\b"
    rf"(?:\s+(?:and\s+)?{_below_1000}(?!\s+and\s+a\s+half))?)*"
)
# In small letters: where none of these stands, nothing is spelled out. One per word is enough.
ANY_NUMBER_WORD = re.compile(rf"{_small}|ten|elev|twe|thir|fort|fif|hundred")
_ORDINALS = {
    "first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7,
    "eighth": 8, "ninth": 9, "tenth": 10, "eleventh": 11, "twelfth": 12, "thirteenth": 13,
    "fourteenth": 14, "fifteenth": 15, "sixteenth": 16, "seventeenth": 17, "eighteenth": 18,
    "nineteenth": 19, "twentieth": 20, "thirtieth": 30,
}  # fmt: skip
_units = "first|second|third|fourth|fifth|sixth|seventh|eighth|ninth"
ORDINAL_WORDS = rf"\b(?:(?:twenty|thirty)[-\s](?:{_units})|{'|'.join(_ORDINALS)})\b"


def spelled_value(words: str) -> Decimal:
    """The value of what `NUMBER_WORDS` matched."""
    total = group = Decimal(0)
    for word in re.split(r"[-\s]+", words.lower()):
        if word in _VALUES:
            group += _VALUES[word]
        elif word == "half":
            group += Decimal("0.5")
        elif word == "hundred":
            group = max(group, Decimal(1)) * 100
        elif word in _LARGE:
            total += max(group, Decimal(1)) * 10 ** _LARGE[word]
            group = Decimal(0)
    return total + group


def ordinal_word(value: int) -> str:
    """ "Tenth" for 10; nothing where `ORDINAL_WORDS` has no word."""
    for base, tens in ((0, ""), (20, "twenty-"), (30, "thirty-")):
        for word, number in _ORDINALS.items():
            if value == base + number and (not base or number < 10):
                return f"{tens}{word}"
    return ""


def ordinal_value(words: str) -> int:
    """The value of what `ORDINAL_WORDS` matched."""
    return sum(
        _ORDINALS[word] if word in _ORDINALS else _TENS[word]
        for word in re.split(r"[-\s]+", words.lower())
    )
