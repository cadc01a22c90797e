"""An index for what waits to be indexed: looked for every minute, among all that is ready."""

from __future__ import annotations

from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.create_index("tez_by_state", "tez", ["state"])


def downgrade() -> None:
    op.drop_index("tez_by_state", "tez")
