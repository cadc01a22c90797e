"""Tokens are kept in records; here they are tried with both databases."""

from __future__ import annotations

from tests.hosting.conftest import clock, in_records
from tests.records.conftest import database_url, records_address, superuser_url

__all__ = ["clock", "database_url", "in_records", "records_address", "superuser_url"]
