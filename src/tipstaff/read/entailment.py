"""Whether passages say what a statement says: six layers, int8, trained for this project on drafts
that lie.

Its card is `models/SUPPORT.md`. Words in another order look much the same to it as to anybody who
reads fast: figures, names and denials are compared by rules, before it is asked.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from functools import cache

import numpy as np

from tipstaff.models import SUPPORT
from tipstaff.models.session import opened
from tipstaff.models.wordpiece import CLS, SEP, token_ids

_MAX_LENGTH = 224
_MAX_STATEMENT = 80
# No more characters than these can be among the pieces that are read.
_LONGEST = 4_000
# What is left of a passage when there is no more room must be worth reading.
_LEAST_ROOM = 8
_KEPT = 256
_WORD = re.compile(r"\w+")


class Entailment:
    """A score depends on a statement and its passages alone: one pair is read at a time, since
    int8 scales activations by batch."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, ...], float] = {}

    def reads_whole(self, statement: str, passage: str) -> bool:
        """Whether a statement and the passage that it comes from fit into what is read at once."""
        said, told = token_ids(statement[:_LONGEST]), token_ids(passage[:_LONGEST])
        return len(said) <= _MAX_STATEMENT and len(said) + len(told) <= _MAX_LENGTH - 3

    def probability(self, statement: str, passages: Sequence[str]) -> float:
        """How likely the passages say it, from 0 to 1; 0 where there are none."""
        key = (statement, *passages)
        if key not in self._known:
            if len(self._known) > _KEPT:
                self._known.clear()
            self._known[key] = _probability(statement, passages) if passages else 0.0
        return self._known[key]


@cache
def shared() -> Entailment:
    """One for the process: whoever asks second need not wait for what the first has read."""
    return Entailment()


def as_pieces(statement: str, passages: Sequence[str]) -> tuple[list[int], list[int]]:
    """A statement and as much of its passages as there is room for: those first that share most
    of its words, in the order in which they stand. And which of the two each piece is of."""
    said = token_ids(statement[:_LONGEST])[:_MAX_STATEMENT]
    words = _words(statement)
    room = _MAX_LENGTH - len(said) - 3
    kept: dict[int, list[int]] = {}
    for at in sorted(range(len(passages)), key=lambda at: -len(words & _words(passages[at]))):
        if room < _LEAST_ROOM:
            break
        told = passages[at][:_LONGEST].replace("\n", " : ", 1)
        kept[at] = token_ids(told)[:room]
        room -= len(kept[at])
    read = [piece for at in sorted(kept) for piece in kept[at]]
    ids = [CLS, *said, SEP, *read, SEP]
    return ids, [0] * (len(said) + 2) + [1] * (len(read) + 1)


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text.lower()))


def _probability(statement: str, passages: Sequence[str]) -> float:
    ids, parts = as_pieces(statement, passages)
    pieces = np.array([ids], np.int64)
    feed = {
        "input_ids": pieces,
        "attention_mask": np.ones_like(pieces),
        "segment_ids": np.array([parts], np.int64),
    }
    (logit,) = opened(SUPPORT).run(None, feed)
    return 1 / (1 + math.exp(-float(np.ravel(logit)[0])))
