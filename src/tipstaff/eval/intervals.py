"""How sure a proportion is: 95% confidence intervals, the same every time.

What is counted once a query (abstentions) gets Wilson's interval. Chunks, claims and citations of
one response stand or fall together, so for them whole queries are drawn anew (a bootstrap).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

SEED = 20260215
RESAMPLES = 2_000
# Of fewer queries than this, draws are too much alike.
_FEW = 10
_Z = 1.959963984540054


@dataclass(frozen=True, slots=True)
class Count:
    """So many of so many; of one query, or of all."""

    hits: int
    total: int

    def __add__(self, other: Count) -> Count:
        return Count(self.hits + other.hits, self.total + other.total)

    @property
    def share(self) -> float | None:
        """None where there was nothing to count."""
        return self.hits / self.total if self.total else None


NOTHING = Count(0, 0)


def wilson(count: Count) -> tuple[float, float]:
    """Wilson's score interval. Without observations anything is possible."""
    return _wilson(count.share or 0.0, count.total)


def bootstrap(counts: Sequence[Count], *, seed: int = SEED) -> tuple[float, float]:
    """The middle 95% of the shares of as many queries, drawn with replacement. Of few queries, or
    of queries that are all alike, draws would claim certainty: then it is Wilson's, as if each
    query were one observation."""
    used = sorted((one for one in counts if one.total), key=lambda one: (one.hits, one.total))
    share = sum(used, NOTHING).share or 0.0
    if len(used) < _FEW or len({one.share for one in used}) == 1:
        return _wilson(share, len(used))
    import numpy as np

    # Sorted before drawing: the order of a query set says nothing.
    hits = np.array([one.hits for one in used])
    totals = np.array([one.total for one in used])
    drawn = np.random.default_rng(seed).integers(0, len(used), size=(RESAMPLES, len(used)))
    shares = hits[drawn].sum(axis=1) / totals[drawn].sum(axis=1)
    low, high = (float(np.quantile(shares, part)) for part in (0.025, 0.975))
    return min(low, share), max(high, share)


def _wilson(share: float, n: int) -> tuple[float, float]:
    if not n:
        return 0.0, 1.0
    middle = share + _Z * _Z / (2 * n)
    spread = _Z * math.sqrt(share * (1 - share) / n + _Z * _Z / (4 * n * n))
    scale = 1 + _Z * _Z / n
    # Rounding must not put the share outside of its own interval.
    low = 0.0 if share == 0 else min(share, max(0.0, (middle - spread) / scale))
    high = 1.0 if share == 1 else max(share, min(1.0, (middle + spread) / scale))
    return low, high
