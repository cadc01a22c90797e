"""The tokenizer of the bundled models, and windows over texts that are too long for them."""

from __future__ import annotations

from functools import cache
from typing import Any

from tipstaff.models import TOKENIZER, checked_bytes

CLS, SEP = 101, 102


def token_ids(text: str) -> list[int]:
    """The pieces of a text, without special tokens."""
    ids: list[int] = _tokenizer().encode(sendable(text), add_special_tokens=False).ids
    return ids


def encoded(text: str) -> tuple[list[int], list[tuple[int, int]]]:
    """The pieces of a text, and the characters that each of them stands for."""
    found = _tokenizer().encode(text, add_special_tokens=False)
    return found.ids, found.offsets


def windows(ids: list[int], *, size: int, step: int) -> list[list[int]]:
    """Overlapping runs that together hold every piece; the last is as long as the others."""
    if len(ids) <= size:
        return [ids]
    starts = [*range(0, len(ids) - size, step), len(ids) - size]
    return [ids[start : start + size] for start in starts]


def sendable(text: str) -> str:
    """Half a character, as damaged files have them, cannot be encoded: a mark stands for it."""
    return text.encode("utf-8", "surrogatepass").decode("utf-8", "replace")


@cache
def _tokenizer() -> Any:
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_str(checked_bytes(TOKENIZER).decode())
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer
