"""What keeps tenants apart inside PostgreSQL: row-level security, forced also for the owner.

A transaction names its tenant and sees that tenant's rows; one that names none sees nothing, and
a row for another tenant cannot be written. Migrations call `protect` for every table that has a
tenant.
"""

from __future__ import annotations

TENANT = "tipstaff.tenant"
# Why a transaction looks at every tenant: it may read then, and never write.
CROSSING = "tipstaff.crossing"
# The digest of a secret: whoever knows it sees the row that has it, before a tenant is known.
SECRET = "tipstaff.secret"  # noqa: S105 (a name)


def protect(table: str, *, secret_column: str | None = None) -> list[str]:
    """Statements, one at a time; the names are ours, never a caller's."""
    own = f"tenant = current_setting('{TENANT}', true) AND tenant <> ''"
    across = f"current_setting('{CROSSING}', true) <> ''"
    statements = [
        f'ALTER TABLE "{table}" ENABLE ROW LEVEL SECURITY',
        f'ALTER TABLE "{table}" FORCE ROW LEVEL SECURITY',
        f'CREATE POLICY own_tenant ON "{table}" USING ({own}) WITH CHECK ({own})',
        f'CREATE POLICY crossing ON "{table}" FOR SELECT USING ({across})',
    ]
    if secret_column is not None:
        statements.append(
            f'CREATE POLICY by_secret ON "{table}" FOR SELECT '
            f"USING ({secret_column} = current_setting('{SECRET}', true))"
        )
    return statements


def unprotect(table: str) -> list[str]:
    policies = ("own_tenant", "crossing", "by_secret")
    return [
        *(f'DROP POLICY IF EXISTS {policy} ON "{table}"' for policy in policies),
        f'ALTER TABLE "{table}" NO FORCE ROW LEVEL SECURITY',
        f'ALTER TABLE "{table}" DISABLE ROW LEVEL SECURITY',
    ]


# Those of our tables that have a tenant and are not protected; another's may lie beside them.
UNPROTECTED = """
SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE n.nspname = ANY (current_schemas(false)) AND c.relname = ANY (:names)
  AND c.relkind IN ('r', 'p') AND NOT (c.relrowsecurity AND c.relforcerowsecurity)
ORDER BY c.relname
"""
# Roles that no policy binds.
IS_EXEMPT = "SELECT rolsuper OR rolbypassrls FROM pg_roles WHERE rolname = current_user"
