"""The Enterprise suite against a server: its own fixtures, two servers where limits are small."""

from __future__ import annotations

from collections.abc import Mapping

from tipstaff.compliance.enterprise import SUITE
from tipstaff.compliance.enterprise.suite import CATEGORIES, FULL
from tipstaff.compliance.judgement import Judgement
from tipstaff.compliance.judging import Wishes, discovered, judged
from tipstaff.compliance.wire import Wire
from tipstaff.compliance.world import Shared, World


async def judge_enterprise(
    wire: Wire, wishes: Wishes, *, limited: Wire | None = None, facts: Mapping[str, str]
) -> Judgement:
    """`limited` is a server of the same kind with limits that can be reached, `facts` what no
    server tells: which type of access to try, and what the tenants are called."""
    shared = Shared(ids=dict(wishes.tez_ids))
    world = World(
        wire=wire,
        discovery=await discovered(wire),
        options=dict(facts),
        limited=limited,
        shared=shared,
    )
    every = (*dict.fromkeys(claim for _, claim in CATEGORIES.values()), FULL)
    with shared.stack:
        return await judged("enterprise", list(SUITE), world, wishes, default=every)
