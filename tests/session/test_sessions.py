"""TIP §8: the phases of a session, its state, and whom it exists for."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.session.stand_ins import (
    BUDGET,
    FUND,
    JANE,
    TEZ,
    Address,
    Service,
    caller,
    leaned,
    names,
    run,
)
from tipstaff.domain.wire import to_wire
from tipstaff.errors import (
    NotFound,
    SessionExpired,
)


def test_a_session_goes_through_its_phases(records_address: Address, tez: Path) -> None:
    async def work(service: Service) -> None:
        opened = await service.sessions.init(JANE, TEZ)
        session = opened.session
        assert (session.tez_id, session.tez_version, session.status) == (TEZ, 1, "active")
        assert session.context_items_loaded == ("notes",)
        assert opened.limits.session_timeout_minutes == 60
        first = await service.asked(session.session_id, BUDGET)
        assert "$500,000" in first.response.text
        second = await service.asked(session.session_id, "And for training?")
        assert "$20,000" in second.response.text
        assert leaned(second)
        assert second.session.query_count == 2
        assert second.session.session_id == session.session_id
        closed = await service.sessions.close(JANE, TEZ, session.session_id)
        assert closed.summary.query_count == 2
        with pytest.raises(SessionExpired):
            await service.asked(session.session_id, FUND)
        events = await service.log(session.session_id)
        assert [event.number for event in events] == list(range(1, len(events) + 1))
        told = [name for name in names(events) if name not in ("retrieval.chunk", "token")]
        query = ["retrieval.start", "citation", "response.end"]
        assert told == ["session.start", "context.loaded", *query, *query, "session.end"]

    run(records_address, work, tez)


def test_the_state_of_a_session_has_the_fields_of_the_specification(
    records_address: Address, tez: Path
) -> None:
    async def work(service: Service) -> None:
        session_id = await service.begun()
        await service.asked(session_id, BUDGET)
        state = to_wire(await service.sessions.describe(JANE, TEZ, session_id))
        assert set(state) == {
            "session_id",
            "tez_id",
            "tez_version",
            "initiated_at",
            "last_activity_at",
            "status",
            "query_count",
            "total_input_tokens",
            "total_output_tokens",
            "conversation_history",
            "context_items_loaded",
            "model",
            "errors",
        }
        asked, said = state["conversation_history"]
        assert asked == {"role": "user", "content": BUDGET, "timestamp": "2025-10-09T08:53:20Z"}
        assert set(said) == {*asked, "classification", "confidence", "citations"}
        assert said["citations"]
        assert (state["query_count"], state["errors"]) == (1, [])
        assert state["total_input_tokens"] > 0 < state["total_output_tokens"]

    run(records_address, work, tez)


def test_a_close_has_the_summary_of_the_specification(records_address: Address, tez: Path) -> None:
    async def work(service: Service) -> None:
        session_id = await service.begun()
        for query in (BUDGET, FUND, "What is the share price of Meridian?"):
            await service.asked(session_id, query)
        service.clock.passes(minutes=23)
        closed = await service.sessions.close(JANE, TEZ, session_id)
        wire = to_wire(closed)
        summary = wire["summary"]
        tokens = (summary.pop("total_input_tokens"), summary.pop("total_output_tokens"))
        assert min(tokens) > 0
        assert wire == {
            "session_id": session_id,
            "closed_at": "2025-10-09T09:16:20Z",
            "summary": {
                "query_count": 3,
                "duration_minutes": 23,
                "classifications": {"grounded": 2, "inferred": 0, "partial": 0, "abstention": 1},
                "unique_items_cited": 1,
                "most_cited_item": "notes",
            },
        }
        service.clock.passes(hours=1)
        assert await service.sessions.close(JANE, TEZ, session_id) == closed

    run(records_address, work, tez)


def test_a_session_exists_for_nobody_else(records_address: Address, tez: Path) -> None:
    others = (caller("joe@example.com"), caller(tenant="other"))

    async def work(service: Service) -> None:
        service.tezits.folders["second"] = service.tezits.folders[TEZ]
        session_id = await service.begun()
        await service.asked(session_id, BUDGET)
        sessions = service.sessions
        tries = [(other, TEZ, session_id) for other in others]
        tries += [(JANE, "second", session_id), (JANE, TEZ, "tip-sess-none")]
        told = set()
        for who, tez_id, name in tries:
            for attempt in (
                sessions.ask(who, tez_id, name, FUND),
                sessions.describe(who, tez_id, name),
                sessions.close(who, tez_id, name),
                sessions.resume(who, tez_id, name),
                sessions.rename(who, tez_id, name, "mine"),
                sessions.erase(who, tez_id, name),
                anext(sessions.follow(who, tez_id, name)),
            ):
                with pytest.raises(NotFound) as refused:
                    await attempt
                if who.tenant == JANE.tenant:
                    told.add(str(refused.value.to_wire()))
        assert len(told) == 1
        assert await sessions.list(others[0], TEZ) == []
        assert await sessions.erase_all(others[0]) == 0
        assert (await sessions.describe(JANE, TEZ, session_id)).query_count == 1

    run(records_address, work, tez)


def test_sessions_of_one_recipient_know_nothing_of_each_other(
    records_address: Address, tez: Path
) -> None:
    async def work(service: Service) -> None:
        one, other = await service.begun(), await service.begun()
        leaning = "And for training?"
        await service.asked(one, BUDGET)
        assert not leaned(await service.asked(other, leaning))
        assert leaned(await service.asked(one, leaning))
        assert not {BUDGET} & {
            said.content
            for said in (await service.sessions.describe(JANE, TEZ, other)).conversation_history
        }
        await service.sessions.close(JANE, TEZ, one)
        fresh = await service.begun()
        assert not leaned(await service.asked(fresh, leaning))

    run(records_address, work, tez)


def test_a_session_keeps_the_name_that_it_was_given(records_address: Address, tez: Path) -> None:
    async def work(service: Service) -> None:
        session_id = await service.begun()
        await service.sessions.rename(JANE, TEZ, session_id, "Budget talk")
        await service.asked(session_id, BUDGET)
        (entry,) = await service.sessions.list(JANE, TEZ)
        assert (entry.title, entry.session.query_count) == ("Budget talk", 1)

    run(records_address, work, tez)
