"""Enterprise §6.2.2: row-level security on every table that has a tenant."""

from __future__ import annotations

from alembic import op

from tipstaff.records.isolation import protect, unprotect

revision = "0002"
down_revision = "0001"

_TABLES = ("tez", "session", "asked", "exchange", "event", "reservation", "token", "logged_query")


def upgrade() -> None:
    if op.get_bind().dialect.name != "postgresql":
        return
    for table in _TABLES:
        for statement in protect(table, secret_column="sha256" if table == "token" else None):
            op.execute(statement)


def downgrade() -> None:
    if op.get_bind().dialect.name != "postgresql":
        return
    for table in _TABLES:
        for statement in unprotect(table):
            op.execute(statement)
