"""Time two ways of doing one thing in turns, so that a busy machine slows both alike."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a table: what was done, how fast, and how fast beside the first way."""

    name: str
    seconds: float
    rate: str
    ratio: float


def side_by_side(
    ways: Mapping[str, Callable[[], object]], *, amount: float, unit: str, rounds: int = 5
) -> list[Row]:
    """The median of several rounds; the ratio is to the first way (above 1 is faster)."""
    seconds: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(rounds):
        for name, way in ways.items():
            started = time.perf_counter()
            way()
            seconds[name].append(time.perf_counter() - started)
    medians = {name: statistics.median(times) for name, times in seconds.items()}
    first = next(iter(medians.values()))
    return [
        Row(name, median, f"{amount / median:,.1f} {unit}/s", first / median)
        for name, median in medians.items()
    ]


def table(title: str, rows: list[Row]) -> str:
    lines = [title, *(f"  {row.name:<44} {row.rate:>18}   {row.ratio:6.2f}x" for row in rows)]
    return "\n".join(lines)
