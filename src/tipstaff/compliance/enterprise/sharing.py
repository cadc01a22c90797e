"""Cross-tenant sharing: six tests of Enterprise §6.3, §6.5 and §6.6.

The addendum fixes no route for sharing. `POST /tez/{tez-id}/shares` is tried; a server that shares
in another way is told by `--tez-id shared=ID` which tez the stranger was given.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import quote

from tipstaff.compliance.enterprise.conversing import STRANGER, THIRD, silent_on
from tipstaff.compliance.enterprise.fixtures import (
    FEE,
    MOORING,
    OF_THE_OTHERS,
    OF_THE_VAULT,
    RESERVE,
    filtered,
)
from tipstaff.compliance.enterprise.suite import case
from tipstaff.compliance.enterprise.tenant_isolation import records_of
from tipstaff.compliance.verdict import CannotBeJudged, Check, Verdict
from tipstaff.compliance.wire import OWNER
from tipstaff.compliance.world import World

CATEGORY = "Cross-tenant sharing"
_STRATEGIES = ("accept_dependency", "snapshot", "replicated")
_NO_ROUTE = (404, 405, 501)


@asynccontextmanager
async def shared(world: World) -> AsyncIterator[dict[str, Any]]:
    """The filtered tez, shared with the stranger's tenant for the time of a test."""
    root = f"/tez/{quote(await world.tez(filtered(world).fixture), safe='')}/shares"
    to = {"to_tenant": world.options.get("stranger_tenant", STRANGER)}
    made = await world.wire.send("POST", root, body=to, who=OWNER)
    if made.status in _NO_ROUTE:
        known = world.shared.ids.get("shared")
        if known is None:
            raise CannotBeJudged(
                "The server has no POST /tez/{tez-id}/shares (--tez-id shared=ID)."
            )
        yield {"share_id": known}
        return
    share = made.object().get("share", {})
    try:
        yield share
    finally:
        await world.wire.send("DELETE", f"{root}/{share.get('share_id')}", who=OWNER)


@case(
    "enterprise-sharing-1",
    category=CATEGORY,
    section="6.3",
    title="A shared tez is asked by its receivers, within what is for them",
)
async def a_shared_tez_is_asked(world: World) -> Verdict:
    async with shared(world) as share:
        session = await world.wire.open(share["share_id"], who=STRANGER)
        answer = (await session.ask(MOORING)).object()
        hidden = (await session.ask(RESERVE)).object()
    text = answer["response"]["text"]
    return Verdict.of(
        [
            Check("it is answered", holds=FEE in text, found=text[:200]),
            Check(
                "with its source", holds="harbour-report" in str(answer["response"]["citations"])
            ),
            silent_on("and nothing restricted", hidden, (*OF_THE_VAULT, *OF_THE_OTHERS)),
        ]
    )


@case(
    "enterprise-sharing-2",
    category=CATEGORY,
    section="6.5",
    title="What is asked at the sender's costs the sender",
)
async def it_costs_the_sender(world: World) -> Verdict:
    tez_id = quote(await world.tez(filtered(world).fixture), safe="")
    before = await _queries(world, tez_id)
    async with shared(world) as share:
        session = await world.wire.open(share["share_id"], who=STRANGER)
        (await session.ask(MOORING)).object()
        theirs = await world.wire.send("GET", f"/tez/{share['share_id']}/costs", who=STRANGER)
    after = await _queries(world, tez_id)
    return Verdict.of(
        [
            Check(
                "it is in the sender's costs", holds=after == before + 1, found=f"{before}, {after}"
            ),
            Check("the receiver is shown none", holds=theirs.is_error, found=str(theirs.status)),
        ]
    )


async def _queries(world: World, tez_id: str) -> int:
    answer = await world.wire.send("GET", f"/tez/{tez_id}/costs", who=OWNER)
    return int(answer.object()["cost_report"]["total_queries"])


