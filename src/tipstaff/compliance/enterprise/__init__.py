"""The 61 tests of Enterprise §9.3, one module a category; importing this registers them all."""

from tipstaff.compliance.enterprise import (
    decomposition,
    eval_schema,
    event_order,
    item_filtering,
    rate_limits,
    retrieval_metadata,
    scope_disclosure,
    sharing,
    stream_citations,
    tenant_isolation,
)
from tipstaff.compliance.enterprise.suite import CATEGORIES, SUITE

__all__ = [
    "SUITE",
    "decomposition",
    "eval_schema",
    "event_order",
    "item_filtering",
    "rate_limits",
    "retrieval_metadata",
    "scope_disclosure",
    "sharing",
    "stream_citations",
    "tenant_isolation",
]

# In the order of §9.3, whatever the order in which modules are imported.
_ORDER = list(CATEGORIES)
SUITE.cases = dict(sorted(SUITE.cases.items(), key=lambda entry: _ORDER.index(entry[1].category)))
