"""Trees of decisions over counted traits, learned elsewhere (`training/arrangement/`).

A file of them holds plain arrays: which trait a node asks for, up to which bound it goes left,
where left and right are, and what a leaf is worth. The worth of all trees together is a logit.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from functools import cache

import numpy as np

from tipstaff.models import ModelFile, checked_bytes


class Forest:
    """Nodes of all trees in one row; a leaf leads to itself."""

    def __init__(self, content: bytes) -> None:
        with np.load(io.BytesIO(content), allow_pickle=False) as arrays:
            self._trait = arrays["trait"].astype(np.intp)
            self._bound = arrays["bound"]
            self._left = arrays["left"].astype(np.intp)
            self._right = arrays["right"].astype(np.intp)
            self._worth = arrays["worth"]
            self._roots = arrays["roots"].astype(np.intp)
            self._begins = float(arrays["begins"])
            self._depth = int(arrays["depth"])

    @property
    def traits(self) -> int:
        """How many it was taught at least."""
        return int(self._trait.max()) + 1

    def logit(self, traits: Sequence[float]) -> float:
        read = np.asarray(traits, np.float64)
        at = self._roots
        for _ in range(self._depth):
            goes_left = read[self._trait[at]] <= self._bound[at]
            at = np.where(goes_left, self._left[at], self._right[at])
        return self._begins + float(self._worth[at].sum())


@cache
def forest_in(file: ModelFile) -> Forest:
    """One for the process."""
    return Forest(checked_bytes(file))
