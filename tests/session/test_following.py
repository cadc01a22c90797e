"""Enterprise §2.5: whoever comes back gets every event, once and in order."""

from __future__ import annotations

import asyncio
import json
import random
import tempfile
from contextlib import aclosing
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import insert, update

from tests.session.stand_ins import (
    FUND,
    HANGS,
    JANE,
    TEZ,
    Clock,
    data,
    names,
    scripted,
    serving,
    until,
)
from tipstaff.domain.events import Heartbeat
from tipstaff.errors import GenerationFailed
from tipstaff.records.database import Records, open_records
from tipstaff.records.tables import SESSION
from tipstaff.session.event_log import PAGE, SESSION_END, EventLog, LoggedEvent, NewEvent, write
from tipstaff.session.following import Followers
from tipstaff.session.presence import Presence
from tipstaff.session.signals import LocalSignals, SessionKey

KEY = SessionKey("acme", "tip-sess-1")
Address = str | Path


async def with_session(records: Records) -> None:
    async with records.writing(KEY.tenant) as connection:
        await connection.execute(
            insert(SESSION).values(
                tenant=KEY.tenant,
                session_id=KEY.session_id,
                user=JANE.user,
                tez_id=TEZ,
                tez_version=1,
                status="active",
                model="extractive",
                initiated_at=0.0,
                last_activity_at=0.0,
                facts={},
            )
        )


async def ended(records: Records, signals: LocalSignals) -> None:
    async with records.writing(KEY.tenant) as connection:
        await write(connection, KEY, [NewEvent(name=SESSION_END, data=b"{}")])
        await connection.execute(update(SESSION).values(status="closed"))
    await signals.tell((KEY,))


def followers(records: Records, log: EventLog, signals: LocalSignals) -> Followers:
    presence = Presence(grace_s=60)
    return Followers(
        records=records, log=log, signals=signals, presence=presence, idle_timeout_s=60
    )


async def read_with_stops(reading: Followers, stops: list[int]) -> list[LoggedEvent]:
    """A reader whose connection breaks after so many events each, and who comes back."""
    seen: list[LoggedEvent] = []
    for stop in [*stops, -1]:
        after = seen[-1].number if seen else 0
        events = reading.follow(KEY, after=after, query_id=None, heartbeat_s=60)
        got = 0
        async with aclosing(events):
            while got != stop:
                event = await anext(events, None)
                if event is None:
                    return seen
                assert isinstance(event, LoggedEvent)
                seen.append(event)
                got += 1
    return seen


async def written_and_read(
    address: Address, batches: list[int], readers: list[list[int]]
) -> list[list[LoggedEvent]]:
    """Two servers write one log, while readers of both come and go."""
    one, two = await open_records(address), await open_records(address)
    signals = LocalSignals()
    logs = (EventLog(one, signals), EventLog(two, signals))
    try:
        await with_session(one)
        served = [
            followers(records, log, signals) for records, log in zip((one, two), logs, strict=True)
        ]
        reading = [
            asyncio.ensure_future(read_with_stops(served[number % 2], stops))
            for number, stops in enumerate(readers)
        ]
        waiting = []
        for number, count in enumerate(batches):
            events = [NewEvent(name="tip.token", data=b"%d/%d" % (number, n)) for n in range(count)]
            waiting.append(logs[number % 2].append(KEY, events))
            if number % 3 == 0:
                await waiting[-1]
        await asyncio.gather(*waiting)
        await ended(one, signals)
        return list(await asyncio.gather(*reading))
    finally:
        for log in logs:
            await log.aclose()
        await one.aclose()
        await two.aclose()


def assert_complete(seen: list[list[LoggedEvent]], batches: list[int]) -> None:
    total = sum(batches) + 1
    for events in seen:
        assert [event.number for event in events] == list(range(1, total + 1))
        assert events == seen[0]
    told = [event.data for event in seen[0][:-1]]
    assert sorted(told) == sorted(
        b"%d/%d" % (b, n) for b, c in enumerate(batches) for n in range(c)
    )
    for server in (0, 1):
        # What one server appended stands in the order in which it did.
        own = [tuple(map(int, one.split(b"/"))) for one in told]
        own = [one for one in own if one[0] % 2 == server]
        assert own == sorted(own)


