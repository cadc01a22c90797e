"""One query at work: capacity, timeouts, faults, and servers that stop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import delete, select

from tests.session.stand_ins import (
    BUDGET,
    FUND,
    HANGS,
    JANE,
    TEZ,
    Service,
    data,
    names,
    scripted,
    serving,
    until,
)
from tipstaff.asking import Interrogation
from tipstaff.domain.response import ResponseEnvelope
from tipstaff.errors import (
    GenerationFailed,
    InternalError,
    ModelUnavailable,
    QueryTimeout,
    RateLimited,
    UsageError,
)
from tipstaff.records.tables import ASKED, EXCHANGE
from tipstaff.session.ending import Answered, Endings
from tipstaff.session.session_settings import Backpressure, SessionSettings
from tipstaff.settings import Settings

Address = str | Path
Work = Callable[[Service], Coroutine[Any, Any, None]]


def run(address: Address, work: Work, tez: Path, **also: Any) -> None:
    async def serve() -> None:
        async with serving(address, tez, **also) as service:
            await work(service)

    asyncio.run(serve())


def kinds(answer: ResponseEnvelope) -> set[str]:
    return {str(notice.kind) for notice in answer.notices}


def test_beyond_capacity_queries_wait_up_to_a_bound_and_are_then_refused(
    records_address: Address, tez: Path, tmp_path: Path
) -> None:
    async def work(service: Service) -> None:
        one, two, three = [await service.begun() for _ in range(3)]
        await service.sessions.ask(JANE, TEZ, one, HANGS)
        waiting = await service.sessions.ask(JANE, TEZ, two, FUND)
        with pytest.raises(RateLimited) as refused:
            await service.sessions.ask(JANE, TEZ, three, FUND)
        assert refused.value.details["scope"] == "global"
        assert refused.value.details["retry_after_seconds"] >= 1
        assert await service.reservations() == ["held", "held"]
        await service.sessions.close(JANE, TEZ, one)
        assert "$77,000" in (await waiting.envelope()).response.text
        assert (await service.asked(three, FUND)).session.query_count == 1

    limits = {"concurrent_queries": 1, "waiting_queries": 1}
    run(records_address, work, tez, model=scripted(tmp_path), **limits)


def test_with_reject_nobody_waits(records_address: Address, tez: Path, tmp_path: Path) -> None:
    async def work(service: Service) -> None:
        one, two = await service.begun(), await service.begun()
        await service.sessions.ask(JANE, TEZ, one, HANGS)
        with pytest.raises(RateLimited):
            await service.sessions.ask(JANE, TEZ, two, FUND)

    limits = {"concurrent_queries": 1, "backpressure": Backpressure.REJECT}
    run(records_address, work, tez, model=scripted(tmp_path), **limits)


def test_with_degrade_queries_are_answered_without_the_model_and_say_so(
    records_address: Address, tez: Path, tmp_path: Path
) -> None:
    async def work(service: Service) -> None:
        one, two = await service.begun(), await service.begun()
        await service.sessions.ask(JANE, TEZ, one, HANGS)
        degraded = await service.asked(two, BUDGET)
        assert "$500,000" in degraded.response.text
        assert degraded.model == "extractive"
        assert "fallback_model" in kinds(degraded)
        await service.sessions.close(JANE, TEZ, one)
        again = await service.asked(two, "And for the sky fund?")
        assert again.model.startswith("scripted")
        assert "fallback_model" not in kinds(again)
        # The session's own interrogation has heard of what was asked without it.
        assert "follow_up" in kinds(again)
        assert again.session.query_count == 2

    limits = {"concurrent_queries": 1, "backpressure": Backpressure.DEGRADE}
    run(records_address, work, tez, model=scripted(tmp_path), **limits)


def test_a_query_that_waits_too_long_is_told_so_in_its_stream(
    records_address: Address, tez: Path, tmp_path: Path
) -> None:
    async def work(service: Service) -> None:
        one, two = await service.begun(), await service.begun()
        await service.sessions.ask(JANE, TEZ, one, HANGS)
        # It has its place once it has said something.
        await until(service.sessions.follow(JANE, TEZ, one), "tip.token")
        waiting = await service.sessions.ask(JANE, TEZ, two, FUND)
        with pytest.raises(RateLimited):
            await waiting.envelope()
        error = (await service.part(two, waiting))[-1]
        assert data(error)["code"] == "RATE_LIMITED"
        assert await service.reservations() == ["held", "returned"]

    limits = {"concurrent_queries": 1, "waiting_s": 0.05}
    run(records_address, work, tez, model=scripted(tmp_path), **limits)


def test_a_query_that_takes_too_long_is_ended_and_says_that_it_is_incomplete(
    records_address: Address, tez: Path, tmp_path: Path
) -> None:
    async def work(service: Service) -> None:
        session_id = await service.begun()
        slow = await service.sessions.ask(JANE, TEZ, session_id, HANGS)
        with pytest.raises(QueryTimeout):
            await slow.envelope()
        part = await service.part(session_id, slow)
        assert "token" in names(part)
        assert "incomplete" in data(part[-1])["message"]
        assert (await service.asked(session_id, FUND)).session.query_count == 1

    run(records_address, work, tez, model=scripted(tmp_path), query_timeout_s=2)


def test_a_fault_of_ours_is_told_without_its_words(
    tmp_path: Path,
    tez: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def work(service: Service) -> None:
        session_id = await service.begun()
        monkeypatch.setattr(Interrogation, "begin", broken)
        failed = await service.sessions.ask(JANE, TEZ, session_id, "canary-query")
        with pytest.raises(InternalError):
            await failed.envelope()
        told = (await service.part(session_id, failed))[-1]
        assert data(told)["code"] == "INTERNAL_ERROR"
        assert b"canary" not in told.data

    def broken(_: Interrogation, query: str) -> None:
        raise ZeroDivisionError(query)

    run(tmp_path / "records.sqlite", work, tez)
    assert "ZeroDivisionError in broken" in caplog.text
    assert "canary" not in caplog.text


def test_a_query_that_was_given_up_elsewhere_cannot_end_well(
    records_address: Address, tez: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    well = Endings.well

    async def given_up(self: Endings, done: Answered) -> ResponseEnvelope:
        async with self.records.writing(done.key.tenant) as connection:
            await connection.execute(delete(ASKED))
        return await well(self, done)

    async def work(service: Service) -> None:
        session_id = await service.begun()
        monkeypatch.setattr(Endings, "well", given_up)
        with pytest.raises(GenerationFailed, match="given up"):
            await service.asked(session_id, FUND)
        async with service.records.reading(JANE.tenant) as connection:
            assert (await connection.execute(select(EXCHANGE))).first() is None
        assert "response.end" not in names(await service.log(session_id))
        assert await service.reservations() == ["returned"]

    run(records_address, work, tez)


def test_a_stopping_server_lets_queries_end_and_takes_no_more(
    records_address: Address, tez: Path
) -> None:
    async def work(service: Service) -> None:
        session_id = await service.begun()
        last = await service.sessions.ask(JANE, TEZ, session_id, FUND)
        await service.sessions.stop(30)
        assert "$77,000" in (await last.envelope()).response.text
        for attempt in (
            service.sessions.init(JANE, TEZ),
            service.sessions.ask(JANE, TEZ, session_id, FUND),
            service.sessions.resume(JANE, TEZ, session_id),
        ):
            with pytest.raises(ModelUnavailable):
                await attempt

    run(records_address, work, tez)


def test_a_stopping_server_ends_what_does_not_end_and_its_readers(
    records_address: Address, tez: Path, tmp_path: Path
) -> None:
    async def work(service: Service) -> None:
        one, idle = await service.begun(), await service.begun()
        reading = service.sessions.follow(JANE, TEZ, idle)
        await until(reading, "tip.context.loaded")
        waiting = asyncio.ensure_future(anext(reading))
        hanging = await service.sessions.ask(JANE, TEZ, one, HANGS)
        await service.sessions.stop(0)
        with pytest.raises(GenerationFailed, match="shutting down"):
            await hanging.envelope()
        with pytest.raises(StopAsyncIteration):
            await waiting
        assert await service.reservations() == ["returned"]

    run(records_address, work, tez, model=scripted(tmp_path))


def test_one_session_is_answered_by_one_server_at_a_time(
    records_address: Address, tez: Path, tmp_path: Path
) -> None:
    async def work(service: Service) -> None:
        session_id = await service.begun()
        await service.sessions.ask(JANE, TEZ, session_id, HANGS)
        async with serving(records_address, tez, clock=service.clock, started=False) as other:
            with pytest.raises(RateLimited, match="another server"):
                await other.sessions.ask(JANE, TEZ, session_id, FUND)

    run(records_address, work, tez, model=scripted(tmp_path))


def test_a_server_hears_of_what_another_one_answered(records_address: Address, tez: Path) -> None:
    async def work(service: Service) -> None:
        session_id = await service.begun()
        await service.asked(session_id, FUND)
        async with serving(records_address, tez, clock=service.clock, started=False) as other:
            await other.asked(session_id, BUDGET)
        told = await service.asked(session_id, "And for training?")
        assert "$20,000" in told.response.text
        assert told.session.query_count == 3

    run(records_address, work, tez)


def test_settings_of_sessions_are_those_of_the_settings() -> None:
    assert SessionSettings.of(Settings()) == SessionSettings()
    with pytest.raises(UsageError, match="no backpressure 'drop'"):
        SessionSettings.of(Settings(backpressure="drop"))
