"""A few words on an item, taken from the item itself (TIP §10.2.3, tier 1).

The headings, and the first sentences of the chunk that is nearest to the middle of the item.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from tipstaff.chunk.sentences import sentences
from tipstaff.domain.clean_text import clean
from tipstaff.domain.document import BlockKind, Chunk, Document

_MAX_CHARS = 600
_MAX_HEADINGS = 8


def summary(document: Document, chunks: Sequence[Chunk], vectors: npt.NDArray[np.int16]) -> str:
    """Its headings, how it begins, and what it is mostly about; "" for an empty document."""
    if not chunks:
        return ""
    parts = []
    headings = [
        clean(document, block.span).text.strip()
        for block in document.blocks
        if block.kind is BlockKind.HEADING and (block.level or 1) <= 2
    ][:_MAX_HEADINGS]
    if headings:
        parts.append("Sections: " + "; ".join(headings) + ".")
    central = chunks[_nearest_to_the_middle(vectors)]
    beginnings = dict.fromkeys((chunks[0].text, central.text))
    parts += [_opening(text, _MAX_CHARS // 3) for text in beginnings]
    return " ".join(parts)[:_MAX_CHARS]


def _nearest_to_the_middle(vectors: npt.NDArray[np.int16]) -> int:
    whole = vectors.astype(np.int64)
    return int(np.argmax(whole @ whole.sum(axis=0)))


def _opening(text: str, room: int) -> str:
    """The first whole sentences that fit, at least one, cut if need be."""
    taken = ""
    flat = " ".join(text.split())
    for sentence in sentences(flat):
        piece = flat[sentence.start : sentence.end].strip()
        if taken and len(taken) + len(piece) + 1 > room:
            break
        taken = f"{taken} {piece}".strip()
    return taken if len(taken) <= room else taken[: room - 1].rsplit(" ", 1)[0] + "…"