@case(
    "enterprise-sharing-3",
    category=CATEGORY,
    section="6.3",
    title="A share is for one tenant and for no third",
)
async def a_share_is_for_one_tenant(world: World) -> Verdict:
    async with shared(world) as share:
        path = f"/tez/{quote(share['share_id'], safe='')}"
        third = await world.wire.send("POST", f"{path}/interrogate/init", body={}, who=THIRD)
        listed = await world.wire.send("GET", "/tez", who=THIRD)
        again = await world.wire.send(
            "POST", f"{path}/shares", body={"to_tenant": "anybody"}, who=STRANGER
        )
    return Verdict.of(
        [
            Check(
                "a third tenant cannot ask it", holds=third.status == 404, found=str(third.status)
            ),
            silent_on("nor has it in its list", listed.object(), (share["share_id"],)),
            Check("a receiver cannot pass it on", holds=again.is_error, found=str(again.status)),
        ]
    )


@case(
    "enterprise-sharing-4",
    category=CATEGORY,
    section="6.3",
    title="A share that was revoked is gone, with its sessions",
)
async def a_revoked_share_is_gone(world: World) -> Verdict:
    async with shared(world) as share:
        session = await world.wire.open(share["share_id"], who=STRANGER)
        (await session.ask(MOORING)).object()
    path = f"/tez/{quote(share['share_id'], safe='')}"
    begun = await world.wire.send("POST", f"{path}/interrogate/init", body={}, who=STRANGER)
    asked = await session.ask(MOORING)
    listed = await world.wire.send("GET", "/tez", who=STRANGER)
    return Verdict.of(
        [
            Check("no session begins", holds=begun.status == 404, found=str(begun.status)),
            Check("none goes on", holds=asked.is_error, found=str(asked.status)),
            silent_on("it is in no list", listed.object(), (share["share_id"],)),
        ]
    )


@case(
    "enterprise-sharing-5",
    category=CATEGORY,
    section="6.6",
    title="Both tenants have it in their logs",
)
async def both_have_it_in_their_logs(world: World) -> Verdict:
    tez_id = await world.tez(filtered(world).fixture)
    before = {who: len(await records_of(world, who)) for who in (OWNER, STRANGER)}
    async with shared(world) as share:
        session = await world.wire.open(share["share_id"], who=STRANGER)
        (await session.ask(MOORING)).object()
    mine = (await records_of(world, OWNER))[before[OWNER] :]
    theirs = (await records_of(world, STRANGER))[before[STRANGER] :]
    receiver = world.options.get("stranger_tenant", STRANGER)
    sender = world.options.get("owner_tenant", "owner")
    asked = [one for one in mine if "query" in str(one) and receiver in str(one)]
    asking = [one for one in theirs if "query" in str(one) and share["share_id"] in str(one)]
    return Verdict.of(
        [
            Check("the sender's log tells who asked", holds=bool(asked), found=str(mine)[:300]),
            Check("and which tez", holds=tez_id in str(asked)),
            Check(
                "the receiver's tells what was asked", holds=bool(asking), found=str(theirs)[:300]
            ),
            Check("and whose it is", holds=sender in str(theirs), found=str(theirs)[:300]),
            silent_on("neither tells what was asked for", [mine, theirs], (MOORING,)),
        ]
    )


@case(
    "enterprise-sharing-6",
    category=CATEGORY,
    section="6.3.1",
    title="A share tells its receivers how available it is",
)
async def a_share_tells_how_available_it_is(world: World) -> Verdict:
    async with shared(world) as share:
        received = (await world.wire.send("GET", "/shares", who=STRANGER)).object()
        listed = (await world.wire.send("GET", "/tez", who=STRANGER)).object()
    own = [one for one in received.get("shares", []) if one.get("share_id") == share["share_id"]]
    named = [one.get("strategy") for one in own]
    return Verdict.of(
        [
            Check("the receiver sees the share", holds=len(own) == 1, found=str(received)[:200]),
            Check(
                "with one of the three strategies",
                holds=len(named) == 1 and named[0] in _STRATEGIES,
                found=str(named),
            ),
            Check(
                "the sender was told the same",
                holds=share.get("strategy") in named,
                found=str(share),
            ),
            Check("it is among the receiver's tezits", holds=share["share_id"] in str(listed)),
        ]
    )
