"""Where jobs wait in PostgreSQL: procrastinate's own tables, in a schema of their own.

They come with `tip migrate`, as the rest does, and only where the extra `jobs` is installed; its
later changes are taken up by name, in order. A row holds ids and times, no words and no people, and
belongs to upkeep, which knows all tenants (decision 15, 4): what a job then does, it does as one.
"""

from __future__ import annotations

import importlib.util
import logging
from pathlib import Path

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

SCHEMA = "tipstaff_jobs"
EXTRA = "jobs"
_LOG = logging.getLogger("tipstaff.records")
_HERE = text("SELECT obj_description(to_regnamespace(:schema), 'pg_namespace')")
_MAY_MAKE = text("SELECT has_database_privilege(current_database(), 'CREATE')")
_PATH = text("SELECT set_config('search_path', :path, true)")


def is_installed() -> bool:
    """Without importing it: whoever keeps records in a file needs none of it."""
    return all(importlib.util.find_spec(name) for name in ("procrastinate", "psycopg"))


async def make_jobs(connection: AsyncConnection) -> None:
    """In the transaction of the other steps: made, or brought to the installed version."""
    if not is_installed():
        return
    there = await _standing(connection)
    steps = _steps()
    if there is None and not await connection.scalar(_MAY_MAKE):
        _LOG.warning("jobs have no tables: this role may not make a schema")
        return
    if there == steps[-1].name:
        return
    before = await connection.scalar(text("SELECT current_setting('search_path')"))
    if there is None:
        await connection.execute(text(f"CREATE SCHEMA {SCHEMA}"))
    await connection.execute(_PATH, {"path": SCHEMA})
    scripts = [_whole()] if there is None else [one for one in steps if one.name > there]
    raw = await connection.get_raw_connection()
    for script in scripts:
        # Many statements at once, which SQLAlchemy's own way does not take.
        await raw.driver_connection.execute(script.read_text(encoding="utf-8"))  # type: ignore[union-attr]
    await connection.execute(text(f"COMMENT ON SCHEMA {SCHEMA} IS '{steps[-1].name}'"))
    await connection.execute(_PATH, {"path": before})


async def grant_jobs(connection: AsyncConnection, quoted_role: str) -> None:
    if await _standing(connection) is None:
        return
    for right in (
        f"USAGE ON SCHEMA {SCHEMA}",
        f"SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA {SCHEMA}",
        f"USAGE ON ALL SEQUENCES IN SCHEMA {SCHEMA}",
    ):
        await connection.execute(text(f"GRANT {right} TO {quoted_role}"))


async def jobs_missing(engine: AsyncEngine) -> str | None:
    """None if jobs can wait in this database; else why not, in words for an operator."""
    if not is_installed():
        return f"the extra '{EXTRA}' is not installed"
    if await jobs_behind(engine):
        return "the tables of jobs are not there, or not up to date: run `tip migrate`"
    return None


async def jobs_behind(engine: AsyncEngine) -> bool:
    """Whether `tip migrate` would make or change them."""
    if not is_installed():
        return False
    async with engine.connect() as connection:
        return await _standing(connection) != _steps()[-1].name


async def _standing(connection: AsyncConnection) -> str | None:
    """The last of procrastinate's steps that was taken."""
    name: str | None = await connection.scalar(_HERE, {"schema": SCHEMA})
    return name


def _whole() -> Path:
    return _folder() / "schema.sql"


def _steps() -> list[Path]:
    """Their names begin with the version that brought them."""
    return sorted((_folder() / "migrations").glob("*.sql"), key=lambda one: one.name)


def _folder() -> Path:
    found = importlib.util.find_spec("procrastinate")
    if found is None or found.origin is None:
        raise ModuleNotFoundError("procrastinate")
    return Path(found.origin).parent / "sql"
