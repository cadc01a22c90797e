"""What of a tez a caller may see, for routes that show items themselves (TIP §13.4.2)."""

from __future__ import annotations

from dataclasses import dataclass

from tipstaff.boundary import GroundingBoundary, boundary_of
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
    boundary = await boundary_of(indexed, service.authorization, tenant=tenant, recipient=recipient)
    return VisibleTez(published=published, boundary=boundary)
