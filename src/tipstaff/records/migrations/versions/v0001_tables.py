"""The tables as they were when there were no steps yet."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    _tezits_and_sessions()
    _money_and_tokens()


def _tezits_and_sessions() -> None:
    op.create_table(
        "tez",
        sa.Column("tenant", sa.String, primary_key=True),
        sa.Column("tez_id", sa.String, primary_key=True),
        sa.Column("version", sa.Integer, primary_key=True),
        sa.Column("digest", sa.String, nullable=False),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("state", sa.String, nullable=False),
        sa.Column("progress", sa.Text, nullable=False),
        sa.Column("published_at", sa.Float, nullable=False),
        sa.Column("published_by", sa.String, nullable=False),
    )
    op.create_table(
        "session",
        sa.Column("tenant", sa.String, primary_key=True),
        sa.Column("session_id", sa.String, primary_key=True),
        sa.Column("user", sa.String, nullable=False),
        sa.Column("tez_id", sa.String, nullable=False),
        sa.Column("tez_version", sa.Integer, nullable=False),
        sa.Column("status", sa.String, nullable=False),
        sa.Column("model", sa.String, nullable=False),
        sa.Column("initiated_at", sa.Float, nullable=False),
        sa.Column("last_activity_at", sa.Float, nullable=False),
        sa.Column("closed_at", sa.Float),
        sa.Column("query_count", sa.Integer, nullable=False),
        sa.Column("input_tokens", sa.BigInteger, nullable=False),
        sa.Column("output_tokens", sa.BigInteger, nullable=False),
        sa.Column("last_event", sa.Integer, nullable=False),
        sa.Column("facts", sa.JSON, nullable=False),
    )
    op.create_index("session_of_user", "session", ["tenant", "user", "tez_id"])
    op.create_index("session_by_activity", "session", ["status", "last_activity_at"])
    op.create_table(
        "asked",
        sa.Column("tenant", sa.String, primary_key=True),
        sa.Column("query_id", sa.String, primary_key=True),
        sa.Column("session_id", sa.String, nullable=False),
        sa.Column("at", sa.Float, nullable=False),
        sa.Column("holder", sa.String, nullable=False),
    )
    op.create_index("asked_in_session", "asked", ["tenant", "session_id"])
    op.create_table(
        "exchange",
        sa.Column("tenant", sa.String, primary_key=True),
        sa.Column("session_id", sa.String, primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("query_id", sa.String, nullable=False),
        sa.Column("query", sa.Text, nullable=False),
        sa.Column("understood", sa.Text, nullable=False),
        sa.Column("envelope", sa.JSON, nullable=False),
        sa.Column("asked_at", sa.Float, nullable=False),
        sa.Column("answered_at", sa.Float, nullable=False),
    )
    op.create_table(
        "event",
        sa.Column("tenant", sa.String, primary_key=True),
        sa.Column("session_id", sa.String, primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("query_id", sa.String, nullable=False),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("data", sa.LargeBinary, nullable=False),
    )


def _money_and_tokens() -> None:
    op.create_table(
        "reservation",
        sa.Column("tenant", sa.String, primary_key=True),
        sa.Column("query_id", sa.String, primary_key=True),
        sa.Column("tez_id", sa.String, nullable=False),
        sa.Column("user", sa.String, nullable=False),
        sa.Column("session_id", sa.String, nullable=False),
        sa.Column("at", sa.Float, nullable=False),
        sa.Column("state", sa.String, nullable=False),
        sa.Column("input_tokens", sa.BigInteger, nullable=False),
        sa.Column("output_tokens", sa.BigInteger, nullable=False),
        sa.Column("cost_usd", sa.Float, nullable=False),
        sa.Column("model", sa.String, nullable=False),
        sa.Column("classification", sa.String, nullable=False),
        sa.Column("holder", sa.String, nullable=False),
    )
    op.create_index("reservation_of_user", "reservation", ["tenant", "tez_id", "user", "at"])
    op.create_index("reservation_by_time", "reservation", ["at"])
    op.create_table(
        "token",
        sa.Column("tenant", sa.String, primary_key=True),
        sa.Column("token_id", sa.String, primary_key=True),
        sa.Column("sha256", sa.String, nullable=False, unique=True),
        sa.Column("user", sa.String, nullable=False),
        sa.Column("permissions", sa.JSON, nullable=False),
        sa.Column("tezits", sa.JSON),
        sa.Column("label", sa.Text, nullable=False),
        sa.Column("issued_at", sa.Float, nullable=False),
        sa.Column("expires_at", sa.Float),
        sa.Column("revoked_at", sa.Float),
    )
    op.create_table(
        "logged_query",
        sa.Column("tenant", sa.String, primary_key=True),
        sa.Column("query_id", sa.String, primary_key=True),
        sa.Column("session_id", sa.String, nullable=False),
        sa.Column("tez_id", sa.String, nullable=False),
        sa.Column("user", sa.String, nullable=False),
        sa.Column("query", sa.Text, nullable=False),
        sa.Column("response", sa.Text),
        sa.Column("at", sa.Float, nullable=False),
        sa.Column("expires_at", sa.Float, nullable=False),
    )


def downgrade() -> None:
    for table in (
        "logged_query",
        "token",
        "reservation",
        "event",
        "exchange",
        "asked",
        "session",
        "tez",
    ):
        op.drop_table(table)
