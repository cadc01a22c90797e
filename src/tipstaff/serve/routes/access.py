"""Enterprise §3.7: whoever changes who may see what says so here, and it holds at once."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.responses import Response

from tipstaff.domain.caller import Permission
from tipstaff.instances.announcements import Kind
from tipstaff.serve.callers import TheCaller, TheService, require
from tipstaff.serve.documented import answers

router = APIRouter(prefix="/access", tags=["operations"])


@router.post("/changed", status_code=204, responses=answers(403, status=204), response_model=None)
async def changed(service: TheService, caller: TheCaller) -> Response:
    """The authorization model of the caller's tenant has changed: every instance forgets what it
    was told under the old one. A webhook for those who change it."""
    require(caller, Permission.ADMIN)
    await service.announcements.tell(Kind.ACCESS_CHANGED, tenant=caller.tenant)
    return Response(status_code=204)
