"""Records in SQLite and in a real PostgreSQL: every test here runs with both."""

from __future__ import annotations

import uuid
from pathlib import Path

import pytest

from tests.store.conftest import database_url, run_sql, superuser_url

__all__ = ["database_url", "superuser_url"]


@pytest.fixture(params=["sqlite", "postgres"])
def records_address(request: pytest.FixtureRequest, tmp_path: Path) -> str | Path:
    """An empty database of its own."""
    if request.param == "sqlite":
        return tmp_path / "records.sqlite"
    fixed = request.getfixturevalue
    return empty_database(fixed("superuser_url"), fixed("database_url"))


@pytest.fixture
def postgres_address(superuser_url: str, database_url: str) -> str:
    """An empty PostgreSQL database of its own."""
    return empty_database(superuser_url, database_url)


def empty_database(superuser_url: str, database_url: str) -> str:
    name = f"records_{uuid.uuid4().hex}"
    run_sql(superuser_url, f"CREATE DATABASE {name} OWNER app")
    return database_url.replace("/postgres?", f"/{name}?")
