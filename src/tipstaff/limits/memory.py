"""Limits of one instance, in its memory."""

from __future__ import annotations

import time
from collections import OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass, field

from tipstaff.limits.limiter import NEARLY, WINDOW_S, Algorithm, Rate, Standing, refused
from tipstaff.limits.scopes import Asking, Level, Rates

_Key = tuple[str, ...]


@dataclass(slots=True)
class _Window:
    """The moments of the last minute's queries, oldest first."""

    moments: deque[float] = field(default_factory=deque)

    def rate(self, level: Level, limit: int, now: float) -> Rate:
        while self.moments and self.moments[0] <= now - WINDOW_S:
            self.moments.popleft()
        used = len(self.moments)
        oldest = self.moments[0] if self.moments else now
        leaves = self.moments[used - limit] if used >= limit > 0 else now
        free_at = now if used < limit else leaves + WINDOW_S
        return Rate(
            level=level, limit=limit, used=used, resets_at=oldest + WINDOW_S, free_at=free_at
        )

    def take(self, _limit: int, now: float) -> None:
        self.moments.append(now)


@dataclass(slots=True)
class _Bucket:
    """What is left in it, as of a moment; a new one is full."""

    left: float | None = None
    at: float = 0.0

    def rate(self, level: Level, limit: int, now: float) -> Rate:
        each_s = WINDOW_S / limit if limit else WINDOW_S
        if self.left is None or not limit:
            self.left = float(limit)
        else:
            self.left = min(float(limit), self.left + max(0.0, now - self.at) / each_s)
        self.at = now
        missing = max(0.0, 1 - self.left - NEARLY)
        return Rate(
            level=level,
            limit=limit,
            used=limit - int(self.left + NEARLY),
            resets_at=now + (limit - self.left) * each_s,
            free_at=now + missing * each_s,
        )

    def take(self, limit: int, _now: float) -> None:
        self.left = max(0.0, (float(limit) if self.left is None else self.left) - 1)


class MemoryLimiter:
    """Nothing is awaited between looking and taking, so that nobody comes in between."""

    def __init__(
        self,
        algorithm: Algorithm = Algorithm.SLIDING_WINDOW,
        *,
        now: Callable[[], float] = time.time,
    ) -> None:
        self._new = _Window if algorithm is Algorithm.SLIDING_WINDOW else _Bucket
        self._now = now
        self._counts: OrderedDict[_Key, _Window | _Bucket] = OrderedDict()
        self._used_at: dict[_Key, float] = {}

    def __len__(self) -> int:
        return len(self._counts)

    async def take(self, asking: Asking, rates: Rates, *, name: str) -> Standing:  # noqa: ARG002
        now = self._now()
        standing = self._rates(asking, rates, now)
        full = [rate for rate in standing if rate.free_at > now]
        if full:
            raise refused(full, now)
        return self._taken(asking, rates, now)

    async def look(self, asking: Asking, rates: Rates) -> Standing:
        return Standing(rates=self._rates(asking, rates, self._now()))

    def count(self, asking: Asking, rates: Rates) -> Standing:
        """A query that was let in, by whomever."""
        now = self._now()
        self._rates(asking, rates, now)
        return self._taken(asking, rates, now)

    def _taken(self, asking: Asking, rates: Rates, now: float) -> Standing:
        """Behind `_rates` of the same moment, which has let go of what is over."""
        for level, limit in rates:
            self._count(asking, level).take(limit, now)
            self._touch((level, *asking.counted_in(level)), now)
        self._forget(now)
        return Standing(rates=self._rates(asking, rates, now))

    def _rates(self, asking: Asking, rates: Rates, now: float) -> tuple[Rate, ...]:
        return tuple(self._count(asking, level).rate(level, limit, now) for level, limit in rates)

    def _count(self, asking: Asking, level: Level) -> _Window | _Bucket:
        return self._counts.get((level, *asking.counted_in(level))) or self._made(asking, level)

    def _made(self, asking: Asking, level: Level) -> _Window | _Bucket:
        key = (level, *asking.counted_in(level))
        self._counts[key] = made = self._new()
        self._used_at[key] = self._now()
        return made

    def _touch(self, key: _Key, now: float) -> None:
        self._counts.move_to_end(key)
        self._used_at[key] = now

    def _forget(self, now: float) -> None:
        """A minute later a window is empty and a bucket full, as new ones are."""
        while self._counts:
            oldest = next(iter(self._counts))
            if self._used_at[oldest] > now - WINDOW_S:
                return
            del self._counts[oldest], self._used_at[oldest]
