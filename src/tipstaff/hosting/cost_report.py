"""What interrogation of a tez cost, for its sender: TIP §12.1.4's shape, and no query in it."""

from __future__ import annotations

import datetime as dt
from typing import Any

from sqlalchemy import BigInteger, cast, func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from tipstaff.domain.caller import Caller
from tipstaff.hosting.cost_records import usd
from tipstaff.hosting.published import once_managed
from tipstaff.records.tables import COST

_ROW = COST.c
_DAY = 86_400
_DAY_MS = _DAY * 1000


async def cost_report(
    connection: AsyncConnection, caller: Caller, tez_id: str, *, since: float, until: float
) -> dict[str, Any]:
    """Answered queries from `since` until before `until`; NotFound for all but the sender."""
    await once_managed(connection, caller, tez_id)
    tokens = func.sum(_ROW.prompt_tokens + _ROW.completion_tokens)
    sessions = func.count(_ROW.session_id.distinct())
    paid = (
        select(_ROW.user_id, sessions, func.count(), tokens, func.sum(_ROW.cost_nano_usd))
        .where(_ROW.tenant == caller.tenant, _ROW.tez_id == tez_id)
        .where(_ROW.at >= since, _ROW.at < until)
        .group_by(_ROW.user_id)
        .order_by(_ROW.user_id)
    )
    rows = (await connection.execute(paid)).all()
    by_recipient = [
        {
            "recipient": row[0],
            "sessions": int(row[1]),
            "queries": int(row[2]),
            "tokens": int(row[3]),
            "cost_usd": _dollars(row[4]),
        }
        for row in rows
    ]
    return {
        "cost_report": {
            "tez_id": tez_id,
            "period": f"{_day(since)} to {_day(until, is_end=True)}",
            # A session is one recipient's, so that none is counted twice.
            "total_sessions": sum(one["sessions"] for one in by_recipient),
            "total_queries": sum(one["queries"] for one in by_recipient),
            "total_tokens": sum(one["tokens"] for one in by_recipient),
            "estimated_cost_usd": _dollars(sum(row[4] for row in rows)),
            "by_recipient": by_recipient,
        }
    }


async def cost_by_day(
    connection: AsyncConnection, tenant: str, *, since: float, until: float
) -> list[dict[str, Any]]:
    """What was asked on each day of a period and what that cost the tenant; days on which nothing
    was asked are there, too."""
    first = cast(_ROW.at * 1000, BigInteger) // _DAY_MS
    tokens = func.sum(_ROW.prompt_tokens + _ROW.completion_tokens)
    paid = (
        select(first, func.count(), tokens, func.sum(_ROW.cost_nano_usd))
        .where(_ROW.tenant == tenant, _ROW.at >= since, _ROW.at < until)
        .group_by(first)
    )
    rows = {int(row[0]): row for row in (await connection.execute(paid)).all()}
    return [
        {
            "date": _day(number * _DAY),
            "queries": int(rows[number][1]) if number in rows else 0,
            "tokens": int(rows[number][2]) if number in rows else 0,
            "cost_usd": _dollars(rows[number][3]) if number in rows else 0.0,
        }
        for number in range(int(since // _DAY), int((until - 1e-6) // _DAY) + 1)
    ]


def _dollars(nano: int) -> float:
    return round(usd(nano), 6)


def _day(moment: float, *, is_end: bool = False) -> str:
    """The last day of a period is the one that its end still belongs to: midnight ends a day."""
    day = dt.datetime.fromtimestamp(moment, dt.UTC)
    if is_end:
        day -= dt.timedelta(microseconds=1)
    return day.date().isoformat()
