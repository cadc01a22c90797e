"""Keys and headers in words, and the unit that they give to their values: 58.4 under
`length_overall_m` are 58.4 metres, 18.6 under "Price (£ million)" are £18.6 million."""

from __future__ import annotations

import re
from collections.abc import Sequence

# As a reader would write them. A lone m behind a figure would be millions.
_UNITS = {
    "m": "metres", "km": "km", "cm": "cm", "mm": "mm", "ft": "feet", "mi": "miles", "s": "seconds",
    "sec": "seconds", "secs": "seconds", "second": "seconds", "seconds": "seconds",
    "ms": "milliseconds", "min": "minutes", "mins": "minutes", "minutes": "minutes",
    "h": "hours", "hr": "hours", "hrs": "hours", "hours": "hours", "days": "days", "d": "days",
    "weeks": "weeks", "months": "months", "years": "years", "t": "tonnes", "tonnes": "tonnes",
    "kg": "kg", "g": "g", "mg": "mg", "l": "litres", "litres": "litres", "liters": "litres",
    "ml": "ml", "m2": "m²", "sqm": "m²", "m3": "m³", "w": "watts", "watts": "watts",
    "kwp": "kWp", "degrees": "degrees", "kw": "kW", "mw": "MW",
    "kwh": "kWh", "mwh": "MWh", "wh": "Wh", "kva": "kVA", "mva": "MVA", "kv": "kV", "v": "volts",
    "kn": "knots", "kt": "knots", "knots": "knots", "kmh": "km/h", "kph": "km/h", "mph": "mph",
    "db": "dB", "c": "°C", "celsius": "°C", "degc": "°C", "hz": "Hz", "khz": "kHz", "mhz": "MHz",
    "bar": "bar", "percent": "percent", "pct": "percent", "kb": "kB", "mb": "MB", "gb": "GB",
    "tb": "TB", "bytes": "bytes", "gbp": "pounds", "eur": "euros", "usd": "dollars",
    "rpm": "rpm", "ha": "hectares", "hectares": "hectares", "%": "percent", "°c": "°C",
    "miles": "miles", "volts": "volts", "feet": "feet", "amps": "amps", "pence": "pence",
    "m²": "m²", "m³": "m³", "km/h": "km/h", "metres": "metres",
}  # fmt: skip
# Two parts of a key that are one unit.
_RATES = {("m", "s"): "m/s", ("km", "h"): "km/h", ("l", "s"): "l/s", ("l", "min"): "l/min",
          ("m3", "h"): "m³/h", ("kg", "h"): "kg/h", ("mg", "l"): "mg/l", ("g", "l"): "g/l",
          ("ug", "l"): "µg/l", ("mg", "kg"): "mg/kg", ("g", "m3"): "g/m³", ("mg", "m3"): "mg/m³",
          ("kg", "m3"): "kg/m³", ("w", "m2"): "W/m²", ("kwh", "m2"): "kWh/m²"}  # fmt: skip
_SIGNS = {"£": "£", "$": "$", "€": "€", "gbp": "£", "eur": "€", "usd": "$"}
_NUMBER = re.compile(r"[-−+]?\d[\d,]*(?:\.\d+)?")
_EDGES = re.compile(r"(?<=[a-z\d])(?=[A-Z])|[_\s.-]+")
_BRACKETED = re.compile(r"(?P<head>.*\S)\s*[(\[](?:in )?(?P<unit>[^()\[\]]+)[)\]]\s*")
_MONEY = re.compile(
    r"(?P<sign>[£$€]|GBP|EUR|USD)\s?['’]?(?P<scale>thousands?|millions?|m|k|bn|000(?:['’]?s)?)?",
    re.I,
)
_SCALES = {"m": "million", "k": "thousand", "bn": "billion", "000": "thousand"}
_PER = re.compile(r"(?:(?P<head>.+) )?(?P<unit>[a-z]+) per (?P<each>[a-z]+)")
# A unit of so many letters is no name for anything else.
_WRITTEN_OUT = 4
_BOUNDS = frozenset(("max", "min", "maximum", "minimum", "limit", "total", "default", "each"))
_KEY = re.compile(r"[A-Za-z]\w*_\w+|[a-z]+[A-Z]\w*")


def words_of(key: str) -> str:
    """`NIGHT_LIMIT` and `nightLimit` are "night limit"."""
    return " ".join(part.lower() for part in _EDGES.split(key) if part)


def _unit_last(parts: list[str]) -> list[str]:
    """`bookable_minutes_max` is "bookable max", in minutes."""
    if len(parts) > 2 and parts[-1] in _BOUNDS and parts[-2] in _UNITS:
        return [*parts[:-2], parts[-1], parts[-2]]
    return parts


def read_cell(key: str, value: str, path: Sequence[str] = ()) -> tuple[str, str]:
    """A key in words and its value with the unit that the key gives it, or, where it gives none,
    the name of what it stands in: `energy_kwh` above `calm` and `gale`."""
    bracketed = _BRACKETED.fullmatch(key)
    if bracketed:
        return key, _with_unit(value, bracketed["unit"].strip())
    parts = _unit_last(words_of(key).split())
    if rate := _PER.fullmatch(" ".join(parts)):
        # `max_hours_per_day`: so many hours a day.
        unit = f"{_UNITS.get(rate['unit'], rate['unit'])} per {rate['each']}"
        return rate["head"] or " ".join(parts), _counted(value, unit)
    if len(parts) > 2 and (speed := _RATES.get((parts[-2], parts[-1]))):
        return " ".join(parts[:-2]), _counted(value, speed)
    if len(parts) == 1 and len(parts[0]) >= _WRITTEN_OUT and parts[0] in _UNITS:
        return parts[0], _with_unit(value, parts[0])
    if len(parts) > 1 and parts[-1] in _UNITS:
        return " ".join(parts[:-1]), _with_unit(value, parts[-1])
    for name in reversed(path):
        last = words_of(name).split()[-1:]
        if last and last[0] in _UNITS and len(words_of(name).split()) > 1:
            return " ".join(parts), _with_unit(value, last[0])
    return " ".join(parts), value


def read_table_cell(head: str, words: str) -> tuple[str, str]:
    """A cell of a table, whose header is left as it is unless it is written like a key."""
    if _KEY.fullmatch(head.strip()):
        return read_cell(head.strip(), words)
    return (head, read_cell(head, words)[1]) if _BRACKETED.fullmatch(head) else (head, words)


def _counted(value: str, unit: str) -> str:
    return f"{value.strip()} {unit}" if _NUMBER.fullmatch(value.strip()) else value


def _with_unit(value: str, unit: str) -> str:
    if not _NUMBER.fullmatch(value.strip()):
        return value
    if money := _MONEY.fullmatch(unit):
        scale = (money["scale"] or "").lower().removesuffix("s").rstrip("'’")
        sign = _SIGNS[money["sign"].lower()]
        return f"{sign}{value.strip()} {_SCALES.get(scale, scale)}".strip()
    known = _UNITS.get(unit.lower())
    return _counted(value, known) if known else value
