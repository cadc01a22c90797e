"""What auditors are told of sessions and queries: who, which tez, when, what was filtered and why,
how it was found (Enterprise §3.8, §4.5, §6.6). Not what was asked.

Of a tez that another tenant shared, both tenants have a record. Ids of withheld items stand in the
log of the tenant whose items they are, and in no other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tipstaff.asking import Interrogation
from tipstaff.audit.both_sides import Bodies, of_both
from tipstaff.domain.caller import Caller
from tipstaff.domain.response import ResponseEnvelope
from tipstaff.errors import TipstaffError
from tipstaff.retrieve.exposure import NONE
from tipstaff.retrieve.transparency import transparency_document
from tipstaff.session.rows import StoredSession

QUERY, EXTERNAL_QUERY = "query", "external_query"


@dataclass(frozen=True, slots=True, kw_only=True)
class Search:
    """What a query's searches leave for auditors."""

    filtered: Sequence[Mapping[str, str]]
    retrievals: Sequence[Mapping[str, Any]]
    support: Sequence[Mapping[str, Any]]


def search_of(interrogation: Interrogation, *, transparency: str) -> Search:
    """Enterprise §4.5: retrieval metadata are kept where transparency is on; §3.8, 4: what was
    filtered is, always."""
    filtered = interrogation.boundary.filtered()
    if transparency == NONE:
        return Search(filtered=filtered, retrievals=(), support=())
    return Search(
        filtered=filtered,
        retrievals=[
            {"requested_strategy": str(done.requested), **transparency_document(done)}
            for done in interrogation.searches
        ],
        # Not for which statement: a model's words lean on the query's.
        support=[
            {"candidates": done.candidates, "found": [place.reference for place in done.found]}
            for done in interrogation.support_searches
        ],
    )


def answered(
    stored: StoredSession, caller: Caller, envelope: ResponseEnvelope, search: Search
) -> Bodies:
    scope = envelope.context_scope
    told = {
        **_whose(stored, caller.user),
        "query_id": envelope.query_id,
        "classification": str(envelope.response.classification),
        "model": envelope.model,
        "input_tokens": envelope.usage.input_tokens,
        "output_tokens": envelope.usage.output_tokens,
        "total_items": scope.total_items,
        "accessible_items": scope.accessible_items,
        "filtered_by_access": dict(Counter(one["access"] for one in search.filtered)),
        # By consent, and then in the log that can be taken back: never here (TIP §13.1.2).
        "query_logged": stored.facts.get("consent") is not None,
    }
    # TIP §13.1: what was found and cited shows what was asked after, and that is not for the
    # sender's tenant to see of another's people.
    inquiry = {
        "cited": list(dict.fromkeys(one.reference for one in envelope.response.citations)),
        "retrieval": list(search.retrievals),
        "support_searches": list(search.support),
    }
    filtered = {"filtered": list(search.filtered)}
    return _of_both(
        stored,
        caller.user,
        (QUERY, {**told, **inquiry}),
        (EXTERNAL_QUERY, {**told, **filtered}),
        own={**told, **inquiry, **filtered},
    )


def failed(stored: StoredSession, query_id: str, problem: TipstaffError) -> Bodies:
    told = {
        **_whose(stored, stored.user),
        "query_id": query_id,
        "error": problem.code,
    }
    kinds = (("query_failed", told), ("external_query_failed", told))
    return _of_both(stored, stored.user, *kinds)


def limited(stored: StoredSession, reached: Mapping[str, Any]) -> Bodies:
    """A limit that was reached."""
    told = {**_whose(stored, stored.user), **reached}
    return _of_both(stored, stored.user, ("limit", told), ("external_limit", told))


def started(stored: StoredSession) -> Bodies:
    consent = stored.facts.get("consent")
    told = {
        **_whose(stored, stored.user),
        "model": stored.model,
        "logging_consent": consent.get("logging_scope") if consent else None,
    }
    kinds = (("session_started", told), ("external_session_started", told))
    return _of_both(stored, stored.user, *kinds)


def ended(stored: StoredSession, kind: str) -> Bodies:
    told = {**_whose(stored, stored.user), "queries": stored.query_count}
    return _of_both(stored, stored.user, (kind, told), (f"external_{kind}", told))


def _whose(stored: StoredSession, user: str) -> dict[str, Any]:
    return {
        "user": user,
        "tez_id": stored.tez_id,
        "tez_version": stored.tez_version,
        "session_id": stored.session_id,
    }


def _of_both(
    stored: StoredSession,
    user: str,
    receivers: tuple[str, Mapping[str, Any]],
    senders: tuple[str, Mapping[str, Any]],
    *,
    own: Mapping[str, Any] | None = None,
) -> Bodies:
    """As `audit.both_sides` has it, of a session's tez."""
    return of_both(
        receivers,
        senders,
        tenant=stored.tenant,
        user=user,
        tez_id=stored.tez_id,
        origin=stored.origin,
        own=own,
    )
