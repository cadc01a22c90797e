"""A connection that acts for one tenant, and hands out nothing of another's (Enterprise §10.2).

PostgreSQL itself keeps tenants apart (`isolation.py`): what a transaction may see is set here,
for that transaction alone. Beside it, and for SQLite, every row that is read is held against the
tenant once more. A row of another is a fault of ours: it is dropped, told, counted, and whoever
asked gets an error instead of an answer.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any, cast

from sqlalchemy import Column, Row, Select, Table, text
from sqlalchemy.engine import CursorResult, IteratorResult, Result
from sqlalchemy.engine.result import SimpleResultMetaData
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine
from sqlalchemy.sql import visitors

from tipstaff.errors import InternalError
from tipstaff.records.isolation import CROSSING, SECRET, TENANT

_LOG = logging.getLogger("tipstaff.records")
_MARK = "row_of_tenant"
_SET = text("SELECT set_config(:name, :value, true)")
# What may be read of all tenants at once: whose, which and when. No words, no people, no titles.
NAMES_AND_TIMES = frozenset(
    {
        *("tenant", "tez_id", "session_id", "query_id", "token_id", "version", "tez_version"),
        *("digest", "state", "status", "holder", "number"),
        *("at", "closed_at", "expires_at", "last_activity_at", "published_at"),
    }
)
OnForeignRow = Callable[[], None]


class TenantConnection(AsyncConnection):
    """`tenant` is empty where none is known yet: then no row is anybody's."""

    __slots__ = ("_on_foreign_row", "tenant")

    def __init__(
        self, engine: AsyncEngine, *, tenant: str, on_foreign_row: OnForeignRow | None = None
    ) -> None:
        super().__init__(engine)
        self.tenant = tenant
        self._on_foreign_row = on_foreign_row

    async def act_for(self, tenant: str) -> None:
        """From here on the transaction is this tenant's."""
        self.tenant = tenant
        await self._set(TENANT, tenant)

    @asynccontextmanager
    async def acting_for(self, tenant: str) -> AsyncIterator[None]:
        """What concerns two tenants is written for both in one transaction (Enterprise §6.6)."""
        before = self.tenant
        await self.act_for(tenant)
        yield
        # Not after an error: the transaction is lost then, and takes no more words.
        await self.act_for(before)

    async def show_secret(self, digest: str) -> None:
        """From here on the row with the digest of this secret is seen, whosever it is."""
        await self._set(SECRET, digest)

    async def execute(
        self, statement: Any, parameters: Any = None, *, execution_options: Any = None
    ) -> CursorResult[Any]:
        """As ever, but rows that are not the tenant's raise."""
        marked = _marked(statement)
        result = await super().execute(marked, parameters, execution_options=execution_options)
        if marked is not statement:
            return cast("CursorResult[Any]", self._without_mark(result))
        if result.returns_rows and "tenant" in result.keys():  # noqa: SIM118 (no mapping)
            return cast("CursorResult[Any]", self._checked(result))
        return result

    async def across(self, wanted: Select[Any], *, why: str) -> Sequence[Row[Any]]:
        """Names and times of every tenant's rows, for upkeep: read, never written, and said."""
        _refuse_words(wanted)
        await self._set(CROSSING, why)
        rows: Sequence[Row[Any]] = (await super().execute(wanted)).all()
        await self._set(CROSSING, "")
        if rows and "tenant" in wanted.selected_columns:
            facts = {"event": "tenants_crossed", "why": why, "rows": len(rows)}
            _LOG.info("tenants crossed: %s (%d rows)", why, len(rows), extra={"facts": facts})
        return rows

    async def whose(self, wanted: Select[Any]) -> Row[Any] | None:
        """The row that a shown secret opens."""
        row: Row[Any] | None = (await super().execute(wanted)).first()
        return row

    async def _set(self, name: str, value: str) -> None:
        if self.dialect.name == "postgresql":
            await super().execute(_SET, {"name": name, "value": value})

    def _without_mark(self, result: CursorResult[Any]) -> Result[Any]:
        keys = [key for key in result.keys() if key != _MARK]  # noqa: SIM118
        rows = result.all()
        self._refuse_foreign(getattr(row, _MARK) for row in rows)
        return IteratorResult(SimpleResultMetaData(keys), (tuple(row)[:-1] for row in rows))

    def _checked(self, result: CursorResult[Any]) -> Result[Any]:
        keys = list(result.keys())
        rows = result.all()
        self._refuse_foreign(row.tenant for row in rows)
        return IteratorResult(SimpleResultMetaData(keys), iter([tuple(row) for row in rows]))

    def _refuse_foreign(self, tenants: Any) -> None:
        foreign = sum(1 for one in tenants if one != self.tenant)
        if not foreign:
            return
        # Not whose: a log of this is read by people who need not know the other.
        facts = {"event": "foreign_rows", "rows": foreign}
        _LOG.error(
            "%d rows of another tenant were read and dropped", foreign, extra={"facts": facts}
        )
        if self._on_foreign_row is not None:
            for _ in range(foreign):
                self._on_foreign_row()
        raise InternalError("A row of another tenant was read.")


def _marked(statement: Any) -> Any:
    """A reading of plain columns, with the tenant of each row as one more."""
    if not isinstance(statement, Select):
        return statement
    columns = list(statement.selected_columns)
    if not columns or not all(isinstance(column, Column) for column in columns):
        return statement
    tables = {column.table for column in columns}
    names = {column.name for column in columns}
    if len(tables) != 1 or "tenant" in names or statement._distinct or statement._group_by_clauses:
        return statement
    (table,) = tables
    if not isinstance(table, Table) or "tenant" not in table.c:
        return statement
    return statement.add_columns(table.c.tenant.label(_MARK))


def _refuse_words(wanted: Select[Any]) -> None:
    for element in wanted.selected_columns:
        for part in visitors.iterate(element):
            if isinstance(part, Column) and part.name not in NAMES_AND_TIMES:
                raise InternalError(f"'{part.name}' is not for reading across tenants.")
