"""Every test with a database runs with SQLite and with PostgreSQL."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import BundleMaker
from tests.records.conftest import database_url, records_address, superuser_url
from tests.session.stand_ins import NOTES

__all__ = ["database_url", "records_address", "superuser_url"]


@pytest.fixture
def tez(make_bundle: BundleMaker) -> Path:
    return make_bundle({"notes.md": NOTES})
