"""Our own server, started as anybody would start it, against the whole Enterprise suite."""

from __future__ import annotations

import asyncio

import pytest

from tipstaff.compliance.enterprise import SUITE
from tipstaff.compliance.judgement import Judgement
from tipstaff.compliance.judging import Wishes
from tipstaff.compliance.judging_enterprise import judge_enterprise
from tipstaff.compliance.local_enterprise import LocalEnterprise, local_enterprise
from tipstaff.compliance.wire import Wire

# Two servers are started and stopped: some 25 s on two quiet cores.
pytestmark = [pytest.mark.allow_hosts(["127.0.0.1"]), pytest.mark.timeout(400)]


async def judged(local: LocalEnterprise) -> Judgement:
    wire = Wire.to(local.main.url, local.main.tokens)
    limited = Wire.to(local.limited.url, local.limited.tokens)
    try:
        return await judge_enterprise(wire, Wishes(), limited=limited, facts=local.options)
    finally:
        await wire.aclose()
        await limited.aclose()


def test_our_server_passes_every_test_and_every_claim_that_it_makes_holds() -> None:
    with local_enterprise(settings=("embedder=static", "reader=none")) as local:
        judgement = asyncio.run(judged(local))
    assert {one.case.id: one.why() for one in judgement.results if not one.passed} == {}
    assert len(judgement.results) == len(list(SUITE))
    claimed = {one.claim for one in judgement.claims if one.claimed}
    assert claimed == {one.claim for one in judgement.claims if one.holds}
    assert "TIP-Enterprise" in claimed
