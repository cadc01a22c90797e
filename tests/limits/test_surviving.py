"""Valkey is killed: queries are refused or counted by each instance, and it is always said."""

from __future__ import annotations

import asyncio
import logging

import pytest

from tests.instances.valkey_server import OwnValkey
from tests.limits.test_limiters import asking, name
from tipstaff.errors import RateLimited, UsageError
from tipstaff.instances.valkey import SharedValkey
from tipstaff.limits.scopes import Level, Rates
from tipstaff.limits.surviving import limiter_from
from tipstaff.settings import Settings

RATES: Rates = ((Level.USER, 3), (Level.GLOBAL, 5))


def test_without_valkey_queries_are_refused_by_default(
    mortal_valkey: OwnValkey, caplog: pytest.LogCaptureFixture
) -> None:
    told: list[str] = []

    async def run() -> None:
        valkey = mortal_valkey.connected()
        limiter = limiter_from(Settings(), valkey, told=told.append)
        assert (await limiter.take(asking(), RATES, name=name())).shared
        await asyncio.to_thread(mortal_valkey.stop)
        for _ in range(3):
            with pytest.raises(RateLimited) as caught:
                await limiter.take(asking(), RATES, name=name())
        assert caught.value.uncounted
        assert caught.value.details["retry_after_seconds"] == 5
        await valkey.aclose()

    with caplog.at_level(logging.WARNING, "tipstaff.instances"):
        asyncio.run(run())
    assert told == ["refuse"] * 3
    # Once, not once a query.
    assert [one.levelname for one in caplog.records] == ["ERROR"]


def test_degraded_limits_go_on_from_what_this_instance_has_let_in(
    mortal_valkey: OwnValkey, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []
    monkeypatch.setattr("tipstaff.instances.valkey._PAUSE_S", 0.0)

    async def run() -> None:
        valkey = mortal_valkey.connected()
        limiter = limiter_from(Settings(valkey_lost="degrade"), valkey, told=told.append)
        assert (await limiter.take(asking(), RATES, name=name())).shared
        await asyncio.to_thread(mortal_valkey.stop)
        assert [(await limiter.take(asking(), RATES, name=name())).shared for _ in range(2)] == [
            False,
            False,
        ]
        with pytest.raises(RateLimited, match=r"^User rate"):
            await limiter.take(asking(), RATES, name=name())
        assert not (await limiter.look(asking(), RATES)).shared
        await asyncio.to_thread(mortal_valkey.start)
        # It comes back empty and is believed again.
        assert (await limiter.take(asking(), RATES, name=name())).shared
        await valkey.aclose()

    with caplog.at_level(logging.WARNING, "tipstaff.instances"):
        asyncio.run(run())
    assert told == ["degrade"] * 3
    assert [one.levelname for one in caplog.records] == ["ERROR", "WARNING"]


def test_an_address_that_is_none_is_told_at_the_start() -> None:
    with pytest.raises(UsageError, match="valkey_url is no address"):
        SharedValkey.from_settings(Settings(valkey_url="localhost:6379"))
