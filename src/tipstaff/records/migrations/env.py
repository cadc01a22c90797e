"""Alembic's way in: the steps are taken on the connection that `migrating.py` hands over, inside
its transaction."""

from __future__ import annotations

from alembic import context

from tipstaff.records.migrating import VERSION_TABLE
from tipstaff.records.tables import METADATA

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=METADATA,
    version_table=VERSION_TABLE,
    # SQLite changes a table by making it anew.
    render_as_batch=True,
)
with context.begin_transaction():
    context.run_migrations()
