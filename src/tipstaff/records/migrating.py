"""The database, brought to the state that this version works with (decision 15).

The steps lie in `migrations/versions/`, one file each. A database without a version and with
tables is one of before there were steps: it is taken for the first of them. Alembic is imported
only when there is a step to take.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, inspect, text
from sqlalchemy.exc import ProgrammingError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from tipstaff.errors import MissingExtra, UsageError
from tipstaff.records.isolation import IS_EXEMPT, UNPROTECTED
from tipstaff.records.job_schema import grant_jobs, make_jobs
from tipstaff.records.tables import METADATA

VERSION_TABLE = "tipstaff_version"
STEPS = ("0001", "0002", "0003", "0004", "0005")
HEAD = STEPS[-1]
# What a database has that was made before there were steps.
_FIRST_TABLE = "session"
_FOLDER = Path(__file__).parent / "migrations"
# Two that start at once take the steps one after the other; any constant will do.
_LOCK = 0x7149_5375


class State(StrEnum):
    EMPTY = "empty"
    BEHIND = "behind"
    CURRENT = "current"
    # Made by a later version, or not by us.
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Standing:
    state: State
    version: str | None


async def make_ready(engine: AsyncEngine) -> None:
    """An empty database is made, a file is brought up to date by whoever opens it: it has one
    server. A PostgreSQL may have several, of another version too, so that is for its operator."""
    async with engine.connect() as connection:
        standing = await connection.run_sync(standing_of)
    if standing.state is State.CURRENT:
        return
    refuse_unknown(standing)
    if standing.state is State.BEHIND and engine.dialect.name != "sqlite":
        raise UsageError(
            f"The database of the records is behind: it is at {standing.version or 'no version'}, "
            f"this Tipstaff works with {HEAD}.",
            suggestion="Make a backup, stop the servers, run `tip migrate`, and start them again.",
        )
    try:
        await migrate(engine)
    except ProgrammingError as problem:
        if "permission denied" not in str(problem.orig):
            raise
        raise UsageError(
            "The database of the records is empty, and this role may not make its tables.",
            suggestion="Run `tip migrate` with records_owner_url (docs/tenants.md).",
        ) from None


async def migrate(engine: AsyncEngine, *, application_role: str | None = None) -> Standing:
    """All missing steps in one transaction; where it stood before. `application_role` is who
    works with the tables and does not own them."""
    async with engine.begin() as connection:
        if engine.dialect.name == "postgresql":
            await connection.execute(text(f"SELECT pg_advisory_xact_lock({_LOCK})"))
        standing = await connection.run_sync(standing_of)
        refuse_unknown(standing)
        if standing.state is not State.CURRENT:
            await connection.run_sync(_take_steps, standing)
        if engine.dialect.name == "postgresql":
            await make_jobs(connection)
        if application_role is not None and engine.dialect.name == "postgresql":
            await _grant(connection, application_role)
    return standing


def standing_of(connection: Connection) -> Standing:
    known = set(inspect(connection).get_table_names())
    if VERSION_TABLE in known:
        version = connection.scalar(text(f"SELECT version_num FROM {VERSION_TABLE}"))  # noqa: S608
        if version == HEAD:
            return Standing(State.CURRENT, version)
        return Standing(State.BEHIND if version in STEPS else State.UNKNOWN, version)
    return Standing(State.BEHIND if _FIRST_TABLE in known else State.EMPTY, None)


def refuse_unknown(standing: Standing) -> None:
    if standing.state is State.UNKNOWN:
        raise UsageError(
            f"The database of the records is at '{standing.version}', which this Tipstaff does "
            "not know.",
            suggestion="It was made by a later version: install that one.",
        )


async def check_isolation(engine: AsyncEngine) -> None:
    """A server does not start where tenants would not be kept apart."""
    async with engine.connect() as connection:
        if await connection.scalar(text(IS_EXEMPT)):
            raise UsageError(
                "Records are not kept as a superuser or with BYPASSRLS: tenants would not be kept "
                "apart.",
                suggestion="Connect as an ordinary role (docs/tenants.md).",
            )
        names = [table.name for table in METADATA.sorted_tables if "tenant" in table.c]
        open_tables = list(await connection.scalars(text(UNPROTECTED), {"names": names}))
    if open_tables:
        raise UsageError(
            f"Tenants are not kept apart in: {', '.join(open_tables)}.",
            suggestion="Somebody switched row-level security off; docs/tenants.md says how to "
            "force it again.",
        )


def _take_steps(connection: Connection, standing: Standing) -> None:
    command, config = _alembic(connection)
    if standing.state is State.BEHIND and standing.version is None:
        command.stamp(config, STEPS[0])
    command.upgrade(config, HEAD)


def _alembic(connection: Connection) -> tuple[Any, Any]:
    try:
        from alembic import command
        from alembic.config import Config
    except ModuleNotFoundError as problem:
        raise MissingExtra("A database of records", extra="serve") from problem
    config = Config()
    config.set_main_option("script_location", str(_FOLDER).replace("%", "%%"))
    config.attributes["connection"] = connection
    return command, config


async def _grant(connection: AsyncConnection, role: str) -> None:
    """What the application needs of tables that are not its own, and no more: it cannot switch
    their protection off."""
    if role == await connection.scalar(text("SELECT current_user")):
        return
    if not await connection.scalar(
        text("SELECT 1 FROM pg_roles WHERE rolname = :role"), {"role": role}
    ):
        raise UsageError(f"The database has no role '{role}', as records_url names it.")
    quoted = connection.dialect.identifier_preparer.quote_identifier(role)
    tables = ", ".join(f'"{table.name}"' for table in METADATA.sorted_tables)
    await connection.execute(text(f"GRANT SELECT, INSERT, UPDATE, DELETE ON {tables} TO {quoted}"))
    await connection.execute(text(f"GRANT SELECT ON {VERSION_TABLE} TO {quoted}"))
    await grant_jobs(connection, quoted)
