"""TIP §8.4, §8.5: how long a session lasts, what it can be resumed with, what is left of it."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from sqlalchemy import func, select

from tests.conftest import BundleMaker
from tests.session.stand_ins import (
    BUDGET,
    FUND,
    JANE,
    NOTES,
    TEZ,
    Address,
    Service,
    data,
    names,
    run,
    until,
)
from tipstaff.domain.session import SessionStatus
from tipstaff.errors import (
    NotFound,
    SessionExpired,
    TezUpdated,
)
from tipstaff.records.tables import ASKED, EVENT, EXCHANGE, LOGGED_QUERY, SESSION


def test_after_an_hour_a_session_is_suspended_and_can_be_resumed(
    records_address: Address, tez: Path
) -> None:
    async def work(service: Service) -> None:
        session_id = await service.begun()
        await service.asked(session_id, BUDGET)
        service.clock.passes(minutes=60)
        await service.asked(session_id, FUND)
        service.clock.passes(minutes=60.1)
        with pytest.raises(SessionExpired) as refused:
            await service.asked(session_id, FUND)
        assert refused.value.details == {
            "resumable": True,
            "resume_until": "2025-10-10T09:53:20Z",
        }
        await service.sessions.sweep()
        state = await service.sessions.describe(JANE, TEZ, session_id)
        assert state.status is SessionStatus.SUSPENDED
        service.clock.passes(hours=22)
        opened = await service.sessions.resume(JANE, TEZ, session_id)
        assert opened.session.status is SessionStatus.ACTIVE
        assert len(opened.session.conversation_history) == 4
        assert (await service.asked(session_id, FUND)).session.query_count == 3

    run(records_address, work, tez)


@pytest.mark.parametrize("swept", [False, True])
def test_after_a_day_a_session_has_expired(
    records_address: Address, tez: Path, swept: bool
) -> None:
    async def work(service: Service) -> None:
        session_id = await service.begun()
        service.clock.passes(hours=24.1)
        if swept:
            await service.sessions.sweep()
            await service.sessions.sweep()
            events = await service.log(session_id)
            assert names(events) == ["session.start", "context.loaded", "error"]
            assert data(events[-1])["code"] == "SESSION_EXPIRED"
            assert names(await service.log(session_id, after=3)) == ["session.end"]
        for attempt in (
            service.sessions.ask(JANE, TEZ, session_id, FUND),
            service.sessions.resume(JANE, TEZ, session_id),
            service.sessions.close(JANE, TEZ, session_id),
        ):
            with pytest.raises(SessionExpired) as refused:
                await attempt
            assert refused.value.details == {"resumable": False}

    run(records_address, work, tez)


def test_histories_of_sessions_that_are_over_are_kept_for_a_while_only(
    records_address: Address, tez: Path
) -> None:
    async def work(service: Service) -> None:
        session_id, other = await service.begun(), await service.begun()
        await service.sessions.close(JANE, TEZ, session_id)
        service.clock.passes(hours=24 * 30 + 1)
        await service.sessions.sweep()
        listed = await service.sessions.list(JANE, TEZ)
        assert [entry.session.session_id for entry in listed] == [other]

    run(records_address, work, tez)


def test_a_newer_version_of_the_tez_is_the_recipients_choice(
    records_address: Address, tez: Path, make_bundle: BundleMaker
) -> None:
    newer = make_bundle({"notes.md": NOTES.replace(b"$77,000", b"$88,000")}, name="newer")

    async def work(service: Service) -> None:
        session_id = await service.begun()
        await service.asked(session_id, FUND)
        service.tezits.folders[TEZ][2] = newer
        told = await service.asked(session_id, FUND)
        assert "$77,000" in told.response.text
        assert "version" in {str(notice.kind) for notice in told.notices}
        service.clock.passes(hours=2)
        with pytest.raises(TezUpdated) as asked:
            await service.sessions.resume(JANE, TEZ, session_id)
        assert set(asked.value.details["options"]) == {"resume_old", "start_new"}
        old = await service.sessions.resume(JANE, TEZ, session_id, choice="resume_old")
        assert (old.session.session_id, old.session.tez_version) == (session_id, 1)
        assert "$77,000" in (await service.asked(session_id, FUND)).response.text
        new = await service.sessions.resume(JANE, TEZ, session_id, choice="start_new")
        assert (new.session.tez_version, new.session.conversation_history) == (2, ())
        assert "$88,000" in (await service.asked(new.session.session_id, FUND)).response.text

    run(records_address, work, tez)


def test_a_withdrawn_tez_is_gone_and_its_sessions_can_still_be_erased(
    records_address: Address, tez: Path
) -> None:
    async def work(service: Service) -> None:
        session_id = await service.begun()
        await service.asked(session_id, FUND)
        service.tezits.withdrawn.add(TEZ)
        sessions = service.sessions
        for attempt in (
            sessions.init(JANE, TEZ),
            sessions.ask(JANE, TEZ, session_id, FUND),
            sessions.describe(JANE, TEZ, session_id),
            sessions.resume(JANE, TEZ, session_id),
            anext(sessions.follow(JANE, TEZ, session_id)),
        ):
            with pytest.raises(NotFound):
                await attempt
        assert await sessions.erase_all(JANE) == 1

    run(records_address, work, tez)


def test_an_erased_session_leaves_no_row(records_address: Address, tez: Path) -> None:
    async def work(service: Service) -> None:
        session_id, kept = await service.begun(), await service.begun()
        for name in (session_id, kept):
            await service.asked(name, BUDGET)
        reading = service.sessions.follow(JANE, TEZ, kept)
        await until(reading, "tip.response.end")
        waiting = asyncio.ensure_future(anext(reading))
        await service.sessions.erase(JANE, TEZ, session_id)
        async with service.records.reading(JANE.tenant) as connection:
            for table in (SESSION, EXCHANGE, EVENT, ASKED, LOGGED_QUERY):
                left = select(func.count()).where(table.c.session_id == session_id)
                assert await connection.scalar(left) == 0
        assert (await service.sessions.describe(JANE, TEZ, kept)).query_count == 1
        # What it used of the budget stays used.
        assert await service.reservations() == ["settled", "settled"]
        await service.sessions.erase(JANE, TEZ, kept)
        with pytest.raises(StopAsyncIteration):
            await waiting

    run(records_address, work, tez)


def test_erased_words_are_in_no_file(tmp_path: Path, tez: Path) -> None:
    async def work(service: Service) -> None:
        session_id = await service.begun()
        await service.asked(session_id, BUDGET)
        await service.sessions.erase(JANE, TEZ, session_id)
        assert BUDGET.encode() not in all_bytes()

    def all_bytes() -> bytes:
        return b"".join(path.read_bytes() for path in tmp_path.glob("records.sqlite*"))

    run(tmp_path / "records.sqlite", work, tez)
