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
from tipstaff.errors import UsageError
from tipstaff.models import MINILM, TOKENIZER, checked_bytes
from tipstaff.models.wordpiece import CLS, SEP, token_ids, windows

_WINDOW = 254  # and two special tokens
_STEP = 192


# Queries that a process answers before it takes the time to open a session that lasts.
_HASTY_QUERIES = 3


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
        self._lasting: Any = None
        self._hasty: Any = None
        self._queries = 0
        self._lock = threading.Lock()

    def passages(self, texts: Sequence[str]) -> Iterator[Vector]:
        """One text at a time in each thread: in a batch, padded to the longest, a vector would
        depend on its neighbours. They are begun in the order in which they are waited for, so
        that each can be kept as soon as it is there."""
        session = self._lasting_session()
        with ThreadPoolExecutor(self._threads) as pool:
            jobs = [pool.submit(_embedded, session, text) for text in texts]
            try:
                for job in jobs:
                    yield job.result()
            finally:
                pool.shutdown(wait=True, cancel_futures=True)

    def query(self, text: str) -> Vector:
        return _embedded(self._query_session(), text)

    def _query_session(self) -> Any:
        """One that opens in a quarter of the time and runs ten times as long pays for the first
        queries of a process. Both give the same bits; a test compares them."""
        with self._lock:
            self._queries += 1
            if self._lasting is None and self._queries <= _HASTY_QUERIES:
                self._hasty = self._hasty or _session(folded=False)
                return self._hasty
            self._hasty = None
        return self._lasting_session()

    def _lasting_session(self) -> Any:
        with self._lock:
            if self._lasting is None:
                self._lasting = _session(folded=True)
            return self._lasting


def _session(*, folded: bool) -> Any:
    """The weights are kept as whole numbers and are multiplied by their scales: once, when the
    session opens (`folded`), or on every run. All arithmetic is in 32-bit floats."""
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
    # Weights packed for the processor are summed in another order; unfolded ones cannot be.
    options.add_session_config_entry("session.disable_prepacking", "1")
    if not folded:
        options.add_session_config_entry(
            "optimization.disable_specified_optimizers", "ConstantFolding"
        )
    return onnxruntime.InferenceSession(
        weights.result(), options, providers=["CPUExecutionProvider"]
    )


def _embedded(session: Any, text: str) -> Vector:
    return mean_of(
        _window(session, [CLS, *ids, SEP])
        for ids in windows(token_ids(text), size=_WINDOW, step=_STEP)
    )


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
