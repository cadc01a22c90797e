"""Passages that are equally similar, in the order of the bundle.

Other people's searchers return any of them. Which ones come first must not depend on what else
is in the index, so as many are asked for as it takes to see every one that ties with the last.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from tipstaff.lexical.bm25 import best
from tipstaff.store.store import Nearest

Answer = tuple[npt.NDArray[np.int32], npt.NDArray[np.float64]]
_GROWTH = 4


def nearest_in_order(ask: Callable[[int], Answer], *, limit: int, chunk_count: int) -> Nearest:
    """`ask(count)` gives at least the `count` most similar chunks of a scope that holds
    `chunk_count`, in any order."""
    if chunk_count == 0:
        return Nearest(np.empty(0, np.int32), np.empty(0, np.float64))
    count = limit + 1
    while True:
        numbers, dots = ask(min(count, chunk_count))
        chosen = best(numbers, dots, count)
        is_everything = len(chosen) < count or count >= chunk_count
        if is_everything or dots[chosen[-1]] < dots[chosen[limit - 1]]:
            first = chosen[:limit]
            return Nearest(numbers[first], dots[first])
        count *= _GROWTH
