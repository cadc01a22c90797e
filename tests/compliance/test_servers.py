"""The suite is tested itself: a perfect server passes, and every fault is caught by its test."""

from __future__ import annotations

import asyncio
from contextlib import ExitStack

import httpx
import pytest

from tests.compliance.servers.faults import FAULTS, Fault
from tests.compliance.servers.perfect import PerfectServer
from tipstaff.compliance.claims import claim_results
from tipstaff.compliance.evidence import Evidence
from tipstaff.compliance.running import CaseResult, run_cases
from tipstaff.compliance.subject import as_tez
from tipstaff.compliance.tip.suite import tip_cases
from tipstaff.compliance.verdict import Outcome
from tipstaff.compliance.wire import OWNER, Wire
from tipstaff.compliance.world import Shared, World, publish

# What is read of the bundles made for tests is the same for all servers.
READ: dict[str, Evidence] = {}
BUILT: dict[str, bytes] = {}
KEPT = ExitStack()


def judged(server: PerfectServer, meridian: Evidence, *, runs: int = 1) -> list[CaseResult]:
    async def suite() -> list[CaseResult]:
        transport = httpx.ASGITransport(server.app())
        wire = Wire.to("http://server", {OWNER: "token"}, transport=transport)
        world = World(
            wire=wire,
            evidence=meridian,
            reference=meridian,
            shared=Shared(built=BUILT, evidence=READ, stack=KEPT),
        )
        await publish(wire.recording(), meridian.subject.tez_id, as_tez(meridian.subject.opened))
        return await run_cases(tip_cases(meridian.subject), world, runs=runs)

    return asyncio.run(suite())


def not_passed(results: list[CaseResult]) -> dict[str, str]:
    return {one.case.id: one.why() for one in results if one.outcome() is not Outcome.PASSED}


def test_a_perfect_server_passes_everything(meridian: Evidence) -> None:
    results = judged(PerfectServer(), meridian, runs=3)
    assert not_passed(results) == {}
    assert [(one.claim, one.holds) for one in claim_results(results, frozenset())] == [
        ("TIP-1.0", True),
        ("TIP-Lite", True),
    ]


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_a_fault_is_caught_by_the_test_that_is_meant_for_it(
    fault: Fault, meridian: Evidence
) -> None:
    assert set(not_passed(judged(fault.server(), meridian))) == set(fault.caught_by)


def test_there_are_many_faults() -> None:
    assert len({fault.name for fault in FAULTS}) >= 30
