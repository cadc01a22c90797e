"""From a citation to the words it points at: the interface that parsed items fill."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from tipstaff.domain.citation import Citation, Resolution, Unresolved
from tipstaff.domain.location import Location


class Resolvable(Protocol):
    """An opened item (or the synthesis) that can say what stands at a location."""

    def resolve(self, location: Location) -> Resolution:
        """The passage, or why there is none (`p99 of 12`); never an exception."""
        ...


def resolve(citation: Citation, items: Mapping[str, Resolvable]) -> Resolution:
    """Look the item up, then ask it. `items` holds only what the recipient may see, so
    a hidden item and an invented one give the same words (Enterprise §3.5)."""
    item = items.get(citation.item_id)
    if item is None:
        return Unresolved(citation, f"there is no item '{citation.item_id}' in this bundle")
    return item.resolve(citation.location)
