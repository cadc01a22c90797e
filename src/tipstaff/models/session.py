"""Bundled weights, opened once in a process."""

from __future__ import annotations

import threading
from functools import lru_cache
from typing import Any

from tipstaff.models import ModelFile, checked_bytes

_OPENING = threading.Lock()


def opened(file: ModelFile) -> Any:
    """Weights, ready to run; what was read with them stays with whoever reads."""
    with _OPENING:
        return _session(file)


@lru_cache(maxsize=4)
def _session(file: ModelFile) -> Any:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(
        checked_bytes(file), options, providers=["CPUExecutionProvider"]
    )
