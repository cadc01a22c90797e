"""TIP §8.1.2: which queries are taken up, in which order, and what they cost."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import select

from tests.conftest import BundleMaker, manifest_of
from tests.session.stand_ins import (
    BUDGET,
    FAILS,
    FUND,
    HANGS,
    JANE,
    NOTES,
    TEZ,
    Address,
    Service,
    data,
    leaned,
    names,
    run,
    scripted,
    until,
)
from tipstaff.errors import (
    BudgetExhausted,
    GenerationFailed,
    MalformedQuery,
    RateLimited,
)
from tipstaff.hosting.consent import Consent, LoggingScope
from tipstaff.records.tables import ASKED


def test_a_query_that_is_none_takes_nothing_of_the_budget(
    records_address: Address, tez: Path
) -> None:
    async def work(service: Service) -> None:
        session_id = await service.begun()
        for query, reason in ((" \n", "empty"), ("word " * 3_000, "maximum length of 2000 tokens")):
            with pytest.raises(MalformedQuery) as refused:
                await service.sessions.ask(JANE, TEZ, session_id, query)
            assert reason in refused.value.details["reason"]
        assert await service.reservations() == []

    run(records_address, work, tez)


def test_a_budget_ends_with_its_last_query_and_leaves_nothing_of_the_next(
    records_address: Address, make_bundle: BundleMaker
) -> None:
    items = {"notes.md": NOTES}
    sharing = {"hosting": "sender", "hosting_limits": {"interrogations_per_recipient": 2}}
    folder = make_bundle(items, manifest=manifest_of(items, sharing=sharing))

    async def work(service: Service) -> None:
        opened = await service.sessions.init(JANE, TEZ)
        assert opened.limits.max_queries == 2
        session_id = opened.session.session_id
        left = [(await service.asked(session_id, FUND)).session.remaining_queries for _ in "12"]
        assert left == [1, 0]
        before = await service.log(session_id)
        with pytest.raises(BudgetExhausted):
            await service.asked(session_id, FUND)
        assert await service.log(session_id) == before
        async with service.records.reading(JANE.tenant) as connection:
            assert (await connection.execute(select(ASKED))).first() is None

    run(records_address, work, folder)


def test_a_query_that_fails_costs_nothing_and_is_no_part_of_the_history(
    records_address: Address, tez: Path, tmp_path: Path
) -> None:
    async def work(service: Service) -> None:
        session_id = await service.begun()
        with pytest.raises(GenerationFailed):
            await service.asked(session_id, FAILS)
        assert await service.reservations() == ["returned"]
        state = await service.sessions.describe(JANE, TEZ, session_id)
        assert (state.query_count, state.errors) == (0, ("generation_failed",))
        assert state.conversation_history == ()
        events = await service.log(session_id)
        assert names(events)[-1] == "error"
        assert "incomplete" in data(events[-1])["message"]
        assert (await service.asked(session_id, FUND)).session.query_count == 1

    run(records_address, work, tez, model=scripted(tmp_path))


def test_queries_of_one_session_wait_in_line(records_address: Address, tez: Path) -> None:
    async def work(service: Service) -> None:
        session_id = await service.begun()
        queries = [BUDGET, "And for training?", FUND, BUDGET]
        asking = service.sessions.ask
        runs = [await asking(JANE, TEZ, session_id, query) for query in queries]
        answers = [await run.envelope() for run in runs]
        assert [answer.session.query_count for answer in answers] == [1, 2, 3, 4]
        assert "$20,000" in answers[1].response.text
        assert leaned(answers[1])
        order = [event.query_id for event in await service.log(session_id, after=2)]
        asked = [run.query_id for run in runs]
        assert list(dict.fromkeys(order)) == asked
        assert order == sorted(order, key=asked.index)

    run(records_address, work, tez)


def test_the_line_of_a_session_is_short(
    records_address: Address, tez: Path, tmp_path: Path
) -> None:
    async def work(service: Service) -> None:
        session_id = await service.begun()
        for query in (HANGS, FUND):
            await service.sessions.ask(JANE, TEZ, session_id, query)
        with pytest.raises(RateLimited) as refused:
            await service.sessions.ask(JANE, TEZ, session_id, FUND)
        assert refused.value.details["scope"] == "session"
        assert await service.reservations() == ["held", "held"]

    run(records_address, work, tez, model=scripted(tmp_path), session_queries=2)


def test_the_part_of_a_query_is_its_own_and_the_first_has_the_opening(
    records_address: Address, tez: Path
) -> None:
    async def work(service: Service) -> None:
        session_id = await service.begun()
        one = await service.sessions.ask(JANE, TEZ, session_id, FUND)
        two = await service.sessions.ask(JANE, TEZ, session_id, BUDGET)
        parts = [await service.part(session_id, run) for run in (one, two)]
        assert names(parts[0])[:3] == ["session.start", "context.loaded", "retrieval.start"]
        assert names(parts[1])[0] == "retrieval.start"
        for asked, part in zip((one, two), parts, strict=True):
            assert names(part)[-1] == "response.end"
            assert {event.query_id for event in part} <= {asked.query_id, ""}
            end = data(part[-1])
            assert end["envelope"]["query_id"] == asked.query_id
            # Whoever comes back behind the end has missed nothing, and does not wait.
            assert (
                await service.log(session_id, after=part[-1].number, query_id=asked.query_id) == []
            )

    run(records_address, work, tez)


def test_closing_ends_a_query_that_is_under_way(
    records_address: Address, tez: Path, tmp_path: Path
) -> None:
    async def work(service: Service) -> None:
        session_id = await service.begun()
        hanging = await service.sessions.ask(JANE, TEZ, session_id, HANGS)
        await until(service.sessions.follow(JANE, TEZ, session_id), "tip.token")
        waiting = await service.sessions.ask(JANE, TEZ, session_id, FUND)
        closed = await service.sessions.close(JANE, TEZ, session_id)
        assert closed.summary.query_count == 0
        for asked in (hanging, waiting):
            with pytest.raises(GenerationFailed, match="closed"):
                await asked.envelope()
        # The first had said something, and was left by the one who read it.
        assert await service.reservations() == ["returned", "settled"]
        ends = names([*await service.log(session_id), *await service.log(session_id, after=2)])
        assert ends[-3:] == ["error", "error", "session.end"]

    run(records_address, work, tez, model=scripted(tmp_path))


def test_only_what_was_consented_to_reaches_the_log_of_queries(
    records_address: Address, tez: Path
) -> None:
    consent = Consent(scope=LoggingScope.QUERIES, retention_days=9).to_wire()

    async def work(service: Service) -> None:
        silent = await service.begun()
        agreed = await service.begun(consent=consent)
        await service.asked(silent, BUDGET)
        await service.asked(agreed, FUND)
        (said,) = await service.query_log.own(JANE)
        assert (said["session_id"], said["query"]) == (agreed, FUND)

    run(records_address, work, tez)
