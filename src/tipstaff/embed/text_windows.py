"""A text that is too long for a model, as overlapping or adjoining pieces that hold all of it."""

from __future__ import annotations

from collections.abc import Sequence

from tipstaff.models.wordpiece import sendable


def by_bytes(text: str, *, max_bytes: int) -> list[str]:
    """Adjoining pieces that end where a word does, if one does; none for a blank text.

    A token of any byte-level vocabulary has a byte at least, so no piece has more tokens than
    `max_bytes`, whatever the language and without the vocabulary.
    """
    raw = sendable(text).encode()
    pieces = []
    while raw.strip():
        cut = len(raw) if len(raw) <= max_bytes else _cut(raw, max_bytes)
        piece = raw[:cut].decode()
        if piece.strip():
            pieces.append(piece)
        raw = raw[cut:]
    return pieces


def by_tokens(text: str, spans: Sequence[tuple[int, int]], *, size: int) -> list[str]:
    """Pieces of `size` tokens, a quarter of them shared with the piece before. `spans` says
    where each token stands."""
    if len(spans) <= size:
        return [text]
    last = len(spans) - size
    starts = [*range(0, last, size * 3 // 4), last]
    return [text[spans[start][0] : spans[start + size - 1][1]] for start in starts]


def _cut(raw: bytes, max_bytes: int) -> int:
    space = raw.rfind(b" ", max_bytes // 2, max_bytes)
    if space > 0:
        return space + 1
    cut = max_bytes
    while raw[cut] & 0xC0 == 0x80:  # inside a character
        cut -= 1
    return cut
