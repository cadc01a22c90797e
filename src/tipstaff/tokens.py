"""How long a text is in tokens, by a vocabulary that comes with the install (o200k)."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from functools import cache
from typing import Any

# The tokenizer refuses very long inputs; pieces end where a word does, so the sum is true.
_PIECE_CHARS = 50_000
_WORD_START = re.compile(r"\s(?=\S)")


def count_tokens(text: str) -> int:
    """Close to any current model's own count; exact for none that is not OpenAI's."""
    encoding = _encoding()
    return sum(len(encoding.encode(piece)) for piece in _pieces(text))


@cache
def _encoding() -> Any:
    with warnings.catch_warnings():
        # It opens its vocabulary in a way that Python has since deprecated.
        warnings.simplefilter("ignore", DeprecationWarning)
        import bpe_openai

        return bpe_openai.get_encoding("o200k_base")


def _pieces(text: str) -> Iterator[str]:
    position = 0
    while len(text) - position > _PIECE_CHARS:
        match = _WORD_START.search(text, position + _PIECE_CHARS - 1_000, position + _PIECE_CHARS)
        cut = match.start() if match else position + _PIECE_CHARS
        yield text[position:cut]
        position = cut
    yield text[position:]
