"""Somebody looks at one item of a tez: what is there for them, and a record of what was shown.

The record comes before the words: what cannot be recorded is not shown (Enterprise §6.6)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Query

from tipstaff.boundary import GroundingBoundary
from tipstaff.domain.caller import Caller
from tipstaff.locating import item_to_show
from tipstaff.serve.callers import TheCaller, TheService, TheSession
from tipstaff.serve.service import Service
from tipstaff.serve.visible import VisibleTez, visible_tez

Version = Annotated[int | None, Query(ge=1, le=2**31, description="A version; else the newest.")]


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """`session_id` is the looker's own, or empty."""

    service: Service
    caller: Caller
    tez: VisibleTez
    item_id: str
    session_id: str

    @property
    def boundary(self) -> GroundingBoundary:
        return self.tez.boundary

    async def told(self, shown: str, place: str = "") -> None:
        """Which way, and which part of the item."""
        await self.service.look_records.viewed(
            self.caller,
            self.tez.published,
            session_id=self.session_id,
            item_id=self.item_id,
            shown=shown,
            place=place,
        )


async def _look(
    *,
    tez_id: str,
    item_id: str,
    service: TheService,
    caller: TheCaller,
    session: TheSession,
    version: Version = None,
) -> Look:
    """NotFound or AuthorizationDenied where nothing may be shown."""
    tez = await visible_tez(service, caller, tez_id, version)
    return Look(
        service=service,
        caller=caller,
        tez=tez,
        item_id=item_to_show(tez.boundary, item_id),
        session_id=session,
    )


TheLook = Annotated[Look, Depends(_look)]
