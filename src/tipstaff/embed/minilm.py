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
from tipstaff.embed.minilm_arithmetic import Arithmetic
from tipstaff.errors import UsageError
from tipstaff.models import MINILM, TOKENIZER, checked_bytes
from tipstaff.models.wordpiece import CLS, SEP, token_ids, windows

_WINDOW = 254  # and two special tokens
_STEP = 192


class MiniLM:
    name = "minilm"
    dimensions = 384
    fingerprint = (
        f"minilm {MINILM.sha256[:16]} {TOKENIZER.sha256[:16]} {_WINDOW}/{_STEP} mean unpacked"
    )

    def __init__(self, *, threads: int = 2, model: str = "") -> None:
        if model:
            raise UsageError("The embedder 'minilm' has one model; write --set embedder=minilm.")
        self._threads = threads
        self._opened: Any = None
        self._arithmetic: Arithmetic | None = None
        self._lock = threading.Lock()

    def passages(self, texts: Sequence[str]) -> Iterator[Vector]:
        """One text at a time in each thread: in a batch, padded to the longest, a vector would
        depend on its neighbours. They are begun in the order in which they are waited for, so
        that each can be kept as soon as it is there."""
        session = self._session()
        with ThreadPoolExecutor(self._threads) as pool:
            jobs = [pool.submit(_embedded, session, text) for text in texts]
            try:
                for job in jobs:
                    yield job.result()
            finally:
                pool.shutdown(wait=True, cancel_futures=True)

    def query(self, text: str) -> Vector:
        with self._lock:
            if self._arithmetic is None:
                with ThreadPoolExecutor(1) as pool:
                    weights = pool.submit(checked_bytes, MINILM)
                    token_ids("")  # the other core opens the tokenizer
                self._arithmetic = Arithmetic(weights.result())
            arithmetic = self._arithmetic
        return mean_of(unit(arithmetic.vector(ids)) for ids in _pieces(text))

    def _session(self) -> Any:
        with self._lock:
            if self._opened is None:
                self._opened = _session()
            return self._opened


def _session() -> Any:
    """The weights are kept as whole numbers and are multiplied by their scales once, when the
    session opens. All arithmetic is in 32-bit floats."""
    with ThreadPoolExecutor(1) as pool:
        # Weights are read and hashed while the other core imports what runs them.
        weights = pool.submit(checked_bytes, MINILM)
        import onnxruntime

        token_ids("")

    options = onnxruntime.SessionOptions()
    # One thread a text and as many texts as threads: measured faster than the other way round,
    # and the sums of a text are always made in one order.
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    # The deeper optimisations were measured: slower to open, and passages no faster.
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC
    # Weights packed for the processor are summed in another order.
    options.add_session_config_entry("session.disable_prepacking", "1")
    return onnxruntime.InferenceSession(
        weights.result(), options, providers=["CPUExecutionProvider"]
    )


def _pieces(text: str) -> Iterator[list[int]]:
    for ids in windows(token_ids(text), size=_WINDOW, step=_STEP):
        yield [CLS, *ids, SEP]


def _embedded(session: Any, text: str) -> Vector:
    return mean_of(_window(session, ids) for ids in _pieces(text))


def _window(session: Any, ids: list[int]) -> Vector:
    """The mean of the last layer over all pieces, as the model was trained."""
    pieces = np.array([ids], np.int64)
    feed = {
        "input_ids": pieces,
        "attention_mask": np.ones_like(pieces),
        "token_type_ids": np.zeros_like(pieces),
    }
    states = session.run(None, feed)[0]
    return unit(states[0].mean(axis=0))
