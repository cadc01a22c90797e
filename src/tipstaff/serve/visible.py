"""What of a tez a caller may see, for routes that show items themselves (TIP §13.4.2)."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from tipstaff.boundary import GroundingBoundary, granted_of
from tipstaff.domain.caller import Caller
from tipstaff.hosting.published import Published, asked_as
from tipstaff.serve.service import Service


@dataclass(frozen=True, slots=True, kw_only=True)
class VisibleTez:
    """What was published, and what of it is there for whoever asks."""

    published: Published
    boundary: GroundingBoundary


async def boundary_for(
    service: Service, caller: Caller, tez_id: str, version: int | None = None
) -> GroundingBoundary:
    """The tez as it is for this caller. NotFound if there is none for them."""
    return (await visible_tez(service, caller, tez_id, version)).boundary


async def visible_tez(
    service: Service, caller: Caller, tez_id: str, version: int | None = None
) -> VisibleTez:
    published = await service.tezits.describe(caller, tez_id, version)
    indexed = await service.tezits.opened(caller.tenant, published.tez_id, published.version)
    tenant, recipient = asked_as(caller, published)
    grant = await granted_of(indexed, service.authorization, tenant=tenant, recipient=recipient)
    boundary = GroundingBoundary(indexed=indexed, recipient=recipient, grant=grant)
    # What is withheld of a long synthesis takes a moment to find; others need not wait for it.
    await asyncio.to_thread(lambda: boundary.bundle)
    return VisibleTez(published=published, boundary=boundary)
