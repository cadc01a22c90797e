"""What every embedder is: texts in, unit vectors out (TIP §10.1.4)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from tipstaff.errors import UsageError

Vector = npt.NDArray[np.float32]

# TIP §10.1.4, requirement 2.
MIN_DIMENSIONS = 256


@runtime_checkable
class Embedder(Protocol):
    """A text's vector must depend on that text alone, never on what else is embedded with it.

    `fingerprint` names everything that shapes a vector: model bytes, pooling, windows.
    """

    name: str
    dimensions: int
    fingerprint: str

    def passages(self, texts: Sequence[str]) -> Iterator[Vector]:
        """The vectors of passages, in order, each as soon as it is there."""
        ...

    def query(self, text: str) -> Vector:
        """The vector of a query."""
        ...


def checked(embedder: Embedder) -> Embedder:
    """TIP §10.1.4: at least 256 dimensions."""
    if embedder.dimensions < MIN_DIMENSIONS:
        raise UsageError(
            f"The embedder '{embedder.name}' has {embedder.dimensions} dimensions; "
            f"at least {MIN_DIMENSIONS} are needed (TIP §10.1.4).",
            suggestion="Choose another one with --set embedder=….",
        )
    return embedder


def unit(vector: npt.ArrayLike) -> Vector:
    """A vector of length 1; a vector of nothing stays nothing."""
    raw = np.asarray(vector, np.float32)
    length = float(np.sqrt(np.sum(raw.astype(np.float64) ** 2)))
    return raw if length == 0 else (raw / length).astype(np.float32)


def mean_of(vectors: Iterable[Vector]) -> Vector:
    """One vector for a text that was read by several windows."""
    every = list(vectors)
    return every[0] if len(every) == 1 else unit(np.mean(every, axis=0))
