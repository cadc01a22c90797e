"""The Enterprise suite against a perfect server, against servers with one fault each, and ours."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping

import httpx
import pytest

from tests.compliance.servers.enterprise import RATES, PerfectServer
from tests.compliance.servers.enterprise_faults import FAULTS, Fault
from tests.compliance.servers.enterprise_state import TOKENS
from tipstaff.compliance.case import Case
from tipstaff.compliance.enterprise import SUITE
from tipstaff.compliance.enterprise.suite import CATEGORIES
from tipstaff.compliance.running import CaseResult, run_cases
from tipstaff.compliance.verdict import Outcome
from tipstaff.compliance.wire import Wire
from tipstaff.compliance.world import World


def judged(
    made: type[PerfectServer],
    cases: list[Case],
    *,
    tokens: Mapping[str, str] = TOKENS,
    rates: Mapping[str, int] | None = RATES,
) -> dict[str, CaseResult]:
    """What the tests say of a server: one without rates, and one of the same kind with small
    ones."""

    async def run() -> list[CaseResult]:
        main, small = made().transport(), made(limits=rates).transport()
        world = World(
            wire=Wire.to("http://server", tokens, transport=main),
            limited=Wire.to("http://limited", tokens, transport=small),
            options={"access": "fga", "stranger_tenant": "stranger", "owner_tenant": "owner"},
        )
        try:
            return await run_cases(cases, world)
        finally:
            await world.wire.aclose()
            assert world.limited is not None
            await world.limited.aclose()

    return {result.case.id: result for result in asyncio.run(run())}


def test_there_are_as_many_tests_of_each_category_as_the_addendum_says() -> None:
    assert Counter(case.category for case in SUITE) == {
        category: count for category, (count, _) in CATEGORIES.items()
    }
    assert len(list(SUITE)) == 61


def test_a_perfect_server_passes_every_test() -> None:
    results = judged(PerfectServer, list(SUITE))
    assert {name: one.why() for name, one in results.items() if not one.passed} == {}


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_a_fault_is_caught_by_the_test_that_is_meant_for_it(fault: Fault) -> None:
    meant = SUITE.cases[fault.caught_by]
    together = [case for case in SUITE if case.category == meant.category]
    results = judged(fault.server, together)
    failed = {name: one.why() for name, one in results.items() if not one.passed}
    assert results[fault.caught_by].outcome() is Outcome.FAILED, failed


def test_every_test_has_a_fault_that_it_catches() -> None:
    """Else it might be one that cannot fail."""
    assert {fault.caught_by for fault in FAULTS} == set(SUITE.cases)


def test_what_cannot_be_tried_is_neither_passed_nor_failed_and_says_what_is_missing() -> None:
    results = judged(PerfectServer, list(SUITE), tokens={"owner": TOKENS["owner"]}, rates=None)
    outcomes = Counter(one.outcome() for one in results.values())
    assert outcomes[Outcome.FAILED] == 0
    assert results["enterprise-order-2"].passed
    assert "--token-for denied=TOKEN" in results["enterprise-filter-2"].why()
    assert "--token-for stranger=TOKEN" in results["enterprise-tenant-1"].why()
    assert "limits.rates_per_minute" in results["enterprise-rates-1"].why()


def test_limits_that_nobody_can_reach_are_not_tried() -> None:
    high = {scope: 1_000 * (at + 1) for at, scope in enumerate(RATES)}
    (result,) = judged(PerfectServer, [SUITE.cases["enterprise-rates-1"]], rates=high).values()
    assert result.outcome() is Outcome.INCONCLUSIVE
    assert "--limited-url" in result.why()


def test_a_server_that_knows_none_of_it_fails_and_does_not_break_the_suite() -> None:
    class Nothing(PerfectServer):
        def handle(self, request: httpx.Request) -> httpx.Response:  # noqa: ARG002
            return httpx.Response(200, content=b"<h1>It works!</h1>")

    results = judged(Nothing, list(SUITE))
    assert not [name for name, one in results.items() if one.passed]
