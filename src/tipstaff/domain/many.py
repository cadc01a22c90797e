"""Many values of one frozen class at once: the rows of a large sheet are blocks by the
hundred thousand, and calling `__init__` for each would take longer than reading the sheet.

Fields are set column by column, by calls that never enter Python code. `__post_init__` does
not run, so callers give only what is right by construction.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import fields
from itertools import repeat
from typing import Any, TypeVar

_T = TypeVar("_T")


def many(kind: type[_T], count: int, /, **columns: Iterable[object]) -> list[_T]:
    """`count` values of a dataclass with slots; each field comes as that many values or more."""
    names = {field.name for field in fields(kind)}  # type: ignore[arg-type]
    if names != columns.keys():
        raise TypeError(f"{kind.__name__} has other fields: {sorted(names ^ columns.keys())}")
    made: list[Any] = list(map(object.__new__, repeat(kind, count)))
    for name, values in columns.items():
        # A deque of no length uses an iterator up without keeping anything of it.
        deque(map(getattr(kind, name).__set__, made, values), maxlen=0)
    return made
