"""What a response was made of, as keyed hashes of its word sequences: for a leaked text whose marks
were stripped, or that was typed off a screen.

Hashes tell nothing without the server's key. They trace words, not people: whoever was given the
same words is found, too, and said to be.
"""

from __future__ import annotations

import hashlib
import hmac
import re

import numpy as np
import numpy.typing as npt

from tipstaff.watermark.text_marks import without_marks

WORDS = 6
# Fewer sequences than that are no evidence of anything.
FEWEST = 3
_MOST = 4_000
_CITATION = re.compile(r"\[\[[^\]]*\]\]")
_WORD = re.compile(r"\w+")
Hashes = npt.NDArray[np.uint64]


def fingerprint(text: str, key: bytes) -> Hashes:
    """Sorted, each once. Case, punctuation, white space and citation marks do not count."""
    plain = _CITATION.sub(" ", without_marks(text)).casefold()
    words = _WORD.findall(plain)[:_MOST]
    found = {_hash(" ".join(words[at : at + WORDS]), key) for at in range(len(words) - WORDS + 1)}
    return np.array(sorted(found), np.uint64)


def packed(hashes: Hashes) -> bytes:
    return hashes.astype("<u8").tobytes()


def unpacked(content: bytes) -> Hashes:
    return np.frombuffer(content, "<u8").astype(np.uint64)


def shared_part(excerpt: Hashes, response: Hashes) -> float:
    """How much of an excerpt's word sequences a response has, from 0 to 1."""
    if len(excerpt) == 0:
        return 0.0
    return float(np.isin(excerpt, response, assume_unique=True).sum()) / len(excerpt)


def _hash(words: str, key: bytes) -> int:
    return int.from_bytes(hmac.new(key, words.encode(), hashlib.sha256).digest()[:8])
