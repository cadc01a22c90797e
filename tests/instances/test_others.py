"""What a server makes of its settings: alone, or one of several that forget and let go together."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

import pytest

from tests.access.test_kept_decisions import MEMO, Scripted
from tests.instances.valkey_server import OwnValkey
from tipstaff.access.authorization import Authorization
from tipstaff.access.authorizer import DENIED
from tipstaff.access.kept_decisions import KeptDecisions
from tipstaff.domain.access import AccessType
from tipstaff.instances.announcements import Kind
from tipstaff.limits.memory import MemoryLimiter
from tipstaff.serve.others import instances
from tipstaff.settings import Settings


class Tezits:
    """Remembers what it was told to let go of."""

    def __init__(self) -> None:
        self.gone: list[tuple[str, str]] = []

    def let_go(self, tenant: str, tez_id: str) -> None:
        self.gone.append((tenant, tez_id))


class Bound:
    """One instance's memory: decisions of an authorizer, open tezits."""

    def __init__(self, others: Any) -> None:
        self.authorizer = Scripted()
        self.kept = KeptDecisions(authorizer=self.authorizer, timeout_s=5, keep_s=300)
        self.tezits = Tezits()
        authorization = Authorization({AccessType.FGA: self.kept})
        others.bind(authorization=authorization, tezits=self.tezits)

    async def decided(self) -> str:
        return str((await self.kept.check((MEMO,)))[0].outcome)


def test_what_one_instance_is_told_has_changed_every_instance_decides_anew(
    valkey: OwnValkey,
) -> None:
    """Enterprise §3.7: within 10 seconds. The change token is the same as before: only the
    announcement tells."""
    settings = Settings(valkey_url=valkey.url, valkey_prefix="others")

    async def run() -> None:
        async with (
            instances(settings, shared_records=True) as one,
            instances(settings, shared_records=True) as two,
        ):
            here, there = Bound(one), Bound(two)
            async with asyncio.timeout(20):
                while not there.tezits.gone:
                    # Heard as soon as the other one listens.
                    await one.announcements.tell(Kind.WITHDRAWN, tenant="acme", name="tez-1")
                    await asyncio.sleep(0.05)
            assert set(here.tezits.gone) == set(there.tezits.gone) == {("acme", "tez-1")}
            assert [await here.decided(), await there.decided()] == ["allowed", "allowed"]
            for bound in (here, there):
                bound.authorizer.answer = DENIED
            assert [await here.decided(), await there.decided()] == ["allowed", "allowed"]
            await one.announcements.tell(Kind.ACCESS_CHANGED, tenant=MEMO.tenant)
            async with asyncio.timeout(10):
                for bound in (here, there):
                    while await bound.decided() != "denied":  # noqa: ASYNC110 (no event)
                        await asyncio.sleep(0.01)

    asyncio.run(run())


@pytest.mark.parametrize("shared_records", [True, False])
def test_an_instance_that_shares_a_database_and_no_valkey_says_so(
    caplog: pytest.LogCaptureFixture, shared_records: bool
) -> None:
    async def run() -> None:
        async with instances(Settings(), shared_records=shared_records) as alone:
            assert isinstance(alone.limiter, MemoryLimiter)
            assert alone.signals is None

    with caplog.at_level(logging.WARNING, "tipstaff.serve"):
        asyncio.run(run())
    assert [one.message for one in caplog.records] == ["instance_alone"] * shared_records
