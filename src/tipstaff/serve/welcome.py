"""The body of a session's beginning: what there is, within which limits, on whose terms
(TIP §12.1.2, §12.3.3, §13.1.2, C.1)."""

from __future__ import annotations

from typing import Any

from tipstaff.boundary import GroundingBoundary
from tipstaff.domain.bundle import Bundle, Privacy
from tipstaff.domain.caller import Caller
from tipstaff.domain.inventory import loading_strategy
from tipstaff.domain.wire import to_wire
from tipstaff.hosting.consent import consent_given, logging_terms
from tipstaff.hosting.modes import cost_statement
from tipstaff.serve.request_scope import TIP_VERSION
from tipstaff.serve.schemas import InitRequest
from tipstaff.serve.service import Service
from tipstaff.serve.visible import boundary_for
from tipstaff.session.opening import Opened, SessionLimits


async def begin(service: Service, caller: Caller, tez_id: str, body: InitRequest) -> Opened:
    """A session, on what its recipient agreed to and nothing beyond (TIP §13.1.2)."""
    consent = None
    if body.consent is not None:
        boundary = await boundary_for(service, caller, tez_id)
        said = body.consent.model_dump(exclude_none=True)
        told = logging_terms(boundary.bundle.privacy, service.settings)
        consent = consent_given(told, said)
    return await service.sessions.init(
        caller,
        tez_id,
        preferences=body.preferences.model_dump(exclude_none=True),
        consent=None if consent is None else consent.to_wire(),
        proceed_with_partial=body.proceed_with_partial,
    )


def welcome(service: Service, opened: Opened) -> dict[str, Any]:
    """TIP §12.1.2's and C.1's fields in one object."""
    session, bundle = opened.session, opened.boundary.bundle
    return {
        "session_id": session.session_id,
        "tez_id": session.tez_id,
        "tez_title": bundle.title,
        "tez_version": session.tez_version,
        "tip_version": TIP_VERSION,
        "context_summary": context_summary(opened.boundary),
        "limits": _limits(opened.limits),
        "model": session.model,
        "created_at": session.initiated_at,
        "privacy": privacy(service, bundle),
        "hosting": terms(service, bundle),
        "warnings": to_wire(opened.warnings),
    }


def context_summary(boundary: GroundingBoundary) -> dict[str, Any]:
    """Of the items that exist for this recipient, and no others."""
    permitted = boundary.permitted()
    items = boundary.bundle.items
    size = sum(item.size_bytes for item in items)
    tokens = sum(item.tokens for item in boundary.indexed.index.items if item.id in permitted)
    return {
        "item_count": len(items),
        "types": list(dict.fromkeys(item.type for item in items)),
        "total_size": _readable(size),
        "total_size_bytes": size,
        "total_tokens": tokens,
        "loading_strategy": loading_strategy(tokens),
    }


def privacy(service: Service, bundle: Bundle) -> dict[str, Any]:
    """TIP §13.1: what is logged if the recipient agrees; else §13.1.1's defaults hold."""
    asked = logging_terms(bundle.privacy, service.settings)
    return dict(to_wire(Privacy())) if asked is None else asked.to_wire()


def terms(service: Service, bundle: Bundle) -> dict[str, Any]:
    """TIP §12.3.3: who pays is said to both sides; §12.4: where else it may be asked."""
    hosting, costs = bundle.hosting, cost_statement(service.settings)
    return {
        "mode": hosting.mode or "sender",
        "cost_model": costs["cost_model"],
        "cost_notice": costs["told_to_recipients"],
        "expires_at": hosting.limits.expires_at,
        "allow_download": bool(hosting.allow_download),
        "bundle_url": hosting.bundle_url if hosting.allow_download else None,
    }


def _limits(limits: SessionLimits) -> dict[str, Any]:
    """TIP C.1's `limits`: a limit that is not set is null, not missing."""
    return {
        "max_queries": limits.max_queries,
        "max_tokens_per_query": limits.max_tokens_per_query,
        "session_timeout_minutes": limits.session_timeout_minutes,
    }


def _readable(size: int) -> str:
    """As §12.1.2 writes it: 2.4 MB."""
    amount, unit = float(size), "B"
    for unit in ("B", "KB", "MB", "GB"):
        if amount < 1000 or unit == "GB":
            break
        amount /= 1000
    return f"{size} B" if unit == "B" else f"{amount:.1f} {unit}"
