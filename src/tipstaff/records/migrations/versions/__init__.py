"""One file a step, never changed once it was released: `revision`, `down_revision`, `upgrade`.

A new step is named in `migrating.STEPS`. A table that has a tenant is protected in the step that
makes it, on PostgreSQL: `for statement in protect("table"): op.execute(statement)`.
"""
