"""The default: all-MiniLM-L6-v2 with int8 weights, 384 dimensions, from the installed package.

It reads 256 pieces; longer texts are read by overlapping windows, whose mean is their vector.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from tipstaff.embed.embedder import Vector, mean_of, unit
from tipstaff.models import MINILM, TOKENIZER, checked_file
from tipstaff.models.wordpiece import CLS, SEP, token_ids, windows

_WINDOW = 254  # and two special tokens
_STEP = 192


class MiniLM:
    name = "minilm"
    dimensions = 384
    fingerprint = f"minilm {MINILM.sha256[:16]} {TOKENIZER.sha256[:16]} {_WINDOW}/{_STEP} mean"

    def __init__(self, *, threads: int = 2) -> None:
        self._threads = threads
        self._session: Any = None
        self._lock = threading.Lock()

    def passages(self, texts: Sequence[str]) -> Iterator[Vector]:
        """One text at a time in each thread: int8 activations are scaled by batch, so in a batch
        a vector would depend on its neighbours. Neighbours in length go together, or one core
        would wait for the other at the end."""
        session = self._opened()
        longest_first = sorted(range(len(texts)), key=lambda index: -len(texts[index]))
        with ThreadPoolExecutor(self._threads) as pool:
            jobs = {index: pool.submit(_embedded, session, texts[index]) for index in longest_first}
            try:
                for index in range(len(texts)):
                    yield jobs[index].result()
            finally:
                pool.shutdown(wait=True, cancel_futures=True)

    def query(self, text: str) -> Vector:
        return _embedded(self._opened(), text)

    def _opened(self) -> Any:
        with self._lock:
            if self._session is None:
                import onnxruntime

                options = onnxruntime.SessionOptions()
                # One thread a text and as many texts as threads: measured faster than the other
                # way round, and the sums of a text are always made in one order.
                options.intra_op_num_threads = 1
                options.inter_op_num_threads = 1
                options.log_severity_level = 3
                self._session = onnxruntime.InferenceSession(
                    checked_file(MINILM).read_bytes(), options, providers=["CPUExecutionProvider"]
                )
            return self._session


def _embedded(session: Any, text: str) -> Vector:
    return mean_of(
        _window(session, [CLS, *ids, SEP])
        for ids in windows(token_ids(text), size=_WINDOW, step=_STEP)
    )


def _window(session: Any, ids: list[int]) -> Vector:
    """The mean of the last layer over all pieces, as the model was trained."""
    pieces = np.array([ids], np.int64)
    feed = {"input_ids": pieces, "attention_mask": np.ones_like(pieces)}
    if any(entry.name == "token_type_ids" for entry in session.get_inputs()):
        feed["token_type_ids"] = np.zeros_like(pieces)
    states = session.run(None, feed)[0]
    return unit(states[0].mean(axis=0))


EMBEDDER = MiniLM
