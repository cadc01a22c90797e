"""What general English knows about words: what else says as much, and what says the opposite.

The table beside it is made from WordNet by training/thesaurus/build.py and read when the first
word is looked up. Only the common senses of a word are in it.
"""

from __future__ import annotations

import gzip
from functools import cache
from importlib.resources import files

_NONE: frozenset[str] = frozenset()


def other_words(term: str) -> frozenset[str]:
    """The other terms for it."""
    return _entry(term)[0]


def opposites(term: str) -> frozenset[str]:
    return _entry(term)[1]


@cache
def _entry(term: str) -> tuple[frozenset[str], frozenset[str]]:
    line = _lines().get(term)
    if line is None:
        return _NONE, _NONE
    others, against = line.split("|")
    return frozenset(others.split()), frozenset(against.split())


@cache
def _lines() -> dict[str, str]:
    """Lines are taken apart when their word is asked for: most never are."""
    packed = files("tipstaff.verify").joinpath("thesaurus.txt.gz").read_bytes()
    lines = gzip.decompress(packed).decode().splitlines()
    return dict(line.split(" ", 1) for line in lines)
