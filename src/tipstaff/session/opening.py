"""INIT (TIP §8.1.1): what a recipient gets to know when a session opens."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary

from tipstaff.boundary import GroundingBoundary
from tipstaff.bundle.opening import OpenBundle
from tipstaff.domain.bundle import HostingLimits
from tipstaff.domain.response import Notice, NoticeKind
from tipstaff.domain.session import Session
from tipstaff.engine import IndexedBundle
from tipstaff.errors import BundleUnusable, ContextPartlyLoaded, FailedItem, UsageError
from tipstaff.reading import read_bundle
from tipstaff.session.session_settings import SessionSettings

_UNREADABLE = "Nothing in it could be read."
_INLINE = "inline"
_KNOWN_TROUBLES: WeakKeyDictionary[OpenBundle, dict[str, tuple[str, str]]] = WeakKeyDictionary()


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionLimits:
    """TIP §12.1.2 and C.1; None: no limit."""

    session_timeout_minutes: int
    max_queries: int | None = None
    max_tokens_per_query: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """`boundary` is the tez as it is for whoever began the session."""

    session: Session
    boundary: GroundingBoundary
    limits: SessionLimits
    warnings: tuple[Notice, ...] = ()


def context_failure(boundary: GroundingBoundary) -> ContextPartlyLoaded | None:
    """TIP §14.1: every item that the recipient may see and that cannot be interrogated as it was
    sent. Nothing left is a total failure (§14.8)."""
    indexed = boundary.indexed
    items = boundary.bundle.items
    reasons = {item.id: (item.reason, item.suggestion or "") for item in items if item.reason}
    unread = set(boundary.unread()) - set(reasons)
    if unread:
        reasons |= {one: why for one, why in _troubles(indexed).items() if one in unread}
    if not reasons:
        return None
    failed = [FailedItem(item.id, *reasons[item.id]) for item in items if item.id in reasons]
    available = [item.id for item in items if item.id not in reasons]
    if not available:
        raise BundleUnusable(
            "None of the context items could be loaded.",
            failed_items=[
                {"item_id": one.item_id, "reason": one.reason, "suggestion": one.suggestion}
                for one in failed
            ],
        )
    return ContextPartlyLoaded(failed, available)


def _troubles(indexed: IndexedBundle) -> dict[str, tuple[str, str]]:
    """Why items have no text, and what may help: found out once for an open bundle, because what
    cannot be read may take its time."""
    known = _KNOWN_TROUBLES.get(indexed.opened)
    if known is None:
        unread = GroundingBoundary(indexed=indexed).unread()
        read = read_bundle(indexed.opened, settings=indexed.settings, only=set(unread))
        told = {item_id: read.trouble(item_id) for item_id in unread}
        known = {item_id: (why or _UNREADABLE, help_) for item_id, (why, help_) in told.items()}
        _KNOWN_TROUBLES[indexed.opened] = known
    return known


def limits_of(limits: HostingLimits, settings: SessionSettings) -> SessionLimits:
    return SessionLimits(
        session_timeout_minutes=round(settings.timeout_s / 60),
        max_queries=limits.interrogations_per_recipient,
        max_tokens_per_query=limits.max_tokens_per_query,
    )


def response_tokens(preferences: Mapping[str, Any], limits: HostingLimits) -> int | None:
    """C.1's `max_response_tokens` and the sender's limit: the smaller one (TIP §13.3.2)."""
    wanted = preferences.get("max_response_tokens")
    if wanted is not None and (not isinstance(wanted, int) or wanted < 1):
        raise UsageError("The preference 'max_response_tokens' is a whole number above zero.")
    known = [one for one in (wanted, limits.max_tokens_per_query) if one is not None]
    return min(known) if known else None


def preference_warnings(preferences: Mapping[str, Any]) -> list[Notice]:
    """What was wished for and is not done is said."""
    told = []
    if preferences.get("citation_style", _INLINE) != _INLINE:
        told.append("Citations are written inline: no other style is supported.")
    if preferences.get("confidence_signals") is False:
        told.append("Confidence is always told: it cannot be switched off.")
    return [Notice(NoticeKind.PREFERENCE, words) for words in told]
