"""What every recipient has used of every tez: reserved before a query, settled behind it.

A reservation is counted and written in one transaction that no other comes between (decision 12,
item 6), so that N who race for M places get exactly M. It says who asked, when, and how much;
never what.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, and_, bindparam, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from tipstaff.domain.bundle import HostingLimits
from tipstaff.domain.caller import Caller
from tipstaff.domain.response import Usage
from tipstaff.domain.timestamp import timestamp
from tipstaff.errors import BudgetExhausted
from tipstaff.hosting.cost_records import Settled, charge
from tipstaff.hosting.cost_report import cost_by_day, cost_report
from tipstaff.hosting.limits import Limits, Remaining
from tipstaff.limits.limiter import Limiter, Standing
from tipstaff.limits.memory import MemoryLimiter
from tipstaff.limits.scopes import Asking, Rates
from tipstaff.records.database import Records
from tipstaff.records.tables import RESERVATION

HELD, SETTLED, RETURNED = "held", "settled", "returned"
_ROW = RESERVATION.c
_NO_LIMITS = HostingLimits()
_TOKENS = func.coalesce(func.sum(_ROW.input_tokens + _ROW.output_tokens), 0)
_USED = (
    select(func.count().label("queries"), _TOKENS.label("tokens"))
    .where(_ROW.tenant == bindparam("tenant"), _ROW.tez_id == bindparam("tez_id"))
    .where(_ROW.user == bindparam("user"), _ROW.state.in_((HELD, SETTLED)))
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """A query that runs, or did when its server was killed."""

    tenant: str
    query_id: str
    session_id: str
    tez_id: str
    holder: str
    at: float


@dataclass(frozen=True, slots=True, kw_only=True)
class _Used:
    queries: int
    tokens: int


class Ledger:
    """`defaults` and `rates` are the server's own limits, `limiter` counts how fast is asked;
    `holder` names this server in what it holds, for whoever clears up after it."""

    def __init__(
        self,
        records: Records,
        *,
        defaults: HostingLimits = _NO_LIMITS,
        rates: Rates = (),
        limiter: Limiter | None = None,
        now: Callable[[], float] = time.time,
        holder: str = "",
    ) -> None:
        self._records = records
        self.defaults = defaults
        self._rates = rates
        self._limiter = limiter or MemoryLimiter(now=now)
        self._now = now
        self._holder = holder

    async def reserve(
        self,
        caller: Caller,
        *,
        tez_id: str,
        session_id: str,
        query_id: str,
        limits: HostingLimits,
        download_permitted: bool = False,
    ) -> Remaining:
        """One place for one query. Raises BudgetExhausted or RateLimited, and then nothing of the
        budget is taken. How fast is asked comes first: who asks too fast does not even reach the
        database, and what is refused behind that was asked all the same."""
        rules = Limits.of(limits, self.defaults, self._rates)
        asking = _asking(caller, tez_id, session_id)
        standing = await self._limiter.take(asking, rules.rates, name=query_id)
        async with self._records.writing(caller.tenant, lock=_lock(caller, tez_id)) as connection:
            now = self._now()
            used = await _counted(connection, caller, tez_id)
            _check_budget(rules, used, now, download_permitted)
            granted = _granted(rules, used)
            await connection.execute(
                insert(RESERVATION).values(
                    tenant=caller.tenant,
                    query_id=query_id,
                    tez_id=tez_id,
                    user=caller.user,
                    session_id=session_id,
                    at=now,
                    state=HELD,
                    # Until the true number is known, nobody else may have these.
                    output_tokens=granted or 0,
                    holder=self._holder,
                )
            )
        return _remaining(
            rules,
            _Used(queries=used.queries + 1, tokens=used.tokens + (granted or 0)),
            standing,
            granted=granted,
        )

    async def settle(
        self,
        connection: AsyncConnection,
        query_id: str,
        *,
        tenant: str,
        usage: Usage,
        model: str,
        classification: str,
        embedding_tokens: int = 0,
    ) -> None:
        """In the transaction that keeps the exchange: a query is paid for if it was answered, and
        once (Enterprise §6.5)."""
        held = _this(tenant, query_id) & (_ROW.state == HELD)
        done = await connection.execute(
            update(RESERVATION)
            .where(held)
            .values(
                state=SETTLED,
                input_tokens=usage.input_tokens,
                output_tokens=usage.output_tokens,
                cost_usd=usage.estimated_cost_usd or 0.0,
                model=model,
                classification=str(classification),
            )
            .returning(_ROW.tez_id, _ROW.session_id, _ROW.user)
        )
        row = done.first()
        if row is not None:
            await charge(
                connection,
                Settled(tenant=tenant, query_id=query_id, **row._mapping),
                usage=usage,
                model=model,
                embedding_tokens=embedding_tokens,
                now=self._now(),
            )

    async def give_back(
        self, tenant: str, query_id: str, connection: AsyncConnection | None = None
    ) -> None:
        """A query that failed costs nothing, but it was asked: it still counts for the rate. In
        the transaction that ends the query, where there is one."""
        if connection is None:
            async with self._records.writing(tenant) as own:
                await self.give_back(tenant, query_id, own)
            return
        held = _this(tenant, query_id) & (_ROW.state == HELD)
        await connection.execute(
            update(RESERVATION).where(held).values(state=RETURNED, input_tokens=0, output_tokens=0)
        )

    async def held(self) -> list[Held]:
        """Every place that is held; at a start, those of a killed server are among them."""
        names = ("tenant", "query_id", "session_id", "tez_id", "holder", "at")
        wanted = select(*(_ROW[name] for name in names)).where(_ROW.state == HELD)
        rows = await self._records.across(wanted.order_by(_ROW.at), why="places that are held")
        return [Held(**row._mapping) for row in rows]

    async def remaining(
        self,
        caller: Caller,
        tez_id: str,
        limits: HostingLimits,
        *,
        session_id: str = "",
    ) -> Remaining:
        """What is left now, and held by nobody."""
        rules = Limits.of(limits, self.defaults, self._rates)
        standing = await self._limiter.look(_asking(caller, tez_id, session_id), rules.rates)
        async with self._records.reading(caller.tenant) as connection:
            used = await _counted(connection, caller, tez_id)
        return _remaining(rules, used, standing)

    async def cost_report(
        self, caller: Caller, tez_id: str, since: float, until: float
    ) -> dict[str, Any]:
        """TIP §12.1.4, for the sender of a tez."""
        async with self._records.reading(caller.tenant) as connection:
            return await cost_report(connection, caller, tez_id, since=since, until=until)

    async def cost_by_day(self, caller: Caller, since: float, until: float) -> list[dict[str, Any]]:
        """For the operator's chart."""
        async with self._records.reading(caller.tenant) as connection:
            return await cost_by_day(connection, caller.tenant, since=since, until=until)


