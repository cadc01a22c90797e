"""What an index depends on, as one hash: the items' bytes, and all code and settings between
those bytes and the index. Equal hashes mean equal indexes."""

from __future__ import annotations

import hashlib
import json
import unicodedata
from collections.abc import Iterable
from functools import cache
from importlib.metadata import version
from pathlib import Path

# Code that decides what an index holds; parsers have fingerprints of their own.
_CODE = (
    "chunk",
    "domain/clean_text.py",
    "domain/document.py",
    "domain/location.py",
    "domain/text_lines.py",
    "embed/whole_numbers.py",
    "index",
    "lexical",
    "store/file_index.py",
    "store/index_file.py",
    "store/lexicon.py",
    "store/records.py",
    "tokens.py",
)
# What else makes terms of text, and tokens: stems and classes of letters change with these.
_PACKAGES = ("PyStemmer", "bpe-openai")


def index_digest(
    items: Iterable[tuple[str, ...]], *, chunk_tokens: int, overlap_percent: int, embedder: str
) -> str:
    """`items` in their order: id, hash of the bytes, fingerprint of the parser, whatever else of
    an item is kept in the index."""
    facts = [
        [list(item) for item in items],
        [chunk_tokens, overlap_percent, embedder, _code()],
    ]
    return hashlib.sha256(json.dumps(facts).encode()).hexdigest()[:40]


@cache
def _code() -> str:
    digest = hashlib.blake2b(digest_size=16)
    digest.update(unicodedata.unidata_version.encode())
    for name in _PACKAGES:
        digest.update(f"{name} {version(name)}\0".encode())
    package = Path(__file__).parent.parent
    for name in _CODE:
        place = package / name
        for path in sorted(place.glob("*.py")) if place.is_dir() else [place]:
            digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()
