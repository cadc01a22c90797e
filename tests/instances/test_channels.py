"""Instances hear each other, and when they cannot, everybody looks again."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from tests.instances.valkey_server import OwnValkey
from tipstaff.instances.announcements import Announcement, Announcements, Kind, announce
from tipstaff.instances.channels import Channels
from tipstaff.instances.valkey import ValkeyLost
from tipstaff.settings import Settings


@asynccontextmanager
async def connected(valkey: OwnValkey, prefix: str) -> AsyncIterator[Channels]:
    connection = valkey.connected(prefix)
    channels = Channels(connection)
    await channels.start()
    try:
        yield channels
    finally:
        await channels.aclose()
        await connection.aclose()


class Heard:
    """What came, and a way to wait for more of it."""

    def __init__(self) -> None:
        self.all: list[bytes | None] = []
        self._more = asyncio.Event()

    def __call__(self, message: bytes | None) -> None:
        self.all.append(message)
        self._more.set()

    async def until(self, message: bytes | None, times: int = 1) -> None:
        """To be told to look again (None) once more than needed is no harm."""
        async with asyncio.timeout(20):
            while self.all.count(message) < times:
                self._more.clear()
                await self._more.wait()

    @property
    def messages(self) -> list[bytes]:
        return [one for one in self.all if one is not None]


def test_others_hear_what_is_told_and_whoever_tells_it_does_not(valkey: OwnValkey) -> None:
    async def run() -> None:
        async with connected(valkey, "a") as one, connected(valkey, "a") as two:
            here, there, elsewhere = Heard(), Heard(), Heard()
            with one.hearing("x", here), two.hearing("x", there), two.hearing("y", elsewhere):
                # That a channel is open is told, too: what came before is in the database.
                for heard in (here, there, elsewhere):
                    await heard.until(None)
                await one.tell(["x"], b"hello")
                await there.until(b"hello")
                await two.tell(["x"], b"and you")
                await here.until(b"and you")
                assert here.messages == [b"and you"]
                assert there.messages == [b"hello"]
                assert not elsewhere.messages

    asyncio.run(run())


def test_who_no_longer_listens_hears_nothing_and_may_listen_again(valkey: OwnValkey) -> None:
    async def run() -> None:
        async with connected(valkey, "b") as one, connected(valkey, "b") as two:
            for number in range(20):
                heard, also = Heard(), Heard()
                with two.hearing("x", heard):
                    await heard.until(None)
                    with two.hearing("x", also):
                        await one.tell(["x"], b"%d" % number)
                        await heard.until(b"%d" % number)
                        assert also.messages == [b"%d" % number]
                assert heard.messages == [b"%d" % number]

    asyncio.run(run())


def test_behind_a_lost_valkey_everybody_looks_again_and_hears_again(
    mortal_valkey: OwnValkey,
) -> None:
    async def run() -> None:
        async with connected(mortal_valkey, "c") as one, connected(mortal_valkey, "c") as two:
            heard = Heard()
            with two.hearing("x", heard):
                await heard.until(None)
                await asyncio.to_thread(mortal_valkey.stop)
                # Once because it is gone…
                await heard.until(None, 2)
                assert not two.is_connected
                # …to tell something meanwhile is no error…
                await one.tell(["x"], b"lost")
                await asyncio.to_thread(mortal_valkey.start)
                # …and once because it is back.
                await heard.until(None, 3)
                async with asyncio.timeout(20):
                    while b"found" not in heard.all:
                        await one.tell(["x"], b"found")
                        await asyncio.sleep(0.05)
                assert b"lost" not in heard.all

    asyncio.run(run())


def test_an_announcement_reaches_every_instance_and_the_one_that_makes_it(
    valkey: OwnValkey,
) -> None:
    async def run() -> None:
        async with connected(valkey, "d") as one, connected(valkey, "d") as two:
            told: list[list[Announcement | None]] = [[], []]
            made = [Announcements(one), Announcements(two)]
            for announcements, list_ in zip(made, told, strict=True):
                announcements.on(Kind.WITHDRAWN, list_.append)
            async with asyncio.timeout(20):
                while not (told[0] and told[1]):  # noqa: ASYNC110 (no event to wait for)
                    await asyncio.sleep(0.01)
            assert told == [[None], [None]]
            await made[0].tell(Kind.WITHDRAWN, tenant="acme", name="tez-1")
            await made[0].tell(Kind.REVOKED, tenant="acme", name="tok-1")
            # A command, which is no instance itself.
            settings = Settings(valkey_url=valkey.url, valkey_prefix="d")
            await announce(settings, Kind.WITHDRAWN, tenant="acme", name="tez-2")
            async with asyncio.timeout(20):
                while not (len(told[0]) == len(told[1]) == 3):  # noqa: ASYNC110
                    await asyncio.sleep(0.01)
            names = [[one.name for one in list_ if one is not None] for list_ in told]
            assert names == [["tez-1", "tez-2"]] * 2

    asyncio.run(run())


def test_behind_the_end_nothing_is_asked(valkey: OwnValkey) -> None:
    async def work() -> None:
        connection = valkey.connected("ended")
        assert await connection.ask(lambda client: client.ping())
        await connection.aclose()
        with pytest.raises(ValkeyLost):
            await connection.ask(lambda client: client.ping())

    asyncio.run(work())
