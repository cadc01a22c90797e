"""What a query of a data file may cost, and how one is refused.

A query comes from whoever wrote the text: a sender, a model, a stranger. It is counted in steps,
not in seconds, so that the same query always ends in the same way.
"""

from __future__ import annotations

MAX_QUERY_CHARS = 2_000
MAX_QUERY_NESTING = 24
MAX_STEPS = 2_000_000
MAX_PLACES = 100


class BadQuery(Exception):
    """Carries the reason why a query is not answered, as half a sentence."""


class Work:
    """The steps that one query has left. Looking at a node is a step; so is every stretch of
    characters that is compared."""

    __slots__ = ("left",)

    def __init__(self, steps: int = MAX_STEPS) -> None:
        self.left = steps

    def spend(self, steps: int = 1) -> None:
        self.left -= steps
        if self.left < 0:
            raise BadQuery(f"it takes more than {MAX_STEPS:,} steps in this item")

    def spend_on_text(self, characters: int) -> None:
        self.spend(1 + characters // 50)
