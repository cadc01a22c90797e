"""TIP §8: the phases of a session, its state, and whom it exists for."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, select

from tests.conftest import BundleMaker, manifest_of
from tests.hostile.test_limits import REGISTER, THINGS
from tests.session.stand_ins import (
    BUDGET,
    FAILS,
    FUND,
    HANGS,
    JANE,
    NOTES,
    TEZ,
    Clock,
    Service,
    caller,
    data,
    names,
    scripted,
    serving,
    until,
)
from tipstaff.domain.response import ResponseEnvelope
from tipstaff.domain.session import SessionStatus
from tipstaff.domain.wire import to_wire
from tipstaff.errors import (
    AuthorizationDenied,
    BudgetExhausted,
    BundleUnusable,
    ContextPartlyLoaded,
    GenerationFailed,
    MalformedQuery,
    NotFound,
    RateLimited,
    SessionExpired,
    TezUpdated,
)
from tipstaff.hosting.consent import Consent, LoggingScope
from tipstaff.reading import ReadBundle, read_bundle
from tipstaff.records.tables import ASKED, EVENT, EXCHANGE, LOGGED_QUERY, SESSION

Address = str | Path


def run(
    address: Address,
    work: Callable[[Service], Coroutine[Any, Any, None]],
    *folders: Path,
    **also: Any,
) -> None:
    async def serve() -> None:
        async with serving(address, *folders, **also) as service:
            await work(service)

    asyncio.run(serve())


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


def leaned(answer: ResponseEnvelope) -> bool:
    """Whether a query was understood by the one before it."""
    return "follow_up" in {str(notice.kind) for notice in answer.notices}


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


def test_a_tez_that_may_not_be_interrogated_is_not(
    records_address: Address, make_bundle: BundleMaker
) -> None:
    items = {"notes.md": NOTES}
    closed = make_bundle(items, manifest=manifest_of(items, permissions={"interrogate": False}))

    async def work(service: Service) -> None:
        with pytest.raises(AuthorizationDenied):
            await service.sessions.init(JANE, TEZ)

    run(records_address, work, closed)


def test_a_session_keeps_the_name_that_it_was_given(records_address: Address, tez: Path) -> None:
    async def work(service: Service) -> None:
        session_id = await service.begun()
        await service.sessions.rename(JANE, TEZ, session_id, "Budget talk")
        await service.asked(session_id, BUDGET)
        (entry,) = await service.sessions.list(JANE, TEZ)
        assert (entry.title, entry.session.query_count) == ("Budget talk", 1)

    run(records_address, work, tez)


def test_items_that_failed_are_told_and_the_recipient_may_go_on(
    records_address: Address, make_bundle: BundleMaker
) -> None:
    items = {"notes.md": NOTES, "lost.md": b"Gone.\n"}
    folder = make_bundle(items)
    (folder / "context" / "lost.md").unlink()

    async def work(service: Service) -> None:
        with pytest.raises(ContextPartlyLoaded) as refused:
            await service.sessions.init(JANE, TEZ)
        (failed,) = refused.value.details["failed_items"]
        assert failed["item_id"] == "lost"
        assert failed["reason"]
        assert refused.value.details["available_items"] == ["notes"]
        opened = await service.sessions.init(JANE, TEZ, proceed_with_partial=True)
        assert [str(notice.kind) for notice in opened.warnings] == ["degraded_context"]
        assert opened.session.errors == ("context_loading_partial_failure",)
        told = await service.asked(opened.session.session_id, FUND)
        assert "degraded_context" in {str(notice.kind) for notice in told.notices}

    run(records_address, work, folder)


def test_an_item_that_cannot_be_read_is_told_of_and_read_once_only(
    tmp_path: Path, make_bundle: BundleMaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = make_bundle({"notes.md": NOTES, "broken.pdf": b"%PDF-1.7\nnot at all"})
    reads: list[object] = []

    def counted(*words: Any, **named: Any) -> ReadBundle:
        reads.append(named["only"])
        return read_bundle(*words, **named)

    async def work(service: Service) -> None:
        for _ in range(3):
            with pytest.raises(ContextPartlyLoaded) as refused:
                await service.sessions.init(JANE, TEZ)
            (failed,) = refused.value.details["failed_items"]
            assert failed["item_id"] == "broken"
            assert failed["reason"]

    monkeypatch.setattr("tipstaff.session.opening.read_bundle", counted)
    run(tmp_path / "records.sqlite", work, folder)
    assert reads == [{"broken"}]


def test_nothing_that_can_be_loaded_is_a_total_failure(
    tmp_path: Path, make_bundle: BundleMaker
) -> None:
    folder = make_bundle()
    (folder / "context" / "notes.md").unlink()

    async def work(service: Service) -> None:
        for proceed in (False, True):
            with pytest.raises(BundleUnusable):
                await service.sessions.init(JANE, TEZ, proceed_with_partial=proceed)

    run(tmp_path / "records.sqlite", work, folder)


def test_an_item_that_the_recipient_may_not_see_is_not_told_of_when_it_fails(
    records_address: Address, make_bundle: BundleMaker
) -> None:
    items = {"notes.md": NOTES, "lost.md": b"Gone.\n"}
    manifest = manifest_of(items)
    manifest["context"]["items"][1]["access"] = {
        "type": "restricted",
        "allowed": ["user:joe@example.com"],
    }
    folder = make_bundle(items, manifest=manifest)
    (folder / "context" / "lost.md").unlink()

    async def work(service: Service) -> None:
        assert (await service.sessions.init(JANE, TEZ)).warnings == ()

    run(records_address, work, folder)


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
        for run, part in zip((one, two), parts, strict=True):
            assert names(part)[-1] == "response.end"
            assert {event.query_id for event in part} <= {run.query_id, ""}
            end = data(part[-1])
            assert end["envelope"]["query_id"] == run.query_id
            # Whoever comes back behind the end has missed nothing, and does not wait.
            assert await service.log(session_id, after=part[-1].number, query_id=run.query_id) == []

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
        for run in (hanging, waiting):
            with pytest.raises(GenerationFailed, match="closed"):
                await run.envelope()
        # The first had said something, and was left by the one who read it.
        assert await service.reservations() == ["returned", "settled"]
        ends = names([*await service.log(session_id), *await service.log(session_id, after=2)])
        assert ends[-3:] == ["error", "error", "session.end"]

    run(records_address, work, tez, model=scripted(tmp_path))


def test_a_history_beyond_its_limit_is_not_leaned_on_and_said_to_be_short(
    records_address: Address, tez: Path
) -> None:
    async def work(service: Service) -> None:
        session_id = await service.begun()
        kinds = []
        for _ in range(4):
            told = await service.asked(session_id, FUND)
            kinds.append("history_truncated" in {str(notice.kind) for notice in told.notices})
        assert kinds == [False, False, False, True]
        state = await service.sessions.describe(JANE, TEZ, session_id)
        assert len(state.conversation_history) == 8

    run(records_address, work, tez, history_exchanges=2)


def test_what_is_not_in_memory_is_made_again_from_the_records(
    records_address: Address, tez: Path
) -> None:
    async def work(service: Service) -> None:
        one, other = await service.begun(), await service.begun()
        await service.asked(one, BUDGET)
        await service.asked(other, FUND)
        follow_up = await service.asked(one, "And for training?")
        assert "$20,000" in follow_up.response.text
        assert leaned(follow_up)
        assert follow_up.session.query_count == 2
        assert len(service.sessions._interrogations) == 1

    run(records_address, work, tez, sessions_in_memory=1)


def test_what_a_session_was_shown_counts_after_a_restart_too(
    tmp_path: Path, make_bundle: BundleMaker
) -> None:
    """TIP §13.3: a recipient cannot wait for a server to forget."""
    folder = make_bundle({"register.md": REGISTER}, synthesis=b"# Findings\n\nNone.\n")
    begun: list[str] = []
    told: list[bool] = []

    async def work(service: Service) -> None:
        begun.append(begun[0] if begun else await service.begun())
        for thing in THINGS[len(told) : len(told) + 5]:
            answer = await service.asked(begun[0], f"When was the {thing} bought?")
            told.append(bool(answer.response.claims))

    for _ in range(2):
        run(tmp_path / "records.sqlite", work, folder, max_item_percent="20")
    assert told[0]
    assert not told[-1]
    assert told == sorted(told, reverse=True)


def test_a_restarted_server_goes_on_where_the_session_was(
    records_address: Address, tez: Path
) -> None:
    clock = Clock()
    begun: list[str] = []

    async def before(service: Service) -> None:
        begun.append(await service.begun())
        await service.asked(begun[0], BUDGET)

    async def behind(service: Service) -> None:
        told = await service.asked(begun[0], "And for training?")
        assert "$20,000" in told.response.text
        assert leaned(told)
        assert told.session.query_count == 2
        numbers = [event.number for event in await service.log(begun[0])]
        assert numbers == list(range(1, len(numbers) + 1))

    run(records_address, before, tez, clock=clock)
    run(records_address, behind, tez, clock=clock)


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
