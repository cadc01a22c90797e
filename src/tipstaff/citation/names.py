"""The names under which a bundle's items may be cited: ids, labels, file names.

Labels (level 0) may hold spaces, colons and commas, so where a name ends and a location
begins is decided here, by the longest known name.
"""

from __future__ import annotations

from collections.abc import Mapping

# A hostile mark may be all colons; no honest label has more than a few.
_MAX_COLONS_TRIED = 8
_MAX_COMMAS_TRIED = 8


class ItemNames:
    """Looks names up without regard to case and spacing."""

    def __init__(self, names: Mapping[str, str]) -> None:
        self._ids = {_folded(name): item_id for name, item_id in names.items()}
        commas = max((name.count(",") for name in names), default=0)
        self.most_commas = min(commas, _MAX_COMMAS_TRIED)

    def of(self, item_id: str) -> list[str]:
        """The names of an item."""
        return [name for name, one in self._ids.items() if one == item_id]

    def of_others(self, item_id: str) -> list[str]:
        """The names of every other item."""
        return [name for name, other in self._ids.items() if other != item_id]

    def identify(self, name: str) -> str | None:
        """The id that a name stands for."""
        return self._ids.get(_folded(name))

    def split(self, reference: str, *, at_least: int = 0) -> tuple[str, str] | None:
        """`name:location` as (id, location text) by the longest known name, or None.

        Only names of at least so many characters count.
        """
        cuts = [len(reference)]
        position = reference.find(":")
        while position >= 0 and len(cuts) <= _MAX_COLONS_TRIED:
            cuts.append(position)
            position = reference.find(":", position + 1)
        for cut in sorted((cut for cut in cuts if cut >= at_least), reverse=True):
            item_id = self.identify(reference[:cut])
            if item_id is not None:
                return item_id, reference[cut + 1 :]
        return None


def _folded(name: str) -> str:
    return " ".join(name.split()).casefold()
