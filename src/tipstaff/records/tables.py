"""The tables of the service. Every row begins with its tenant; times are UTC seconds."""

from __future__ import annotations

from sqlalchemy import (
    JSON,
    BigInteger,
    Column,
    Float,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
)

METADATA = MetaData()

# A published version of a tez. `state`: indexing, ready, failed, withdrawn, or in_place for one
# that is served from where it lies; `digest` is the SHA-256 of the bytes that were sent;
# `progress` is what is told while it is being indexed.
TEZ = Table(
    "tez",
    METADATA,
    Column("tenant", String, primary_key=True),
    Column("tez_id", String, primary_key=True),
    Column("version", Integer, primary_key=True),
    Column("digest", String, nullable=False),
    Column("title", Text, nullable=False),
    Column("state", String, nullable=False),
    Column("progress", Text, nullable=False, default=""),
    Column("published_at", Float, nullable=False),
    Column("published_by", String, nullable=False),
    # What waits for its index is looked for every minute, whosever it is.
    Index("tez_by_state", "state"),
)

# TIP §8.2. `facts` are the rest of the state: items loaded, errors, preferences, consent, title.
SESSION = Table(
    "session",
    METADATA,
    Column("tenant", String, primary_key=True),
    Column("session_id", String, primary_key=True),
    Column("user", String, nullable=False),
    Column("tez_id", String, nullable=False),
    Column("tez_version", Integer, nullable=False),
    Column("status", String, nullable=False),
    Column("model", String, nullable=False),
    Column("initiated_at", Float, nullable=False),
    Column("last_activity_at", Float, nullable=False),
    Column("closed_at", Float),
    Column("query_count", Integer, nullable=False, default=0),
    Column("input_tokens", BigInteger, nullable=False, default=0),
    Column("output_tokens", BigInteger, nullable=False, default=0),
    # The number of its last event: counting it up is what keeps writers of one log in line.
    Column("last_event", Integer, nullable=False, default=0),
    Column("facts", JSON, nullable=False),
    Index("session_of_user", "tenant", "user", "tez_id"),
    Index("session_by_activity", "status", "last_activity_at"),
)

# A query that was taken up and is not finished. Whoever ends it, well or badly, removes its row in
# the same transaction: so it ends once, whatever is killed.
ASKED = Table(
    "asked",
    METADATA,
    Column("tenant", String, primary_key=True),
    Column("query_id", String, primary_key=True),
    Column("session_id", String, nullable=False),
    Column("at", Float, nullable=False),
    Column("holder", String, nullable=False),
    Index("asked_in_session", "tenant", "session_id"),
)

