"""What a reranker is: it reads a query with each passage and says how well they fit."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import entry_points
from typing import Protocol

from tipstaff.errors import UsageError

GROUP = "tipstaff.reranker"
NONE = "none"


class Reranker(Protocol):
    """`name` goes into the transparency document. A passage's score, in [0, 1], depends on the
    query and that passage alone."""

    name: str

    def scores(self, query: str, passages: Sequence[str]) -> list[float]: ...


def reranker_named(name: str) -> Reranker | None:
    """The reranker of a setting; None for `none`."""
    if name == NONE:
        return None
    found = {point.name: point for point in entry_points(group=GROUP)}
    if name not in found:
        raise UsageError(
            f"There is no reranker '{name}'.",
            suggestion=f"There are: none, {', '.join(sorted(found))}.",
        )
    made: Reranker = found[name].load()()
    return made