@settings(max_examples=40)
@given(
    batches=st.lists(st.integers(1, 30), max_size=12),
    readers=st.lists(st.lists(st.integers(0, 25), max_size=8), min_size=1, max_size=5),
)
def test_readers_who_come_and_go_see_every_event_once_and_in_order(
    batches: list[int], readers: list[list[int]]
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        address = Path(folder) / "records.sqlite"
        assert_complete(asyncio.run(written_and_read(address, batches, readers)), batches)


def test_a_log_of_many_pages_is_read_in_one_go_and_in_pieces(records_address: Address) -> None:
    chance = random.Random(7)  # noqa: S311
    batches = [chance.randint(1, 90) for _ in range(40)]
    assert sum(batches) > 3 * PAGE
    readers = [[], [PAGE, PAGE], [chance.randint(0, 40) for _ in range(60)]]
    seen = asyncio.run(written_and_read(records_address, batches, readers))
    assert_complete(seen, batches)


def test_a_reader_holds_no_more_than_a_page(
    records_address: Address, monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes: list[int] = []
    page = EventLog.page

    async def counted(self: EventLog, *words: object, **named: object) -> list[LoggedEvent]:
        found = await page(self, *words, **named)  # type: ignore[arg-type]
        sizes.append(len(found))
        return found

    monkeypatch.setattr(EventLog, "page", counted)
    asyncio.run(written_and_read(records_address, [1_300], [[]]))
    assert max(sizes) == PAGE


def test_events_that_come_up_together_are_written_in_one_transaction(tmp_path: Path) -> None:
    async def work() -> int:
        records = await open_records(tmp_path / "records.sqlite")
        log, groups = EventLog(records, LocalSignals()), 0
        write = log._write_group

        async def counted(group: object) -> None:
            nonlocal groups
            groups += 1
            await write(group)  # type: ignore[arg-type]

        log._write_group = counted  # type: ignore[method-assign]
        await with_session(records)
        events = [NewEvent(name="tip.token", data=b"{}")]
        await asyncio.gather(*(log.append(KEY, events) for _ in range(200)))
        await records.aclose()
        return groups

    assert asyncio.run(work()) == 1


def test_a_silent_stream_beats_and_is_closed_when_it_stays_silent(
    records_address: Address, tez: Path
) -> None:
    async def work() -> list[object]:
        async with serving(records_address, tez, idle_timeout_s=0.2) as service:
            session_id = await service.begun()
            events = service.sessions.follow(JANE, TEZ, session_id, after=2, heartbeat_s=0.05)
            return [event async for event in events]

    beats = asyncio.run(work())
    assert beats
    assert all(isinstance(beat, Heartbeat) for beat in beats)


def test_a_query_that_nobody_listens_to_is_cancelled(
    records_address: Address, tez: Path, tmp_path: Path
) -> None:
    async def work() -> None:
        model = scripted(tmp_path)
        # Long enough for a busy machine to begin to listen at all.
        async with serving(records_address, tez, model=model, disconnect_grace_s=1.0) as service:
            session_id = await service.begun()
            run = await service.sessions.ask(JANE, TEZ, session_id, HANGS)
            events = service.sessions.follow(JANE, TEZ, session_id, query_id=run.query_id)
            async with aclosing(events):
                seen = await until(events, "tip.token")
            await run.ended()
            with pytest.raises(GenerationFailed, match="nobody was listening"):
                await run.envelope()
            # Words were read: to leave before the end is no way around a budget.
            assert await service.reservations() == ["settled"]
            missed = await service.log(session_id, after=seen[-1].number)
            assert names(missed)[-1] == "error"
            assert data(missed[-1])["recoverable"]

    asyncio.run(work())


def test_a_query_that_is_left_before_its_first_word_costs_nothing(
    records_address: Address, tez: Path, tmp_path: Path
) -> None:
    async def work() -> None:
        script = tmp_path / "silent.json"
        script.write_text(json.dumps([{"delay_ms": 3_600_000}]), encoding="utf-8")
        model = f"scripted:{script}"
        async with serving(records_address, tez, model=model, disconnect_grace_s=0.05) as service:
            session_id = await service.begun()
            run = await service.sessions.ask(JANE, TEZ, session_id, FUND)
            await run.ended()
            assert await service.reservations() == ["returned"]

    asyncio.run(work())


def test_a_reader_who_comes_back_in_time_misses_nothing(
    records_address: Address, tez: Path, tmp_path: Path
) -> None:
    async def work() -> None:
        slow = {
            "Please wait": [
                "The budget for the sky fund is $77,000 [[notes:L1]]. And ",
                {"delay_ms": 100},
                "that is that.",
            ]
        }
        model = scripted(tmp_path, slow)
        async with serving(records_address, tez, model=model, disconnect_grace_s=30) as service:
            session_id = await service.begun()
            query = "Please wait: what is the budget for the sky fund?"
            run = await service.sessions.ask(JANE, TEZ, session_id, query)
            events = service.sessions.follow(JANE, TEZ, session_id, query_id=run.query_id)
            async with aclosing(events):
                seen = await until(events, "tip.token")
            again = service.sessions.follow(
                JANE, TEZ, session_id, query_id=run.query_id, after=seen[-1].number
            )
            seen += [event async for event in again if isinstance(event, LoggedEvent)]
            assert [event.number for event in seen] == list(range(1, len(seen) + 1))
            said = "".join(data(event)["delta"] for event in seen if event.name == "tip.token")
            assert said == data(seen[-1])["envelope"]["response"]["text"]

    asyncio.run(work())


def test_a_server_that_restarts_in_mid_answer_ends_it_for_the_reader_who_comes_back(
    records_address: Address, tez: Path, tmp_path: Path
) -> None:
    async def work() -> None:
        model, clock = scripted(tmp_path), Clock()
        async with serving(records_address, tez, model=model, clock=clock) as killed:
            session_id = await killed.begun()
            await killed.asked(session_id, FUND)
            run = await killed.sessions.ask(JANE, TEZ, session_id, HANGS)
            events = killed.sessions.follow(
                JANE, TEZ, session_id, query_id=run.query_id, after=run.first_event - 1
            )
            async with aclosing(events):
                seen = await until(events, "tip.token")
            # The other server takes it for dead: a shared database makes it wait for that.
            later = Clock(clock() + 600)
            async with serving(records_address, tez, model=model, clock=later) as second:
                (*_, error) = rest = await second.part_from(session_id, run, seen[-1].number)
                assert error.name == "tip.error"
                assert data(error)["recoverable"]
                assert rest[0].number == seen[-1].number + 1
                assert await second.reservations() == ["returned", "settled"]
                told = await second.asked(session_id, FUND)
                assert told.session.query_count == 2
                before = await second.log(session_id)
                # What the first one does from now on changes nothing.
                await killed.sessions.stop(0)
                assert await second.log(session_id) == before
                assert await second.reservations() == ["returned", "settled", "settled"]

    asyncio.run(work())
