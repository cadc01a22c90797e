"""Domain values as JSON-ready ones: the one way in which nouns leave the process, and come back.

A field that is None is left out, as the specification's OPTIONAL fields are, unless it is marked as
`SAID_AS_NULL`; empty lists stay.
What comes back may have fields that are not known here (TIP §15.2): they are passed over.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from types import UnionType
from typing import Any, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from tipstaff.domain.location import Location

# What a field has in its metadata if it must be there, even as null.
SAID_AS_NULL: Mapping[str, bool] = {"said_as_null": True}

_LOCATIONS = get_args(Location)
_Noun = TypeVar("_Noun")


def to_wire(value: Any) -> Any:
    """A dataclass becomes an object, an enum its value, a location its canonical text."""
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, _LOCATIONS):
        return str(value)
    if is_dataclass(value) and not isinstance(value, type):
        present = ((field, getattr(value, field.name)) for field in fields(value))
        return {
            field.name: to_wire(content)
            for field, content in present
            if content is not None or field.metadata == SAID_AS_NULL
        }
    if isinstance(value, Mapping):
        return {str(key): to_wire(content) for key, content in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [to_wire(content) for content in value]
    return value


def from_wire(kind: type[_Noun], value: Any) -> _Noun:
    """The dataclass that `to_wire` made this of. Raises ValueError if it is none."""
    return cast(_Noun, _read(kind, value, kind.__name__))


def _read(kind: Any, value: Any, where: str) -> Any:
    if get_origin(kind) in (Union, UnionType):
        arms = [arm for arm in get_args(kind) if arm is not type(None)]
        return None if value is None else _read(arms[0], value, where)
    if get_origin(kind) is tuple:
        if not isinstance(value, list):
            raise ValueError(f"{where} is no list")
        (one, _) = get_args(kind)
        return tuple(_read(one, entry, where) for entry in value)
    if is_dataclass(kind):
        return _object(cast("type[Any]", kind), value, where)
    if isinstance(kind, type) and issubclass(kind, Enum):
        return kind(value)
    if kind is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if kind in (int, float, str, bool) and type(value) is not kind:
        raise ValueError(f"{where} is no {kind.__name__}")
    return value


def _object(kind: type[Any], value: Any, where: str) -> Any:
    if not isinstance(value, Mapping):
        raise ValueError(f"{where} is no object")
    hints = _hints(cast("Hashable", kind))
    known = {
        field.name: _read(hints[field.name], value[field.name], f"{where}.{field.name}")
        for field in fields(kind)
        if field.name in value
    }
    try:
        return kind(**known)
    except TypeError as problem:
        raise ValueError(f"{where}: {problem}") from None


@cache
def _hints(kind: Any) -> dict[str, Any]:
    return get_type_hints(kind)
