"""Runs of a test and what they come to (TIP §11.9)."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import httpx
import pytest

from tipstaff.compliance.case import Case, Suite
from tipstaff.compliance.running import CaseResult, run_case
from tipstaff.compliance.verdict import CannotBeJudged, Check, Level, Outcome, Verdict
from tipstaff.compliance.wire import OWNER, Wire, WireFailure
from tipstaff.compliance.world import Fixture, World

GOOD = Verdict.of([Check("it holds", holds=True)])
BAD = Verdict.of([Check("it holds", holds=True), Check("so does this", holds=False, found="no")])


def refused(_: httpx.Request) -> httpx.Response:
    return httpx.Response(403, json={"error": {"type": "forbidden"}})


def world(handler: httpx.MockTransport | None = None) -> World:
    transport = handler or httpx.MockTransport(refused)
    return World(wire=Wire.to("http://server", {OWNER: "secret"}, transport=transport))


def case_of(*verdicts: Verdict | Exception) -> Case:
    said: Iterator[Verdict | Exception] = iter(verdicts)

    async def run(_: World) -> Verdict:
        one = next(said)
        if isinstance(one, Exception):
            raise one
        return one

    return Case(id="one", section="§1", title="One", run=run)


def ran(*verdicts: Verdict | Exception) -> CaseResult:
    return asyncio.run(run_case(case_of(*verdicts), world(), runs=len(verdicts)))


@pytest.mark.parametrize(
    ("verdicts", "outcome"),
    [
        ((GOOD, GOOD, GOOD), Outcome.PASSED),
        ((GOOD, BAD, GOOD), Outcome.PASSED),
        ((GOOD, BAD, BAD), Outcome.FAILED),
        ((GOOD,), Outcome.PASSED),
        ((GOOD, BAD), Outcome.FAILED),
        ((CannotBeJudged("no token"),) * 3, Outcome.INCONCLUSIVE),
        ((GOOD, BAD, CannotBeJudged("no token")), Outcome.FAILED),
    ],
)
def test_two_of_three_runs_decide(
    verdicts: tuple[Verdict | Exception, ...], outcome: Outcome
) -> None:
    assert ran(*verdicts).outcome() is outcome


def test_the_first_run_that_failed_says_why() -> None:
    assert ran(GOOD, BAD, BAD).why() == "so does this: no"
    assert ran(GOOD, BAD, GOOD).why() == ""


@pytest.mark.parametrize("problem", [WireFailure("gone"), KeyError("text"), TypeError("None")])
def test_a_server_that_says_something_unreadable_fails_the_test_and_not_the_suite(
    problem: Exception,
) -> None:
    assert ran(problem).outcome() is Outcome.FAILED


def test_a_check_of_one_level_decides_nothing_at_the_other() -> None:
    full_only = Check("partial is told apart", holds=False, levels=frozenset((Level.FULL,)))
    verdict = Verdict.of([Check("it holds", holds=True), full_only])
    assert verdict.outcome(Level.FULL) is Outcome.FAILED
    assert verdict.outcome(Level.LITE) is Outcome.PASSED


def test_a_test_without_a_single_check_has_not_passed() -> None:
    assert Verdict.of([]).outcome() is Outcome.INCONCLUSIVE


def test_two_tests_of_one_name_are_refused() -> None:
    suite = Suite("tip")
    suite.add(case_of())
    with pytest.raises(ValueError, match="one"):
        suite.add(case_of())


def test_a_fixture_that_the_server_does_not_take_leaves_a_test_inconclusive() -> None:
    async def needs(given: World) -> Verdict:
        await given.tez(Fixture(name="large", tez_id="large-tez", build=lambda: b"PK"))
        return GOOD

    case = Case(id="large", section="§11.10", title="Large", run=needs)
    result = asyncio.run(run_case(case, world()))
    assert result.outcome() is Outcome.INCONCLUSIVE
    assert "--tez-id large=ID" in result.why()


def test_a_token_that_is_missing_leaves_a_test_inconclusive_and_is_named() -> None:
    async def as_jane(given: World) -> Verdict:
        await given.wire.send("GET", "/tez", who="jane")
        return GOOD

    result = asyncio.run(run_case(Case(id="j", section="", title="", run=as_jane), world()))
    assert result.outcome() is Outcome.INCONCLUSIVE
    assert "--token-for jane=TOKEN" in result.why()


def test_what_is_said_is_kept_without_the_token() -> None:
    async def asks(given: World) -> Verdict:
        await given.wire.send("GET", "/tez")
        return GOOD

    result = asyncio.run(run_case(Case(id="j", section="", title="", run=asks), world(), runs=2))
    assert [len(run.exchanges) for run in result.runs] == [1, 1]
    assert result.runs[0].exchanges[0].status == 403
    assert "secret" not in repr(result.runs)


def test_events_are_read_as_they_come_with_their_times() -> None:
    def streams(_: httpx.Request) -> httpx.Response:
        body = b'id: 1\nevent: tip.token\ndata: {"a": 1}\n\nid: 2\nevent: tip.end\ndata: x\n\n'
        return httpx.Response(200, content=body, headers={"Content-Type": "text/event-stream"})

    async def read() -> None:
        exchange = await world(httpx.MockTransport(streams)).wire.stream("GET", "/events")
        assert [(one.name, one.data, one.id) for one in exchange.events] == [
            ("tip.token", {"a": 1}, "1"),
            ("tip.end", "x", "2"),
        ]
        assert exchange.seconds >= exchange.events[0].at_s > 0

    asyncio.run(read())
