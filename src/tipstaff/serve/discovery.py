"""`/.well-known/tip`: what a client must know before it has a token (TIP §12.3, §15).

Only what is kept is claimed.
"""

from __future__ import annotations

from importlib.metadata import version
from typing import Any

from tipstaff.hosting.modes import cost_statement
from tipstaff.limits.scopes import server_rates
from tipstaff.serve.request_scope import TIP_VERSION
from tipstaff.serve.service import Service

# Enterprise §9.1, by what this server does.
CLAIMS = (
    "TIP-1.0",
    "TIP-Enterprise",
    "TIP-Enterprise-Streaming",
    "TIP-Enterprise-FGA",
    "TIP-Enterprise-Transparency",
    "TIP-Enterprise-MultiPass",
    "TIP-Enterprise-MultiTenant",
    "TIP-Enterprise-Eval",
)


def discovery(service: Service, *, base_url: str) -> dict[str, Any]:
    base = (service.configuration.public_url or base_url).rstrip("/")
    settings = service.settings
    return {
        "tip_version": TIP_VERSION,
        "tip_versions": [TIP_VERSION],
        "implementation": {"name": "tipstaff", "version": version("tipstaff")},
        "conformance": list(CLAIMS),
        "authentication": {"schemes": ["bearer"]},
        "model": _model(settings.model),
        # TIP §11.9: what is done to a response before it leaves.
        "post_processing": "Every citation is resolved against the item's bytes; what they do not "
        "support is withheld, and said to be.",
        "hosting": {
            "modes": ["sender", "platform", "dual"],
            **cost_statement(settings),
            "portable": "A tez whose sender allows it may be downloaded and asked with `tip ask`.",
        },
        "limits": {
            "max_query_tokens": settings.max_query_tokens,
            "max_response_tokens": settings.max_response_tokens,
            "max_request_bytes": service.configuration.max_request_bytes,
            "max_tez_bytes": settings.max_tez_bytes,
            "response_timeout_seconds": settings.timeout_s,
            "rates_per_minute": {str(level): rate for level, rate in server_rates(settings)},
        },
        "privacy": {
            "query_logging": "none unless sender and recipient both agree",
            "query_sharing_with_sender": False,
            "analytics_level": "aggregate_only",
        },
        "endpoints": {
            "openapi": f"{base}/openapi.json",
            "init": f"{base}/tez/{{tez-id}}/interrogate/init",
            "one_shot": f"{base}/api/v1/tez/{{tez-id}}/interrogate",
        },
    }


def _model(name: str) -> str:
    """A scripted model's name is a file of this computer, which is nobody's business."""
    kind, _, rest = name.partition(":")
    return kind if kind == "scripted" else name if rest else kind
