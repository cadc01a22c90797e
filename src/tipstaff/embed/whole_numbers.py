"""Vectors as whole numbers, so that a similarity has the same bits in any company.

Every partial sum of a dot product of two such vectors is a whole number below 2**24, which
32-bit floats hold exactly: the order of summation, and so the library, the block size and the
other rows, cannot change it (docs/decisions/0008).
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tipstaff.embed.embedder import Vector

SCALE = 4000
# Rounding adds at most half a unit a dimension, so the length stays below 4096 = 2**12.
MAX_DIMENSIONS = 36_000


def whole_numbers(vector: Vector) -> npt.NDArray[np.int16]:
    """A unit vector, scaled and rounded; what is stored and cached."""
    if len(vector) > MAX_DIMENSIONS:
        raise ValueError(f"a vector of {len(vector)} dimensions cannot be kept exactly")
    return np.rint(np.asarray(vector, np.float64) * SCALE).astype(np.int16)


def cosine(dot: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """The similarity of two scaled vectors from their product; opposite ones count as 0."""
    return np.clip(np.asarray(dot, np.float64) / (SCALE * SCALE), 0.0, 1.0)
