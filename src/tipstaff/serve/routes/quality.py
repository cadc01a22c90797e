"""How good the answers of a tez were found to be, over time (Enterprise §8.7): for its sender."""

from __future__ import annotations

import asyncio
from typing import Any

from fastapi import APIRouter, Depends
from pydantic import BaseModel
from starlette.responses import Response

from tipstaff.domain.caller import Caller
from tipstaff.eval.extension import EXTENSION_ID, declared_history
from tipstaff.eval.history import QualityHistory, degradation
from tipstaff.eval.history_entry import HistoryEntry, history_extension, joined
from tipstaff.eval.thresholds import RECOMMENDED
from tipstaff.hosting.published import Published, may_manage, no_such_tez
from tipstaff.serve.bodies import json_response
from tipstaff.serve.callers import TheCaller, TheService, spoken_version
from tipstaff.serve.documented import answers
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
    # Its sender's and their admins' to know: not theirs whom it is only shared with.
    if published.origin is not None or not may_manage(caller, published):
        raise no_such_tez()
    kept = QualityHistory(tenant=caller.tenant, tez_id=tez_id)
    history = joined(
        await _declared(service, caller, published), await asyncio.to_thread(kept.read)
    )
    told: dict[str, Any] = {"tez_id": tez_id, "extensions": {}, "alerts": []}
    if history:
        told["extensions"] = {EXTENSION_ID: history_extension(history, RECOMMENDED)}
        told["alerts"] = degradation(history[-1], history[:-1], RECOMMENDED)
    return json_response(told)


async def _declared(service: Service, caller: Caller, published: Published) -> list[HistoryEntry]:
    if not published.is_served:
        return []
    indexed = await service.tezits.opened(caller.tenant, published.tez_id, published.version)
    return await asyncio.to_thread(declared_history, indexed.opened, indexed.settings)
