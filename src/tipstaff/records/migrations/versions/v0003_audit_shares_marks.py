"""Audit records in a chain, costs, shares, watermarks (decisions 17 to 19), each tenant's apart."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from tipstaff.records.append_only import guards
from tipstaff.records.isolation import protect

revision = "0003"
down_revision = "0002"

_TABLES = ("audit", "audit_head", "cost", "share", "received_share", "watermark", "fingerprint")
# What was settled before there were cost records; those of a share did not exist.
_SETTLED = """
INSERT INTO cost (tenant, query_id, tenant_id, tez_id, session_id, user_id, model, prompt_tokens,
                  completion_tokens, embedding_tokens, cost_nano_usd, hosting_mode, at)
SELECT tenant, query_id, tenant, tez_id, session_id, "user", model, input_tokens, output_tokens, 0,
       CAST(ROUND(cost_usd * 1000000000.0) AS BIGINT), 'sender', at
FROM reservation WHERE state = 'settled'
"""


def upgrade() -> None:
    _audit_and_costs()
    _shares_and_watermarks()
    dialect = op.get_bind().dialect.name
    for guard in guards(dialect):
        op.execute(guard)
    _charge_what_was_settled(dialect)
    if dialect == "postgresql":
        for table in _TABLES:
            for statement in protect(table):
                op.execute(statement)


def _charge_what_was_settled(dialect: str) -> None:
    """Read of all tenants at once, and before the new table is protected."""
    crossing = "SELECT set_config('tipstaff.crossing', '{}', true)"
    if dialect == "postgresql":
        op.execute(crossing.format("migration"))
    op.execute(_SETTLED)
    if dialect == "postgresql":
        op.execute(crossing.format(""))


def _audit_and_costs() -> None:
    op.create_table(
        "audit",
        sa.Column("tenant", sa.String, primary_key=True),
        sa.Column("number", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("at", sa.String, nullable=False),
        sa.Column("kind", sa.String, nullable=False),
        sa.Column("body", sa.Text),
        sa.Column("body_sha256", sa.String, nullable=False),
        sa.Column("previous", sa.String, nullable=False),
        sa.Column("hash", sa.String, nullable=False),
    )
    op.create_index("audit_by_age", "audit", ["tenant", "kind", "at"])
    op.create_table(
        "audit_head",
        sa.Column("tenant", sa.String, primary_key=True),
        sa.Column("number", sa.BigInteger, nullable=False),
        sa.Column("hash", sa.String, nullable=False),
    )
    op.create_table(
        "cost",
        sa.Column("tenant", sa.String, primary_key=True),
        sa.Column("query_id", sa.String, primary_key=True),
        sa.Column("tenant_id", sa.String, nullable=False),
        sa.Column("tez_id", sa.String, nullable=False),
        sa.Column("session_id", sa.String, nullable=False),
        sa.Column("user_id", sa.String, nullable=False),
        sa.Column("model", sa.String, nullable=False),
        sa.Column("prompt_tokens", sa.BigInteger, nullable=False),
        sa.Column("completion_tokens", sa.BigInteger, nullable=False),
        sa.Column("embedding_tokens", sa.BigInteger, nullable=False),
        sa.Column("cost_nano_usd", sa.BigInteger, nullable=False),
        sa.Column("hosting_mode", sa.String, nullable=False),
        sa.Column("at", sa.Float, nullable=False),
    )
    op.create_index("cost_by_time", "cost", ["tenant", "at"])


def _shares_and_watermarks() -> None:
    op.create_table(
        "share",
        sa.Column("tenant", sa.String, primary_key=True),
        sa.Column("share_id", sa.String, primary_key=True),
        sa.Column("tez_id", sa.String, nullable=False),
        sa.Column("to_tenant", sa.String, nullable=False),
        sa.Column("users", sa.JSON),
        sa.Column("strategy", sa.String, nullable=False),
        sa.Column("on_revoke", sa.String, nullable=False),
        sa.Column("sync_interval_s", sa.Integer),
        sa.Column("created_at", sa.Float, nullable=False),
        sa.Column("created_by", sa.String, nullable=False),
        sa.Column("revoked_at", sa.Float),
    )
    op.create_table(
        "received_share",
        sa.Column("tenant", sa.String, primary_key=True),
        sa.Column("share_id", sa.String, primary_key=True),
        sa.Column("from_tenant", sa.String, nullable=False),
        sa.Column("tez_id", sa.String, nullable=False),
        sa.Column("users", sa.JSON),
        sa.Column("strategy", sa.String, nullable=False),
        sa.Column("on_revoke", sa.String, nullable=False),
        sa.Column("sync_interval_s", sa.Integer),
        sa.Column("created_at", sa.Float, nullable=False),
        sa.Column("revoked_at", sa.Float),
        sa.Column("source_version", sa.Integer),
        sa.Column("source_digest", sa.String),
        sa.Column("synced_at", sa.Float),
    )
    op.create_table(
        "watermark",
        sa.Column("tenant", sa.String, primary_key=True),
        sa.Column("tag", sa.String, primary_key=True),
        sa.Column("user", sa.String, nullable=False),
        sa.Column("tez_id", sa.String, nullable=False),
        sa.Column("session_id", sa.String, nullable=False),
        sa.Column("at", sa.Float, nullable=False),
    )
    op.create_table(
        "fingerprint",
        sa.Column("tenant", sa.String, primary_key=True),
        sa.Column("query_id", sa.String, primary_key=True),
        sa.Column("tag", sa.String, nullable=False),
        sa.Column("session_id", sa.String, nullable=False),
        sa.Column("hashes", sa.LargeBinary, nullable=False),
    )
    op.create_index("fingerprint_of_session", "fingerprint", ["tenant", "session_id"])


def downgrade() -> None:
    for table in reversed(_TABLES):
        op.drop_table(table)
    if op.get_bind().dialect.name == "postgresql":
        op.execute("DROP FUNCTION IF EXISTS audit_unchanged()")
