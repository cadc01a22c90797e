"""Documents that a viewer leafs through, kept for a while: a sheet of 50,000 rows is not read anew
for every hundred of them.

Whoever asks has been let through by `locating.item_to_show`; nothing is decided here. The synthesis
is another one for every recipient, and is not kept.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from dataclasses import dataclass, field

from tipstaff.boundary import GroundingBoundary
from tipstaff.citation.places import CitableDocument
from tipstaff.domain.citation import SYNTHESIS_ID
from tipstaff.errors import NotFound

MAX_CHARS = 40_000_000
_Key = tuple[str, str, str]


@dataclass(slots=True)
class KeptDocuments:
    """By the bytes of the item and the name it is cited by, for each tenant apart: how soon an
    answer comes tells nobody what others have (Enterprise §6.2)."""

    max_chars: int = MAX_CHARS
    _kept: OrderedDict[_Key, CitableDocument] = field(default_factory=OrderedDict)
    _chars: int = 0

    def __len__(self) -> int:
        return len(self._kept)

    async def of(self, boundary: GroundingBoundary, item_id: str) -> CitableDocument:
        """NotFound for an item of which no text could be read."""
        key = _key(boundary, item_id)
        if key is not None and key in self._kept:
            self._kept.move_to_end(key)
            return self._kept[key]
        found = await asyncio.to_thread(boundary.citable, item_id)
        if found is None:
            raise NotFound("not readable")
        if key is not None:
            self._keep(key, found)
        return found

    def _keep(self, key: _Key, document: CitableDocument) -> None:
        size = len(document.document.text)
        if key in self._kept or size > self.max_chars:
            return
        self._kept[key] = document
        self._chars += size
        while self._chars > self.max_chars:
            _, oldest = self._kept.popitem(last=False)
            self._chars -= len(oldest.document.text)


def _key(boundary: GroundingBoundary, item_id: str) -> _Key | None:
    item = boundary.bundle.item(item_id)
    if item_id == SYNTHESIS_ID or item is None or item.sha256 is None:
        return None
    return boundary.indexed.tenant, item.sha256, f"{item.media_type}\n{item.file}\n{item_id}"
