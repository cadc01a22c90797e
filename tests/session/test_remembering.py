"""TIP §8.1.4, §8.4: what a session leans on, in memory or made again from the records."""

from __future__ import annotations

from pathlib import Path

from tests.conftest import BundleMaker
from tests.hostile.test_limits import REGISTER, THINGS
from tests.session.stand_ins import (
    BUDGET,
    FUND,
    JANE,
    TEZ,
    Address,
    Clock,
    Service,
    leaned,
    run,
)


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
