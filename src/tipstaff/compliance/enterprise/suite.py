"""The suite of Enterprise §9.3, and the claims that its tests decide on (§9.1, §9.2)."""

from __future__ import annotations

from collections.abc import Callable

from tipstaff.compliance.case import Run, Suite

SUITE = Suite("enterprise")

STREAMING = "TIP-Enterprise-Streaming"
FGA = "TIP-Enterprise-FGA"
TRANSPARENCY = "TIP-Enterprise-Transparency"
MULTI_PASS = "TIP-Enterprise-MultiPass"  # noqa: S105 (a claim)
MULTI_TENANT = "TIP-Enterprise-MultiTenant"
EVAL = "TIP-Enterprise-Eval"
# §9.2; of which claims it is made, claims.py says.
FULL = "TIP-Enterprise"

# §9.3: the ten categories, how many tests each has, and the claim that they belong to.
CATEGORIES = {
    "Streaming event ordering": (8, STREAMING),
    "Streaming citation verification": (5, STREAMING),
    "FGA item filtering": (10, FGA),
    "FGA scope disclosure": (4, FGA),
    "Retrieval metadata format": (6, TRANSPARENCY),
    "Multi-pass decomposition": (5, MULTI_PASS),
    "Tenant isolation": (8, MULTI_TENANT),
    "Cross-tenant sharing": (6, MULTI_TENANT),
    "Rate limiting": (5, MULTI_TENANT),
    "Eval metric schema": (4, EVAL),
}


def case(name: str, *, category: str, section: str, title: str) -> Callable[[Run], Run]:
    """What the protocol decides alone is run once: no model words an event's order."""
    _, claim = CATEGORIES[category]
    return SUITE.case(
        name,
        section=f"Enterprise §{section}",
        title=title,
        claim=claim,
        category=category,
        repeats=False,
    )
