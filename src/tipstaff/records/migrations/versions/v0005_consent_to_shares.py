"""Whether a share's receivers agreed to it (decision 18, 7). What was shared before, was taken."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"

_TABLES = ("share", "received_share")


def upgrade() -> None:
    # By default and not by an update: the rows of all tenants are nobody's to change at once.
    for table in _TABLES:
        consent = sa.Column("consent", sa.String, nullable=False, server_default="accepted")
        op.add_column(table, consent)


def downgrade() -> None:
    for table in _TABLES:
        op.drop_column(table, "consent")
