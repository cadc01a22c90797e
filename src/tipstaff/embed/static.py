"""The fast choice: 256-dimensional vectors of word pieces that need no network to run through.

A text's vector is the mean of its pieces' vectors, whatever its length. Weights and vocabulary
are read as data from the package `wordllama`; its code is not imported.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from tipstaff.embed.embedder import Vector, unit
from tipstaff.errors import MissingExtra, UsageError
from tipstaff.models import STATIC, STATIC_TOKENIZER, checked_bytes, installed
from tipstaff.models.wordpiece import sendable

# Rows that are added at once: a long text must not take memory for all of its pieces.
_ROWS = 4096


class Static:
    name = "static"
    dimensions = 256
    fingerprint = f"static {STATIC.sha256[:16]} {STATIC_TOKENIZER.sha256[:16]} mean"

    def __init__(self, *, model: str = "") -> None:
        if model:
            raise UsageError("The embedder 'static' has one model; write --set embedder=static.")
        if not installed(STATIC.package):
            raise MissingExtra("The embedder 'static'", extra="static")
        self._weights: npt.NDArray[np.float16] | None = None
        self._tokenizer: Any = None
        self._lock = threading.Lock()

    def passages(self, texts: Sequence[str]) -> Iterator[Vector]:
        return (self.query(text) for text in texts)

    def query(self, text: str) -> Vector:
        tokenizer, weights = self._opened()
        ids = tokenizer.encode(sendable(text), add_special_tokens=False).ids
        # Sums of 16-bit floats in 64 bits are exact here, so their order does not matter.
        total = np.zeros(self.dimensions)
        for start in range(0, len(ids), _ROWS):
            total += weights[ids[start : start + _ROWS]].sum(axis=0, dtype=np.float64)
        return unit(total)

    def _opened(self) -> tuple[Any, npt.NDArray[np.float16]]:
        with self._lock:
            if self._weights is None:
                from tokenizers import Tokenizer

                self._tokenizer = Tokenizer.from_str(checked_bytes(STATIC_TOKENIZER).decode())
                self._tokenizer.no_padding()
                self._tokenizer.no_truncation()
                self._weights = _only_tensor(checked_bytes(STATIC))
            return self._tokenizer, self._weights


def _only_tensor(content: bytes) -> npt.NDArray[np.float16]:
    """The one tensor of a safetensors file: the length of a JSON header, the header, the data."""
    start = 8 + int.from_bytes(content[:8], "little")
    (facts,) = json.loads(content[8:start]).values()
    if facts["dtype"] != "F16":
        raise ValueError(f"16-bit floats were expected, not {facts['dtype']}")
    return np.frombuffer(content, np.float16, offset=start).reshape(facts["shape"])
