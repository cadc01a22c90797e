"""A session sees what authorizers let its recipient see, at every query anew (Enterprise §3.7)."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from tests.access.worlds import CedarWorld
from tests.conftest import BundleMaker, manifest_of
from tests.session.stand_ins import BUDGET, JANE, NOTES, Service, caller, serving
from tipstaff.access.authorization import Authorization, authorizer_named
from tipstaff.access.kept_decisions import KeptDecisions
from tipstaff.domain.access import AccessType

MEMO = b"The settlement amount for the mill is $912,345.\n"
SETTLEMENT = "What is the settlement amount for the mill?"
BOB = caller("bob@example.com")


class Court:
    """A tez with a memo that Cedar decides about, and sessions over it."""

    def __init__(self, address: str | Path, make_bundle: BundleMaker, tmp_path: Path) -> None:
        self.address, self.time = address, 0.0
        self.world = CedarWorld(tmp_path / "cedar")
        items = {"notes.md": NOTES, "memo.md": MEMO}
        manifest = manifest_of(items)
        manifest["context"]["items"][1]["access"] = self.world.access("memo")
        self.folder = make_bundle(items, manifest=manifest, synthesis=b"# A tez\n")

    def run(self, work: Callable[[Service], Awaitable[None]]) -> None:
        async def serve() -> None:
            decisions = KeptDecisions(
                authorizer=authorizer_named("cedar", self.world.in_force()),
                timeout_s=20,
                keep_s=300,
                now=lambda: self.time,
            )
            authorization = Authorization({AccessType.CEDAR: decisions})
            async with serving(self.address, self.folder, authorization=authorization) as service:
                await work(service)

        asyncio.run(serve())


@pytest.fixture
def court(records_address: str | Path, make_bundle: BundleMaker, tmp_path: Path) -> Court:
    return Court(records_address, make_bundle, tmp_path)


def test_a_session_answers_from_what_its_recipient_may_see(court: Court) -> None:
    court.world.allow(JANE.user, "memo")

    async def work(service: Service) -> None:
        for who, items in ((JANE, ("notes", "memo")), (BOB, ("notes",))):
            session = (await service.sessions.init(who, "small-tez")).session
            assert session.context_items_loaded == items
            envelope = await service.asked(session.session_id, SETTLEMENT, who)
            assert ("$912,345" in envelope.response.text) is (who is JANE)
            assert envelope.context_scope.accessible_item_ids == items

    court.run(work)


def test_a_right_that_is_taken_away_ends_within_a_session(court: Court) -> None:
    court.world.allow(JANE.user, "memo")

    async def work(service: Service) -> None:
        session = await service.begun()
        assert "$912,345" in (await service.asked(session, SETTLEMENT)).response.text
        court.world.forbid(JANE.user, "memo")
        court.time += 10
        after = await service.asked(session, SETTLEMENT)
        assert "$912,345" not in after.response.text
        assert after.context_scope.restricted_items == 1
        assert after.session.query_count == 2
        court.world.allow(JANE.user, "memo")
        court.time += 10
        again = await service.asked(session, SETTLEMENT)
        assert "$912,345" in again.response.text

    court.run(work)


def test_an_authorizer_that_breaks_costs_its_items_and_not_the_session(court: Court) -> None:
    court.world.allow(JANE.user, "memo")

    async def work(service: Service) -> None:
        session = await service.begun()
        await service.asked(session, SETTLEMENT)
        court.world.break_down()
        court.time += 10
        answered = await service.asked(session, BUDGET)
        assert "$500,000" in answered.response.text
        (notice,) = [one for one in answered.notices if one.kind == "reduced_scope"]
        assert "could not be decided" in notice.message
        withheld = await service.asked(session, SETTLEMENT)
        assert "$912,345" not in withheld.response.text

    court.run(work)
