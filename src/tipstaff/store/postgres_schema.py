"""The tables of the PostgreSQL store, and what keeps tenants apart in them.

Every row bears its tenant. Row-level security is forced, so that even the owner of the tables
sees only the rows of the tenant that a transaction has named; one that names none sees nothing.
The number in the schema's name is the layout's: another layout is another schema, and indexes
are built anew.
"""

from __future__ import annotations

SCHEMA = "tipstaff_1"
TENANT = "tipstaff.tenant"
# Two processes that start at once make the tables one after the other; any constant will do.
LOCK = 0x7149_5374
TABLES = ("bundle_index", "passage", "vector", "posting")

# A vector of up to 2,000 dimensions stays in its row: a scan would else fetch each from aside.
CREATE = f"""
CREATE SCHEMA {SCHEMA};
CREATE TABLE {SCHEMA}.bundle_index (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    tenant text NOT NULL,
    tez text NOT NULL,
    digest text NOT NULL,
    embedder text NOT NULL,
    dimensions integer NOT NULL,
    items bytea NOT NULL,
    opened timestamptz NOT NULL DEFAULT now(),
    UNIQUE (tenant, tez, digest)
);
CREATE TABLE {SCHEMA}.passage (
    tenant text NOT NULL,
    index_id bigint NOT NULL REFERENCES {SCHEMA}.bundle_index ON DELETE CASCADE,
    number integer NOT NULL,
    record bytea NOT NULL,
    PRIMARY KEY (index_id, number)
);
CREATE TABLE {SCHEMA}.vector (
    tenant text NOT NULL,
    index_id bigint NOT NULL REFERENCES {SCHEMA}.bundle_index ON DELETE CASCADE,
    number integer NOT NULL,
    vector vector NOT NULL,
    PRIMARY KEY (index_id, number)
) WITH (toast_tuple_target = 8160);
CREATE TABLE {SCHEMA}.posting (
    tenant text NOT NULL,
    index_id bigint NOT NULL REFERENCES {SCHEMA}.bundle_index ON DELETE CASCADE,
    term text COLLATE "C" NOT NULL,
    first integer NOT NULL,
    facts bytea NOT NULL,
    PRIMARY KEY (index_id, term, first)
);
""" + "".join(
    f"""
ALTER TABLE {SCHEMA}.{table} ENABLE ROW LEVEL SECURITY;
ALTER TABLE {SCHEMA}.{table} FORCE ROW LEVEL SECURITY;
CREATE POLICY own_tenant ON {SCHEMA}.{table}
    USING (tenant = current_setting('{TENANT}', true))
    WITH CHECK (tenant = current_setting('{TENANT}', true));
"""
    for table in TABLES
)
