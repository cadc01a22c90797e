"""What the tools do that ask and look: each takes a desk and typed arguments, and gives a value
that its result's schema describes."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

from tipstaff.access.recipients import without_withheld_words
from tipstaff.agents.desk import Desk, Tell
from tipstaff.agents.results import (
    AskArguments,
    AuditArguments,
    NoArguments,
    OfTez,
    OpenArguments,
    SearchArguments,
    ShowArguments,
    VerifyArguments,
)
from tipstaff.agents.telling import told_from_threads
from tipstaff.asking import Interrogation
from tipstaff.boundary import GroundingBoundary
from tipstaff.citation.grammar import parse_citation
from tipstaff.domain.citation import Unresolved
from tipstaff.domain.classification import Classification
from tipstaff.domain.wire import to_wire
from tipstaff.engine import audit_synthesis
from tipstaff.errors import NotFound, UsageError
from tipstaff.indexing import options_from
from tipstaff.locating import item_to_show, located
from tipstaff.retrieve.exposure import exposed_response
from tipstaff.retrieve.transparency import result_list, summary_fields
from tipstaff.serve.claim_check import check_claim
from tipstaff.settings import Settings
from tipstaff.synthesis.audited import Standing

# What needs no second look.
_QUIET = (Standing.SUPPORTED, Standing.WEAK, Standing.VIEW)


async def list_tezits(desk: Desk, arguments: NoArguments, tell: Tell) -> Any:  # noqa: ARG001
    return {"tezits": to_wire(await desk.tezits())}


async def inspect_tez(desk: Desk, arguments: OfTez, tell: Tell) -> Any:
    boundary = await desk.boundary(arguments.tez_id, tell)
    return {"tez_id": arguments.tez_id, **await asyncio.to_thread(_inspected, boundary)}


async def ask(desk: Desk, arguments: AskArguments, tell: Tell) -> Any:
    """An abstention is a result (TIP §3.3)."""
    envelope = await desk.ask(
        arguments.tez_id,
        arguments.query,
        session_id=arguments.session_id,
        proceed=arguments.proceed_with_partial,
        tell=tell,
    )
    return {
        "tez_id": arguments.tez_id,
        "session_id": envelope.session.session_id,
        "abstained": envelope.response.classification is Classification.ABSTENTION,
        **exposed_response(to_wire(envelope), desk.settings.transparency),
    }


async def verify_claim(desk: Desk, arguments: VerifyArguments, tell: Tell) -> Any:
    boundary = await desk.boundary(arguments.tez_id, tell)
    await tell("checking", 1, None)
    async with desk.counted(arguments.tez_id, boundary):
        return await asyncio.to_thread(_verified, boundary, arguments.statement)


async def search_context(desk: Desk, arguments: SearchArguments, tell: Tell) -> Any:
    boundary = await desk.boundary(arguments.tez_id, tell)
    await tell("searching", 1, None)
    async with desk.counted(arguments.tez_id, boundary):
        return await asyncio.to_thread(_found, boundary, arguments, desk.settings)


async def show_citation(desk: Desk, arguments: ShowArguments, tell: Tell) -> Any:
    boundary = await desk.boundary(arguments.tez_id, tell)
    return await asyncio.to_thread(_shown, boundary, arguments.citation)


async def audit(desk: Desk, arguments: AuditArguments, tell: Tell) -> Any:
    """Of the synthesis as it is for this caller, against the items that exist for them."""
    boundary = await desk.boundary(arguments.tez_id, tell)
    async with desk.counted(arguments.tez_id, boundary):
        done = await asyncio.to_thread(
            audit_synthesis,
            boundary.indexed,
            recipient=boundary.recipient,
            grant=boundary.grant,
            progress=told_from_threads(tell)("checking"),
        )
    shown = [
        one
        for one in done.claims
        if arguments.all_claims or one.is_stale or one.standing not in _QUIET
    ]
    return {
        "tez_id": arguments.tez_id,
        "score": done.score,
        "counts": dict(done.counts),
        "claims": to_wire(shown),
        "newer_items": list(done.newer_items),
    }


async def open_tez(desk: Desk, arguments: OpenArguments, tell: Tell) -> Any:
    return to_wire(await desk.open(desk.folders.existing(arguments.path), tell))


def _inspected(boundary: GroundingBoundary) -> dict[str, Any]:
    """Of the items that exist for this caller, and no others."""
    bundle = boundary.bundle
    unread = set(boundary.unread())
    tokens = {item.id: item.tokens for item in boundary.indexed.index.items}
    return {
        "title": bundle.title,
        "version": bundle.version,
        "creator": dict(bundle.creator),
        "created_at": bundle.created_at,
        "synthesis": None if bundle.synthesis is None else bundle.synthesis.text,
        "context_scope": to_wire(boundary.scope()),
        "items": [
            {
                "id": item.id,
                "type": item.type,
                "title": item.title,
                "mime_type": item.media_type,
                "size_bytes": item.size_bytes,
                "tokens": tokens.get(item.id) if item.id in boundary.searchable() else None,
                "state": "unindexed" if item.id in unread else str(item.state),
                "hash_state": str(item.hash_state),
                "access": str(item.access.level),
                "may_be_shown": boundary.quotable(item.id) and item.has_bytes,
                "parent": item.parent,
            }
            for item in bundle.items
        ],
    }


def _verified(boundary: GroundingBoundary, statement: str) -> dict[str, Any]:
    asking = Interrogation(
        indexed=boundary.indexed, recipient=boundary.recipient, grant=boundary.grant
    )
    return check_claim(asking.boundary, asking.context(), statement)


def _found(
    boundary: GroundingBoundary, arguments: SearchArguments, settings: Settings
) -> dict[str, Any]:
    permitted = boundary.searchable()
    done = boundary.indexed.search(
        arguments.query,
        options=replace(options_from(settings), top_k=arguments.top_k),
        permitted=permitted,
        recipient=boundary.recipient,
        reasons=boundary.reasons,
    )
    shown = without_withheld_words(done, boundary.bundle, boundary.recipient)
    return {
        "results": result_list(shown, setting=settings.transparency),
        "retrieval_summary": summary_fields(shown, setting=settings.transparency),
        "unindexed": [one for one in boundary.unread() if one in permitted],
    }


def _shown(boundary: GroundingBoundary, text: str) -> dict[str, Any]:
    cited = parse_citation(text, names=boundary.bundle.citable_names())
    if cited is None:
        raise UsageError(
            f"'{text[:200]}' is not one citation.", suggestion="Write [[item-id:location]]."
        )
    item_to_show(boundary, cited.item_id)
    found = located(boundary, cited)
    if isinstance(found, Unresolved):
        raise NotFound(
            f"{cited} does not exist: {found.reason}.",
            suggestion="inspect_tez lists the items; search_context finds places.",
        )
    return found
