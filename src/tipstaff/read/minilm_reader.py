"""The reader that comes with the install: six layers, int8, trained for this project.

Its card is `models/READER.md`; decoding and calibration follow `models/reader.json`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import numpy.typing as npt

from tipstaff.models import READER
from tipstaff.models.session import opened
from tipstaff.models.wordpiece import CLS, SEP, encoded, token_ids
from tipstaff.read.reader import Reading

_MAX_LENGTH = 384
_MAX_QUESTION = 64
_STRIDE = 128
_MAX_ANSWER = 48
# z = a * span + b * answerable + c, fitted on the model's own validation split.
_SPAN, _ANSWERABLE, _CONSTANT = 0.1041068178106063, 0.4582914181587523, -0.0734319421239187
_KEPT_READINGS = 4096

Logits = tuple[npt.NDArray[np.float32], npt.NDArray[np.float32], float]


class MiniLMReader:
    """Passages are read one at a time in each thread: int8 scales activations by batch, so a
    batch would let passages change each other's scores."""

    name = "minilm"

    def __init__(self, *, threads: int = 2) -> None:
        self._threads = threads
        self._known: dict[tuple[str, str], Reading] = {}

    def read(self, pairs: Sequence[tuple[str, str]]) -> list[Reading]:
        missing = [pair for pair in dict.fromkeys(pairs) if pair not in self._known]
        if missing:
            session = opened(READER)
            with ThreadPoolExecutor(self._threads) as pool:
                made = pool.map(lambda pair: _read(session, *pair), missing)
                fresh = dict(zip(missing, made, strict=True))
            if len(self._known) > _KEPT_READINGS:
                self._known.clear()
            self._known |= fresh
        return [self._known[pair] for pair in pairs]


def _read(session: Any, asked: str, passage: str) -> Reading:
    """The best of all windows over a passage."""
    question = token_ids(asked)[:_MAX_QUESTION]
    ids, places = encoded(passage)
    room = _MAX_LENGTH - len(question) - 3
    best: tuple[float, int, int] | None = None
    for start in _window_starts(len(ids), room):
        window = ids[start : start + room]
        if not window:
            continue
        score, first, last = _best_span(_run(session, question, window), len(window))
        if best is None or score > best[0]:
            best = score, start + first, start + last
    if best is None:
        return Reading(0, 0, 0.0)
    score, first, last = best
    return Reading(places[first][0], places[last][1], 1 / (1 + math.exp(-score)))


def _window_starts(count: int, room: int) -> list[int]:
    if count <= room:
        return [0]
    return [*range(0, count - room, room - _STRIDE), count - room]


def _run(session: Any, question: list[int], window: list[int]) -> Logits:
    pieces = np.array([[CLS, *question, SEP, *window, SEP]], np.int64)
    feed = {"input_ids": pieces, "attention_mask": np.ones_like(pieces)}
    starts, ends, answerable = session.run(None, feed)
    return starts[0], ends[0], float(np.ravel(answerable)[0])


def _best_span(logits: Logits, length: int) -> tuple[float, int, int]:
    """The calibrated score of the best span, and its first and last piece within the window."""
    starts, ends, answerable = logits
    behind = len(starts) - 1 - length
    sums = starts[behind:-1][:, None] + ends[behind:-1][None, :]
    allowed = np.triu(np.ones((length, length), bool))
    allowed &= ~np.triu(np.ones((length, length), bool), _MAX_ANSWER)
    sums = np.where(allowed, sums, -np.inf)
    first, last = divmod(int(sums.argmax()), length)
    span = float(sums[first, last]) - float(starts[0]) - float(ends[0])
    return _SPAN * span + _ANSWERABLE * answerable + _CONSTANT, first, last
