"""Domain values as JSON-ready ones: the one way in which nouns leave the process.

A field that is None is left out, as the specification's OPTIONAL fields are; empty lists stay.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any, get_args

from tipstaff.domain.location import Location

_LOCATIONS = get_args(Location)


def to_wire(value: Any) -> Any:
    """A dataclass becomes an object, an enum its value, a location its canonical text."""
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, _LOCATIONS):
        return str(value)
    if is_dataclass(value) and not isinstance(value, type):
        present = ((field.name, getattr(value, field.name)) for field in fields(value))
        return {name: to_wire(content) for name, content in present if content is not None}
    if isinstance(value, Mapping):
        return {str(key): to_wire(content) for key, content in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [to_wire(content) for content in value]
    return value
