"""How fast is asked, on every level (Enterprise §6.4), by a window that slides (§7.7)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, and_, case, func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from tipstaff.domain.caller import Caller
from tipstaff.errors import RateLimited
from tipstaff.hosting.limits import Level, Rates
from tipstaff.records.tables import RESERVATION

WINDOW_S = 60.0
_ROW = RESERVATION.c


@dataclass(frozen=True, slots=True, kw_only=True)
class Rate:
    level: Level
    limit: int
    used: int
    oldest: float

    @property
    def resets_at(self) -> float:
        """When the oldest query leaves the window."""
        return self.oldest + WINDOW_S


async def rates_now(
    connection: AsyncConnection,
    caller: Caller,
    rates: Rates,
    *,
    tez_id: str,
    session_id: str,
    now: float,
) -> list[Rate]:
    """How many queries of the last minute count on each level, and when the oldest was."""
    levels: dict[Level, ColumnElement[bool]] = {
        Level.SESSION: (_ROW.tenant == caller.tenant) & (_ROW.session_id == session_id),
        Level.RECIPIENT: and_(
            _ROW.tenant == caller.tenant, _ROW.tez_id == tez_id, _ROW.user == caller.user
        ),
        Level.USER: (_ROW.tenant == caller.tenant) & (_ROW.user == caller.user),
        Level.TEZ: (_ROW.tenant == caller.tenant) & (_ROW.tez_id == tez_id),
        Level.TENANT: _ROW.tenant == caller.tenant,
        Level.GLOBAL: _ROW.tenant.is_not(None),
    }
    columns: list[ColumnElement[Any]] = []
    for level, _ in rates:
        columns.append(func.count(case((levels[level], 1))))
        columns.append(func.min(case((levels[level], _ROW.at))))
    if not columns:
        return []
    # Also what was given back: it was asked.
    row = (await connection.execute(select(*columns).where(_ROW.at > now - WINDOW_S))).one()
    return [
        Rate(
            level=level,
            limit=limit,
            used=int(row[2 * number]),
            oldest=now if row[2 * number + 1] is None else float(row[2 * number + 1]),
        )
        for number, (level, limit) in enumerate(rates)
    ]


def check_rates(rates: Sequence[Rate], now: float) -> None:
    """The level that has to be waited for longest is the one that is named."""
    full = [rate for rate in rates if rate.used >= rate.limit]
    if full:
        worst = max(full, key=lambda rate: rate.resets_at)
        raise RateLimited(
            scope=worst.level,
            limit=f"{worst.limit} queries/minute",
            retry_after_seconds=max(1, math.ceil(worst.resets_at - now)),
        )
