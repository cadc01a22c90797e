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
    ordinary = request.getfixturevalue("database_url")
    name = f"records_{uuid.uuid4().hex}"
    run_sql(request.getfixturevalue("superuser_url"), f"CREATE DATABASE {name} OWNER app")
    return str(ordinary).replace("/postgres?", f"/{name}?")
