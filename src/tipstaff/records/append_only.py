"""The database itself refuses to change or delete audit records; a body may be taken out, once.

Whoever owns the tables can drop these triggers: the chain shows what they do then.
"""

from __future__ import annotations

_UNCHANGED = " AND ".join(
    f"NEW.{name} = OLD.{name}"
    for name in ("tenant", "number", "at", "kind", "body_sha256", "previous", "hash")
)
_REFUSED = "audit records are not changed"

_SQLITE = (
    (
        f"CREATE TRIGGER IF NOT EXISTS audit_kept BEFORE DELETE ON audit "
        f"BEGIN SELECT RAISE(ABORT, '{_REFUSED}'); END"
    ),
    (
        f"CREATE TRIGGER IF NOT EXISTS audit_unchanged BEFORE UPDATE ON audit "
        f"WHEN NOT (NEW.body IS NULL AND {_UNCHANGED}) "
        f"BEGIN SELECT RAISE(ABORT, '{_REFUSED}'); END"
    ),
)
_POSTGRES = (
    (
        f"CREATE OR REPLACE FUNCTION audit_unchanged() RETURNS trigger LANGUAGE plpgsql AS $$ "
        f"BEGIN IF TG_OP = 'UPDATE' AND NEW.body IS NULL AND {_UNCHANGED} THEN RETURN NEW; END IF; "
        f"RAISE EXCEPTION '{_REFUSED}'; END $$"
    ),
    (
        "CREATE OR REPLACE TRIGGER audit_unchanged BEFORE UPDATE OR DELETE ON audit "
        "FOR EACH ROW EXECUTE FUNCTION audit_unchanged()"
    ),
    (
        "CREATE OR REPLACE TRIGGER audit_not_emptied BEFORE TRUNCATE ON audit "
        "FOR EACH STATEMENT EXECUTE FUNCTION audit_unchanged()"
    ),
)


def guards(dialect: str) -> tuple[str, ...]:
    """What is said to the database when its tables are there; to say it again changes nothing."""
    return _SQLITE if dialect == "sqlite" else _POSTGRES
