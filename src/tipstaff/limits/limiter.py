"""How fast is asked: a query takes one place in every scope that has a limit, or in none.

Two ways to count (Enterprise §7.7). `sliding_window` remembers each query of the last minute: no
minute ever has more than the limit. `token_bucket` remembers two numbers a scope: a whole limit at
once, then one place every `60 / limit` seconds.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from tipstaff.errors import RateLimited
from tipstaff.limits.scopes import Asking, Level, Rates

WINDOW_S = 60.0
# What doubles may be off by, far below what anybody waits.
NEARLY = 1e-6


class Algorithm(StrEnum):
    SLIDING_WINDOW = "sliding_window"
    TOKEN_BUCKET = "token_bucket"  # noqa: S105 (not a secret)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rate:
    """One scope as it stands. `resets_at`: a window loses its oldest query, a bucket is full
    again; `free_at`: from when on there is a place, if there is none."""

    level: Level
    limit: int
    used: int
    resets_at: float
    free_at: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """All scopes of a query. `shared` is false where an instance counts for itself although it
    should not: Valkey is lost."""

    rates: tuple[Rate, ...] = ()
    shared: bool = True

    @property
    def tightest(self) -> Rate | None:
        return min(self.rates, key=lambda rate: rate.limit - rate.used, default=None)


class Limiter(Protocol):
    async def take(self, asking: Asking, rates: Rates, *, name: str) -> Standing:
        """A place in every scope, behind which it stands so; RateLimited, and no place taken, if
        one of them is full. `name` is the query's own."""
        ...

    async def look(self, asking: Asking, rates: Rates) -> Standing:
        """How it stands, nothing taken."""
        ...


def refused(rates: Sequence[Rate], now: float) -> RateLimited:
    """The scope that has to be waited for longest is the one that is named."""
    worst = max(rates, key=lambda rate: rate.free_at)
    return RateLimited(
        scope=worst.level,
        limit=f"{worst.limit} queries/minute",
        retry_after_seconds=max(1, math.ceil(worst.free_at - now - NEARLY)),
        allowed=worst.limit,
    )