async def _counted(connection: AsyncConnection, caller: Caller, tez_id: str) -> _Used:
    values = {"tenant": caller.tenant, "user": caller.user, "tez_id": tez_id}
    row = (await connection.execute(_USED, values)).mappings().one()
    return _Used(queries=row["queries"], tokens=int(row["tokens"]))


def _asking(caller: Caller, tez_id: str, session_id: str) -> Asking:
    return Asking(tenant=caller.tenant, user=caller.user, tez_id=tez_id, session_id=session_id)


def _lock(caller: Caller, tez_id: str) -> str:
    """A budget is one recipient's with one tez: nobody else waits for it."""
    return "\x1f".join(("budget", caller.tenant, tez_id, caller.user))


def _check_budget(rules: Limits, used: _Used, now: float, download_permitted: bool) -> None:
    """TIP §14.6, each limit by its name."""
    limit: tuple[str, int | str, int | str] | None = None
    if rules.expires_at is not None and now >= rules.expires_at:
        limit = ("expiration", timestamp(rules.expires_at), timestamp(now))
    elif rules.queries is not None and used.queries >= rules.queries:
        limit = ("query_count", rules.queries, used.queries)
    elif rules.tokens is not None and used.tokens >= rules.tokens:
        limit = ("token_count", rules.tokens, used.tokens)
    if limit is not None:
        kind, value, so_far = limit
        raise BudgetExhausted(
            limit_type=kind,
            limit_value=value,
            used=so_far,
            download_permitted=download_permitted,
        )


def _granted(rules: Limits, used: _Used) -> int | None:
    """What this query may use at the most, so that all of them together stay within the limit."""
    left = None if rules.tokens is None else rules.tokens - used.tokens
    bounds = [bound for bound in (rules.tokens_per_query, left) if bound is not None]
    return min(bounds, default=None)


def _remaining(
    rules: Limits, used: _Used, standing: Standing, *, granted: int | None = None
) -> Remaining:
    queries = None if rules.queries is None else max(0, rules.queries - used.queries)
    tokens = None if rules.tokens is None else max(0, rules.tokens - used.tokens)
    tightest = standing.tightest
    if tightest is None:
        return Remaining(queries=queries, tokens=tokens, granted_tokens=granted)
    return Remaining(
        queries=queries,
        tokens=tokens,
        granted_tokens=granted,
        per_minute_limit=tightest.limit,
        per_minute=max(0, tightest.limit - tightest.used),
        resets_at=tightest.resets_at,
        scope=str(tightest.level),
        counted_together=standing.shared,
    )


def _this(tenant: str, query_id: str) -> ColumnElement[bool]:
    return and_(_ROW.tenant == tenant, _ROW.query_id == query_id)