# One answered query; `envelope` is the response object as it was sent.
EXCHANGE = Table(
    "exchange",
    METADATA,
    Column("tenant", String, primary_key=True),
    Column("session_id", String, primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("query_id", String, nullable=False),
    Column("query", Text, nullable=False),
    Column("understood", Text, nullable=False),
    Column("envelope", JSON, nullable=False),
    Column("asked_at", Float, nullable=False),
    Column("answered_at", Float, nullable=False),
)

# The log of a session (Enterprise §2.5). `query_id` is empty for the session's own events.
EVENT = Table(
    "event",
    METADATA,
    Column("tenant", String, primary_key=True),
    Column("session_id", String, primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("query_id", String, nullable=False, default=""),
    Column("name", String, nullable=False),
    Column("data", LargeBinary, nullable=False),
)

# A place in a budget (TIP §12.1.3). `state`: held while the query runs, then settled or returned.
RESERVATION = Table(
    "reservation",
    METADATA,
    Column("tenant", String, primary_key=True),
    Column("query_id", String, primary_key=True),
    Column("tez_id", String, nullable=False),
    Column("user", String, nullable=False),
    Column("session_id", String, nullable=False),
    Column("at", Float, nullable=False),
    Column("state", String, nullable=False),
    Column("input_tokens", BigInteger, nullable=False, default=0),
    Column("output_tokens", BigInteger, nullable=False, default=0),
    Column("cost_usd", Float, nullable=False, default=0.0),
    Column("model", String, nullable=False, default=""),
    Column("classification", String, nullable=False, default=""),
    Column("holder", String, nullable=False, default=""),
    Index("reservation_of_user", "tenant", "tez_id", "user", "at"),
    Index("reservation_by_time", "at"),
)

# A bearer token: only its SHA-256 is known here.
TOKEN = Table(
    "token",
    METADATA,
    Column("tenant", String, primary_key=True),
    Column("token_id", String, primary_key=True),
    Column("sha256", String, nullable=False, unique=True),
    Column("user", String, nullable=False),
    Column("permissions", JSON, nullable=False),
    Column("tezits", JSON),
    Column("label", Text, nullable=False, default=""),
    Column("issued_at", Float, nullable=False),
    Column("expires_at", Float),
    Column("revoked_at", Float),
)

# TIP §13.1.2: what a recipient agreed to have logged, until when.
LOGGED_QUERY = Table(
    "logged_query",
    METADATA,
    Column("tenant", String, primary_key=True),
    Column("query_id", String, primary_key=True),
    Column("session_id", String, nullable=False),
    Column("tez_id", String, nullable=False),
    Column("user", String, nullable=False),
    Column("query", Text, nullable=False),
    Column("response", Text),
    Column("at", Float, nullable=False),
    Column("expires_at", Float, nullable=False),
)

# Enterprise §6.6: a chain a tenant. `body` is JSON as it was hashed, NULL once it was pruned.
AUDIT = Table(
    "audit",
    METADATA,
    Column("tenant", String, primary_key=True),
    Column("number", BigInteger, primary_key=True, autoincrement=False),
    Column("at", String, nullable=False),
    Column("kind", String, nullable=False),
    Column("body", Text),
    Column("body_sha256", String, nullable=False),
    Column("previous", String, nullable=False),
    Column("hash", String, nullable=False),
    Index("audit_by_age", "tenant", "kind", "at"),
)

# Where each tenant's chain ends: who appends holds this row.
AUDIT_HEAD = Table(
    "audit_head",
    METADATA,
    Column("tenant", String, primary_key=True),
    Column("number", BigInteger, nullable=False),
    Column("hash", String, nullable=False),
)

# Enterprise §6.5. `tenant` is the one that pays, `tenant_id` the one whose user asked; money in
# whole billionths of a dollar, so that sums are exact in whatever order they are made.
COST = Table(
    "cost",
    METADATA,
    Column("tenant", String, primary_key=True),
    Column("query_id", String, primary_key=True),
    Column("tenant_id", String, nullable=False),
    Column("tez_id", String, nullable=False),
    Column("session_id", String, nullable=False),
    Column("user_id", String, nullable=False),
    Column("model", String, nullable=False),
    Column("prompt_tokens", BigInteger, nullable=False),
    Column("completion_tokens", BigInteger, nullable=False),
    Column("embedding_tokens", BigInteger, nullable=False),
    Column("cost_nano_usd", BigInteger, nullable=False),
    Column("hosting_mode", String, nullable=False),
    Column("at", Float, nullable=False),
    Index("cost_by_time", "tenant", "at"),
)

# Enterprise §6.3: a tez that its sender lets another tenant ask. `users` NULL: all of theirs.
# `consent`: asked for, accepted or declined by the other tenant.
SHARE = Table(
    "share",
    METADATA,
    Column("tenant", String, primary_key=True),
    Column("share_id", String, primary_key=True),
    Column("tez_id", String, nullable=False),
    Column("to_tenant", String, nullable=False),
    Column("users", JSON),
    Column("strategy", String, nullable=False),
    Column("on_revoke", String, nullable=False),
    Column("consent", String, nullable=False, server_default="accepted"),
    Column("sync_interval_s", Integer),
    Column("created_at", Float, nullable=False),
    Column("created_by", String, nullable=False),
    Column("revoked_at", Float),
)

# The same share as its receiver has it; its id is the tez's id there. `source_…` and `synced_at`
# are those of the copy, if there is one.
RECEIVED_SHARE = Table(
    "received_share",
    METADATA,
    Column("tenant", String, primary_key=True),
    Column("share_id", String, primary_key=True),
    Column("from_tenant", String, nullable=False),
    Column("tez_id", String, nullable=False),
    Column("users", JSON),
    Column("strategy", String, nullable=False),
    Column("on_revoke", String, nullable=False),
    Column("consent", String, nullable=False, server_default="accepted"),
    Column("sync_interval_s", Integer),
    Column("created_at", Float, nullable=False),
    Column("revoked_at", Float),
    Column("source_version", Integer),
    Column("source_digest", String),
    Column("synced_at", Float),
)

# TIP §13.3.3: whom a mark stands for, known to the tenant whose tez it is. `session_id` is empty
# for pages that were looked at outside any session.
WATERMARK = Table(
    "watermark",
    METADATA,
    Column("tenant", String, primary_key=True),
    Column("tag", String, primary_key=True),
    Column("user", String, nullable=False),
    Column("tez_id", String, nullable=False),
    Column("session_id", String, nullable=False),
    Column("at", Float, nullable=False),
)

# Keyed hashes of the word sequences of a marked response; gone with its session.
FINGERPRINT = Table(
    "fingerprint",
    METADATA,
    Column("tenant", String, primary_key=True),
    Column("query_id", String, primary_key=True),
    Column("tag", String, nullable=False),
    Column("session_id", String, nullable=False),
    Column("hashes", LargeBinary, nullable=False),
    Index("fingerprint_of_session", "tenant", "session_id"),
)
