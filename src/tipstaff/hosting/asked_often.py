"""How often each tez is asked of late (Enterprise §7.4): counts that halve with time.

A count is kept as the logarithm of its value at a fixed moment: what was asked later weighs more,
so that counts compare as they are and nothing has to be aged. Those of the rarest are forgotten.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence

from sqlalchemy import Integer, cast, func, select

from tipstaff.records.database import Records
from tipstaff.records.tables import RESERVATION

Tez = tuple[str, str]
HALF_LIFE_S = 6 * 3_600
# A query of two days ago weighs 1/256 of one of now.
_BEHIND_S = 8 * HALF_LIFE_S


class AskedOften:
    def __init__(self, most: int, now: Callable[[], float] = time.time) -> None:
        self._most = most
        self._now = now
        self._weights: dict[Tez, float] = {}

    def count(self, tez: Tez, *, times: float = 1.0, ago_s: float = 0.0) -> None:
        weight = (self._now() - ago_s) / HALF_LIFE_S + math.log2(times)
        before = self._weights.get(tez, -math.inf)
        high, low = max(before, weight), min(before, weight)
        self._weights[tez] = high + math.log2(1 + 2.0 ** (low - high))
        # In one go for many, since finding the rarest looks at all.
        if len(self._weights) > 2 * self._most:
            self._weights = {one: self._weights[one] for one in self.often(self._most)}

    def weight(self, tez: Tez) -> float:
        """For comparing: more is more often; what was never asked is below all that was."""
        return self._weights.get(tez, -math.inf)

    def often(self, most: int) -> Sequence[Tez]:
        return sorted(self._weights, key=self.weight, reverse=True)[:most]

    async def remember(self, records: Records) -> None:
        """What any instance was asked in the last days: reservations, counted by the database."""
        now = self._now()
        halvings = cast((now - RESERVATION.c.at) / HALF_LIFE_S, Integer).label("halvings")
        times = func.count().label("times")
        by_tez = (
            select(RESERVATION.c.tenant, RESERVATION.c.tez_id, halvings, times)
            .where(RESERVATION.c.at > now - _BEHIND_S)
            .group_by(RESERVATION.c.tenant, RESERVATION.c.tez_id, halvings)
            .order_by(times.desc())
            .limit(self._most)
        )
        for row in await records.across(by_tez, why="tezits that are asked often"):
            ago_s = max(row.halvings, 0) * HALF_LIFE_S
            self.count((row.tenant, row.tez_id), times=row.times, ago_s=ago_s)
