"""What every answered query cost, attributed to the tenant that pays (Enterprise §6.5).

One record a query, written in the transaction that settles its reservation: neither is there
without the other. Money is counted in billionths of a dollar, as whole numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from typing import Any, cast

from sqlalchemy import RowMapping, Select, func, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from tipstaff.domain.origin import external_name
from tipstaff.domain.response import Usage
from tipstaff.domain.timestamp import timestamp
from tipstaff.records.audit_trail import of_tenant
from tipstaff.records.tables import COST, RECEIVED_SHARE

NANO = Decimal(10) ** 9
# Enterprise §6.5's record, in its order.
FIELDS = (
    "tenant_id",
    "tez_id",
    "session_id",
    "user_id",
    "model",
    "prompt_tokens",
    "completion_tokens",
    "embedding_tokens",
    "estimated_cost_usd",
    "hosting_mode",
    "billed_to_tenant",
    "timestamp",
)
SENDER, RECIPIENT = "sender", "recipient"
_AT_THE_SENDERS = "accept_dependency"
_COUNTED = ("prompt_tokens", "completion_tokens", "embedding_tokens", "cost_nano_usd")


class By(StrEnum):
    """What a report is broken down by."""

    TEZ = "tez"
    USER = "user"
    MODEL = "model"
    TENANT = "tenant"
    DAY = "day"
    MONTH = "month"


_COLUMNS = {
    By.TEZ: COST.c.tez_id,
    By.USER: COST.c.user_id,
    By.MODEL: COST.c.model,
    By.TENANT: COST.c.tenant_id,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Period:
    """From `since` until before `until`, of one tenant's bill; of one tez, one user."""

    tenant: str
    since: float
    until: float
    tez_id: str | None = None
    user_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Settled:
    """A query that was answered, as its reservation has it."""

    tenant: str
    query_id: str
    tez_id: str
    session_id: str
    user: str


async def charge(
    connection: AsyncConnection,
    settled: Settled,
    *,
    usage: Usage,
    model: str,
    embedding_tokens: int,
    now: float,
) -> None:
    """Enterprise §6.5: for a share that is asked where its sender has it, the sender pays; for a
    copy that was handed over, whoever has it."""
    share = RECEIVED_SHARE.c
    wanted = select(share.from_tenant, share.tez_id, share.strategy).where(
        share.tenant == settled.tenant, share.share_id == settled.tez_id
    )
    shared = (await connection.execute(wanted)).first()
    payer, tez_id, user, mode = settled.tenant, settled.tez_id, settled.user, SENDER
    if shared is not None and shared.strategy != _AT_THE_SENDERS:
        mode = RECIPIENT
    elif shared is not None:
        payer, tez_id = shared.from_tenant, shared.tez_id
        user = external_name(settled.tenant, settled.user)
    async with of_tenant(connection, payer):
        await connection.execute(
            insert(COST).values(
                tenant=payer,
                query_id=settled.query_id,
                tenant_id=settled.tenant,
                tez_id=tez_id,
                session_id=settled.session_id,
                user_id=user,
                model=model,
                prompt_tokens=usage.input_tokens,
                completion_tokens=usage.output_tokens,
                embedding_tokens=embedding_tokens,
                cost_nano_usd=nano_usd(usage.estimated_cost_usd or 0.0),
                hosting_mode=mode,
                at=now,
            )
        )


async def cost_records(connection: AsyncConnection, period: Period) -> list[dict[str, Any]]:
    """Every record, the oldest first, in the specification's fields."""
    wanted = _within(select(COST), period).order_by(COST.c.at, COST.c.query_id)
    return [_record(row) for row in (await connection.execute(wanted)).mappings()]


async def cost_totals(
    connection: AsyncConnection, period: Period, by: Sequence[By]
) -> dict[str, Any]:
    """Sums over the period, and by each of what it is broken down by."""
    columns = [_column(one, connection.dialect.name).label(str(one)) for one in by]
    sums = [func.coalesce(func.sum(COST.c[name]), 0).label(name) for name in _COUNTED]
    counts = [
        func.count().label("queries"),
        func.count(COST.c.session_id.distinct()).label("sessions"),
    ]
    counted = cast("Select[Any]", select(*counts, *sums))
    total = (await connection.execute(_within(counted, period))).mappings().one()
    report: dict[str, Any] = {
        "billed_to_tenant": period.tenant,
        "since": timestamp(period.since),
        "until": timestamp(period.until),
        **_sums(total),
    }
    if by:
        broken_down = cast("Select[Any]", select(*columns, *counts, *sums))
        grouped = _within(broken_down, period).group_by(*columns)
        rows = (await connection.execute(grouped.order_by(*columns))).mappings()
        report["by"] = [
            {str(one): _named(one, row[str(one)]) for one in by} | _sums(row) for row in rows
        ]
    return report


def nano_usd(amount: float) -> int:
    """As the float says it in figures, not as it is stored: 0.1 is a tenth."""
    return int((Decimal(repr(float(amount))) * NANO).to_integral_value())


def usd(nano: int) -> float:
    return float(Decimal(int(nano)) / NANO)


def csv_rows(records: Iterable[dict[str, Any]]) -> Iterable[list[str]]:
    """A header and the records; money in plain figures, and nothing that a spreadsheet would
    take for a formula."""
    rows = list(records)
    names = list(FIELDS) if not rows or set(rows[0]) == set(FIELDS) else list(rows[0])
    yield names
    for row in rows:
        yield [_cell(row[name]) for name in names]


def _cell(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.9f}".rstrip("0").rstrip(".")
    text = str(value)
    return f"'{text}" if text[:1] in ("=", "+", "-", "@", "\t", "\r") else text


def _within(wanted: Select[Any], period: Period) -> Select[Any]:
    wanted = wanted.where(COST.c.tenant == period.tenant)
    wanted = wanted.where(COST.c.at >= period.since, COST.c.at < period.until)
    if period.tez_id is not None:
        wanted = wanted.where(COST.c.tez_id == period.tez_id)
    if period.user_id is not None:
        wanted = wanted.where(COST.c.user_id == period.user_id)
    return wanted


def _column(by: By, dialect: str) -> Any:
    """Days and months are UTC's."""
    if by in _COLUMNS:
        return _COLUMNS[by]
    if dialect == "sqlite":
        return func.strftime("%Y-%m-%d" if by is By.DAY else "%Y-%m", COST.c.at, "unixepoch")
    utc = func.timezone("UTC", func.to_timestamp(COST.c.at))
    return func.to_char(utc, "YYYY-MM-DD" if by is By.DAY else "YYYY-MM")


def _named(by: By, value: object) -> object:
    # A query whose recipient left before its end had a model that nobody was told of.
    return value or ("unknown" if by is By.MODEL else value)


def _sums(row: RowMapping) -> dict[str, Any]:
    return {
        "queries": int(row["queries"]),
        "sessions": int(row["sessions"]),
        "prompt_tokens": int(row["prompt_tokens"]),
        "completion_tokens": int(row["completion_tokens"]),
        "embedding_tokens": int(row["embedding_tokens"]),
        "estimated_cost_usd": usd(row["cost_nano_usd"]),
    }


def _record(row: RowMapping) -> dict[str, Any]:
    values = {
        **row,
        "estimated_cost_usd": usd(row["cost_nano_usd"]),
        "billed_to_tenant": row["tenant"],
        "timestamp": timestamp(row["at"]),
    }
    return {name: values[name] for name in FIELDS}
