"""What a reader is: a question and a passage in, the best span and how likely it answers out.

A voice, not a judge: rules that prove a gap outrank it, and with `none` everything still works.
"""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import entry_points
from typing import Protocol

from tipstaff.errors import UsageError

GROUP = "tipstaff.reader"
NONE = "none"


@dataclass(frozen=True, slots=True)
class Reading:
    """Characters `start` to `end` of the passage answer best; `probability` says how likely the
    passage answers the question at all."""

    start: int
    end: int
    probability: float


class Reader(Protocol):
    """A reading depends on the question and its own passage alone."""

    name: str

    def read(self, pairs: Sequence[tuple[str, str]]) -> list[Reading]:
        """One reading for each question and passage."""
        ...


def reader_named(name: str, *, threads: int) -> Reader | None:
    """The reader of a setting; None for `none`."""
    if name == NONE:
        return None
    if name == "minilm":
        # The default, found without looking through every installed package.
        from tipstaff.read.minilm_reader import MiniLMReader

        return MiniLMReader(threads=threads)
    found = {point.name: point for point in entry_points(group=GROUP)}
    if name not in found:
        near = difflib.get_close_matches(name, [*found, NONE], n=1)
        raise UsageError(
            f"There is no reader '{name}'.",
            suggestion=f"Did you mean '{near[0]}'?"
            if near
            else f"There are: none, {', '.join(sorted(found))}.",
        )
    made: Reader = found[name].load()()
    return made
