"""How good the answers of a tez were found to be, over time (Enterprise §8.7): for its sender."""

from __future__ import annotations

import asyncio
from typing import Any

from fastapi import APIRouter, Depends
from pydantic import BaseModel
from starlette.responses import Response

from tipstaff.domain.caller import Caller, Permission
from tipstaff.domain.origin import origin_of_tez
from tipstaff.errors import NotFound
from tipstaff.eval.extension import EXTENSION_ID, declared_history
from tipstaff.eval.history import QualityHistory, degradation
from tipstaff.eval.history_entry import HistoryEntry, history_extension, joined
from tipstaff.eval.thresholds import RECOMMENDED
from tipstaff.serve.callers import TheCaller, TheService, spoken_version
from tipstaff.serve.documented import answers
from tipstaff.serve.needs import Published
from tipstaff.serve.refusals import encoded
from tipstaff.serve.service import Service

router = APIRouter(tags=["tezits"], dependencies=[Depends(spoken_version)])


class QualityBody(BaseModel):
    """`extensions` has `tezit-eval` (Enterprise §8.4) once the tez was evaluated: its latest
    metrics, and all before them as `history`. `alerts` tells what became worse, in sentences."""

    tez_id: str
    extensions: dict[str, Any]
    alerts: list[str]


@router.get("/tez/{tez_id}/quality", responses=answers(403, of=QualityBody), response_model=None)
async def quality(tez_id: str, service: TheService, caller: TheCaller) -> Response:
    """Evaluations that the bundle brings (its sender's word) and those made on this server."""
    published = await service.tezits.describe(caller, tez_id)
    if not _may_know(caller, published):
        raise NotFound("There is no such tez.")
    kept = QualityHistory(tenant=caller.tenant, tez_id=tez_id)
    history = joined(
        await _declared(service, caller, published), await asyncio.to_thread(kept.read)
    )
    told: dict[str, Any] = {"tez_id": tez_id, "extensions": {}, "alerts": []}
    if history:
        told["extensions"] = {EXTENSION_ID: history_extension(history, RECOMMENDED)}
        told["alerts"] = degradation(history[-1], history[:-1], RECOMMENDED)
    return Response(encoded(told), media_type="application/json")


def _may_know(caller: Caller, published: Published) -> bool:
    """Its sender, or an admin of the tenant that it is of: not one whom it is only shared with."""
    if origin_of_tez(published) is not None:
        return False
    is_own = caller.may(Permission.PUBLISH) and published.published_by == caller.user
    return is_own or caller.may(Permission.ADMIN)


async def _declared(service: Service, caller: Caller, published: Published) -> list[HistoryEntry]:
    if published.state not in ("ready", "in_place"):
        return []
    indexed = await service.tezits.opened(caller.tenant, published.tez_id, published.version)
    return await asyncio.to_thread(declared_history, indexed.opened, indexed.settings)
