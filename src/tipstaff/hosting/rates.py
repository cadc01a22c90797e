"""How fast is asked, on every level (Enterprise §6.4), by a window that slides (§7.7)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Select,
    and_,
    bindparam,
    case,
    func,
    select,
)

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


def _window() -> Select[Any]:
    """How many queries of the last minute count on each level, and when the oldest was; also of
    those that were given back: they were asked."""
    tenant, user = _ROW.tenant == bindparam("tenant"), _ROW.user == bindparam("user")
    tez = _ROW.tez_id == bindparam("tez_id")
    levels: dict[Level, ColumnElement[bool]] = {
        Level.SESSION: and_(tenant, _ROW.session_id == bindparam("session_id")),
        Level.RECIPIENT: and_(tenant, tez, user),
        Level.USER: and_(tenant, user),
        Level.TEZ: and_(tenant, tez),
        Level.TENANT: tenant,
    }
    columns: list[ColumnElement[Any]] = []
    for level, counts in levels.items():
        columns.append(func.count(case((counts, 1))).label(f"{level}_used"))
        columns.append(func.min(case((counts, _ROW.at))).label(f"{level}_oldest"))
    return select(*columns).where(tenant, _ROW.at > bindparam("since"))


# Made once: to build it takes longer than to run it.
WINDOW = _window().subquery()


def everybodys(since: float) -> Select[Any]:
    """The same for the widest level: a count of all tenants' queries, which names none."""
    counted: list[ColumnElement[Any]] = [
        func.count(_ROW.at).label(f"{Level.GLOBAL}_used"),
        func.min(_ROW.at).label(f"{Level.GLOBAL}_oldest"),
    ]
    return select(*counted).where(_ROW.at > since)


def rates_in(row: Mapping[str, Any], rates: Rates, now: float) -> list[Rate]:
    """The levels that have a limit, as a row of `WINDOW` has them."""
    return [
        Rate(
            level=level,
            limit=limit,
            used=row[f"{level}_used"],
            oldest=now if row[f"{level}_oldest"] is None else row[f"{level}_oldest"],
        )
        for level, limit in rates
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
