"""Sums of many numbers at once: arrays added number by number as one addition of two long
integers, in which each number has a lane of its own.

Lanes never carry into each other while every sum is below 2**31, as every offset in a text is
that an array of offsets can hold at all.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterable

_TYPE = "i"


class Lanes:
    """An array of offsets that can be added to another of the same length."""

    __slots__ = ("_count", "_number")

    def __init__(self, number: int, count: int) -> None:
        self._number = number
        self._count = count

    @classmethod
    def of(cls, numbers: Iterable[int]) -> Lanes:
        # A list knows its length: an array made of one does not grow number by number.
        values = array(_TYPE, list(numbers))
        return cls(int.from_bytes(values.tobytes(), sys.byteorder), len(values))

    def __add__(self, other: Lanes) -> Lanes:
        return Lanes(self._number + other._number, self._count)

    def array(self) -> array[int]:
        width = array(_TYPE).itemsize
        return array(_TYPE, self._number.to_bytes(self._count * width, sys.byteorder))
