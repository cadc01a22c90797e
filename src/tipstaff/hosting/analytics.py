"""What may be told about the use of a tez without anybody's consent (TIP §13.1.3).

Four figures, and nothing of them is recorded anywhere: they are counted when they are asked for.
Which items are cited most is told only of items that several recipients asked about, since with
one of them it would be their line of inquiry.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from tipstaff.domain.bundle import Privacy
from tipstaff.domain.caller import Caller
from tipstaff.hosting.published import once_managed
from tipstaff.records.tables import EXCHANGE, SESSION

LEAST_RECIPIENTS = 3
_MOST_ITEMS = 10
_NONE = "none"


async def analytics(
    connection: AsyncConnection, caller: Caller, tez_id: str, privacy: Privacy
) -> dict[str, Any]:
    """For the sender; NotFound for anybody else. A sender who wants none gets none."""
    await once_managed(connection, caller, tez_id)
    if privacy.analytics_level == _NONE:
        return {"analytics": {"tez_id": tez_id, "analytics_level": _NONE}}
    lasted = SESSION.c.last_activity_at - SESSION.c.initiated_at
    this = (SESSION.c.tenant == caller.tenant) & (SESSION.c.tez_id == tez_id)
    figures = select(func.count(), func.sum(SESSION.c.query_count), func.avg(lasted)).where(this)
    sessions, queries, seconds = (await connection.execute(figures)).one()
    return {
        "analytics": {
            "tez_id": tez_id,
            "analytics_level": "aggregate_only",
            "session_count": int(sessions),
            "query_count": int(queries or 0),
            "average_session_duration_minutes": round(float(seconds or 0.0) / 60, 1),
            "most_cited_items": await _most_cited(connection, caller.tenant, tez_id),
        }
    }


async def _most_cited(
    connection: AsyncConnection, tenant: str, tez_id: str
) -> list[dict[str, Any]]:
    """By how many sessions cite an item, not by how often one of them does."""
    same = (SESSION.c.tenant == EXCHANGE.c.tenant) & (SESSION.c.session_id == EXCHANGE.c.session_id)
    wanted = (
        select(SESSION.c.user, SESSION.c.session_id, EXCHANGE.c.envelope)
        .join(SESSION, same)
        .where(SESSION.c.tenant == tenant, SESSION.c.tez_id == tez_id)
    )
    users: dict[str, set[str]] = defaultdict(set)
    sessions: dict[str, set[str]] = defaultdict(set)
    async with connection.stream(wanted) as rows:
        async for user, session_id, envelope in rows:
            for citation in envelope.get("response", {}).get("citations", ()):
                users[citation["item_id"]].add(user)
                sessions[citation["item_id"]].add(session_id)
    known = [item for item in users if len(users[item]) >= LEAST_RECIPIENTS]
    ranked = sorted(known, key=lambda item: (-len(sessions[item]), item))[:_MOST_ITEMS]
    return [{"item_id": item, "sessions": len(sessions[item])} for item in ranked]
