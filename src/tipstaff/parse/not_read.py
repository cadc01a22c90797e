"""Sentences about what a parser met inside a file and passed over: nothing is left out silently."""

from __future__ import annotations

from collections import Counter


def not_read_notes(things: Counter[str]) -> list[str]:
    """One sentence for each kind of thing, which is named in the singular."""
    return [
        f"{count} {thing}s were not read." if count > 1 else f"One {thing} was not read."
        for thing, count in things.items()
        if count
    ]
