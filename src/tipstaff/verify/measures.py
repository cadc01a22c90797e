"""Units behind figures, by what they measure: 350 millimetres are 35 centimetres and never 350."""

from __future__ import annotations

import re
from decimal import Decimal
from functools import cache, lru_cache

from tipstaff.lexical.analysis import terms

_UNITS: dict[str, dict[str, str]] = {
    "length": {
        "0.000001": "µm micrometre micrometer micron", "0.001": "mm millimetre millimeter",
        "0.01": "cm centimetre centimeter",
        "1": "m metre meter", "1000": "km kilometre kilometer", "0.0254": "inch inches",
        "0.3048": "foot feet ft", "0.9144": "yard", "1609.344": "mile",
    },
    "area": {
        "1": "m² m2 sqm square-metre square-meter", "0.09290304": "square-foot square-feet sqft",
        "10000": "hectare", "1000000": "square-kilometre square-kilometer",
        "4046.8564224": "acre", "0.83612736": "square-yard", "0.0001": "square-centimetre",
    },
    "mass": {
        "0.000001": "µg mcg microgram", "0.001": "mg milligram", "1": "g gram gramme",
        "1000": "kg kilogram kilo", "1000000": "tonne", "453.59237": "lb pound-weight",
    },
    "volume": {
        "0.001": "ml millilitre milliliter", "1": "l litre liter", "1000": "m³ m3 cubic-metre "
        "cubic-meter kilolitre", "1000000": "megalitre megaliter", "3.785411784": "gallon",
    },
    "data": {
        "1": "byte", "1000": "kb kilobyte", "1000000": "mb megabyte", "1000000000": "gb gigabyte",
        "1000000000000": "tb terabyte", "1000000000000000": "pb petabyte",
    },
    "short time": {"0.001": "ms millisecond", "0.000001": "µs microsecond", "1": "sec"},
    "power": {"1": "w watt", "1000": "kw kilowatt", "1000000": "mw megawatt"},
    "energy": {
        "1": "wh watt-hour", "1000": "kwh kilowatt-hour", "1000000": "mwh megawatt-hour",
        "1000000000": "gwh gigawatt-hour",
    },
    "apparent power": {"1000": "kva", "1000000": "mva"},
    "tension": {"1": "volt", "1000": "kv kilovolt"},
    "speed": {
        "1": "m/s", "0.514444": "knot kn kt", "0.277778": "km/h kph kmh", "0.44704": "mph",
    },
    "loudness": {"1": "db decibel"},
    "frequency": {"1": "hz hertz", "1000": "khz kilohertz", "1000000": "mhz megahertz"},
    "pressure": {"1": "bar", "0.001": "mbar millibar"},
    "temperature": {"1": "°c degree degrees-celsius celsius", "1.8": "°f degrees-fahrenheit "
                    "fahrenheit"},
}  # fmt: skip
# How a figure is said to be one: what is so many kilograms weighs them.
_SAID_BY = {
    "mass": "weigh weighs weighed weight heavy", "power": "draw draws drew consume power rated",
    "energy": "consume energy", "temperature": "temperature", "tension": "voltage",
    "speed": "speed", "frequency": "frequency", "pressure": "pressure", "area": "area",
    "volume": "hold holds held volume",
}  # fmt: skip
_WORD = (
    r"(?:(?:square|cubic)[ -]\w+|(?:kilo|mega|giga)?watt[ -]hours?|"
    r"(?:km|kilomet(?:er|re)s?|m|miles?)(?:/h|/s| per hour| an hour)|"
    r"degrees?[ -](?:celsius|fahrenheit)|[°µ]?[a-zA-Z]+[²³23]?)"
)
_BEHIND = re.compile(rf"\s?-?({_WORD})(?![\w²³])")

_SPEED = re.compile(r"(km|kilomet|mile).*(?:/h|-hour)")
_UNIT_WORD = re.compile(r"[°µ]?[a-z]+[²³23]?")

_RATE = re.compile(
    r"\s?(?:(?:for\s)?(?:an?|per|each|every)\s(?:(?:further|additional|extra|full|whole)\s)?|/)(second|minute|hour|day|night|week|month|quarter|year)\b"
    r"(?! (?:before|ago|earlier|later|previously))",
    re.IGNORECASE,
)


_PER = re.compile(r"\s?(?:per |/)([a-z]+[²³]?)\b", re.IGNORECASE)
# For one of what is no unit: a head, a visitor and a person may be the same.
EACH = "each one"
_COUNTED = re.compile(r" [a-z]{2,}(?: [a-z]{2,}s)?\b")


def rate_behind(text: str, end: int) -> str:
    """What a figure is for each of, if it says so: $1,500 a week."""
    match, of_each = _RATE.match(text, end), _PER.match(text, end)
    if match is None and (counted := _COUNTED.match(text, end)):
        # 7 tonnes a day; 1.5 cents per kilogram.
        match = _RATE.match(text, counted.end())
        of_each = of_each or _PER.match(text, counted.end())
    if match is None and of_each:
        known = _known().get(of_each[1].lower()) or _known().get(of_each[1].lower().rstrip("s"))
        # £2.85 per kilogram, by what it is of; per jar.
        return f"{known[0]} {known[1]}" if known else EACH
    return match[1].lower() if match else ""


@cache
def _known() -> dict[str, tuple[str, Decimal]]:
    found = {}
    for dimension, units in _UNITS.items():
        for factor, names in units.items():
            for name in names.split():
                found[name] = (dimension, Decimal(factor))
    return found


@cache
def unit_terms() -> frozenset[str]:
    """Units as terms: they are compared with their figures and not as words. A meter and a yard
    are also things."""
    every = frozenset(term for name in _known() for term in terms(name) if len(term) > 1)
    return every - frozenset(terms("meter yard foot feet acre"))


def said_by_unit(text: str, end: int) -> frozenset[str]:
    """The words that a figure's unit says already."""
    unit = measured_in(text, end)
    return frozenset(terms(_SAID_BY.get(unit[0], ""))) if unit else frozenset()


def is_unit(word: str) -> bool:
    return word.lower() in _known()


@lru_cache(maxsize=2048)
def named_units(text: str) -> dict[str, set[Decimal]]:
    """The units that a text names, at the head of a column or in a key, by what they measure."""
    known = _known()
    found: dict[str, set[Decimal]] = {}
    for word in _UNIT_WORD.findall(text.lower()):
        unit = known.get(word) or known.get(word.removesuffix("s"))
        if unit and len(word) > 1:
            found.setdefault(unit[0], set()).add(unit[1])
    return found


def unit_behind(text: str, end: int) -> list[str]:
    """The terms of the unit behind a figure: they are compared with it."""
    match = _BEHIND.match(text, end)
    return terms(match[1]) if match and measured_in(text, end) else []


def measured_in(text: str, end: int) -> tuple[str, Decimal] | None:
    """What the word behind a figure measures, and how many of the base unit it is."""
    match = _BEHIND.match(text, end)
    if match is None:
        return None
    word = match[1].lower().replace(" ", "-")
    if speed := _SPEED.fullmatch(word):
        word = "km/h" if speed[1].startswith("k") else "mph"
    known = _known()
    return known.get(word) or known.get(word.removesuffix("s"))
