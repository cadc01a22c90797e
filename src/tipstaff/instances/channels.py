"""What instances tell each other, by Valkey's channels.

A message may be lost (Valkey restarts, a connection breaks), so it never says more than "look
again": whoever hears one reads the database, and looks again by itself every few seconds. Behind a
broken connection everybody is told once more, since nobody knows what was missed.
"""

from __future__ import annotations

import asyncio
import logging
import uuid
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from tipstaff.instances.valkey import SharedValkey, ValkeyLost

_LOG = logging.getLogger("tipstaff.instances")
_AGAIN_S = 0.5
# A connection that says nothing for so long is asked whether it still lives.
_SILENCE_S = 5.0
_OWN_BYTES = 16
# Heard by every instance; those of sessions are heard where somebody waits.
EVERYBODY = "everybody"

# Called with the message, or with None: something may have been missed.
Heard = Callable[[bytes | None], None]


class Channels:
    def __init__(self, valkey: SharedValkey) -> None:
        self._valkey = valkey
        self._own = uuid.uuid4().bytes
        self._heard: dict[str, list[Heard]] = {}
        self._pubsub: Any = None
        self._listening: asyncio.Task[None] | None = None
        self._changes: set[asyncio.Task[None]] = set()
        self._asked_whether_it_lives = False
        self.is_connected = False

    async def start(self) -> None:
        self._listening = asyncio.create_task(self._listen())

    async def aclose(self) -> None:
        self.is_connected = False
        tasks = [one for one in (self._listening, *self._changes) if one is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    @contextmanager
    def hearing(self, name: str, heard: Heard) -> Iterator[None]:
        """What others tell under a name. `heard` is called at once when the channel is really
        open: what was told before that is in the database."""
        self._heard.setdefault(name, []).append(heard)
        if len(self._heard[name]) == 1:
            self._change(name)
        try:
            yield
        finally:
            self._heard[name].remove(heard)
            if not self._heard[name]:
                del self._heard[name]
                self._change(name)

    async def tell(self, names: Iterable[str], message: bytes = b"") -> None:
        """Others, not ourselves. That Valkey is lost is no reason to fail: others look again."""
        content = self._own + message

        async def publish(client: Any) -> None:
            async with client.pipeline(transaction=False) as together:
                for name in names:
                    together.publish(self._valkey.named("channel", name), content)
                await together.execute()

        with suppress(ValkeyLost):
            await self._valkey.ask(publish)

    def _change(self, name: str) -> None:
        if self._pubsub is not None and self.is_connected:
            task = asyncio.create_task(self._subscribed_as_wanted(name))
            self._changes.add(task)
            task.add_done_callback(self._changes.discard)

    async def _subscribed_as_wanted(self, name: str) -> None:
        """By what is wanted when it is done, so that the order of tasks does not matter."""
        channel = self._valkey.named("channel", name)
        # What fails here breaks the connection, and a new one opens all that is wanted.
        with suppress(Exception):
            if name in self._heard:
                await self._pubsub.subscribe(channel)
            else:
                await self._pubsub.unsubscribe(channel)

    async def _listen(self) -> None:
        from valkey.exceptions import ValkeyError

        while True:
            try:
                async with self._valkey.client.pubsub() as self._pubsub:
                    await self._open()
                    while True:
                        await self._receive()
            except (ValkeyError, OSError, TimeoutError, RuntimeError) as problem:
                if self.is_connected:
                    _LOG.error("no signals of other instances: %s", type(problem).__name__)
                    self.is_connected = False
                    self._all_look_again()
            await asyncio.sleep(_AGAIN_S)

    def _all_look_again(self) -> None:
        """Who waits does so differently when no signal may come."""
        for every in list(self._heard.values()):
            for heard in list(every):
                heard(None)

    async def _open(self) -> None:
        wanted = {EVERYBODY, *self._heard}
        self._asked_whether_it_lives = False
        await self._pubsub.subscribe(*(self._valkey.named("channel", name) for name in wanted))
        self.is_connected = True

    async def _receive(self) -> None:
        message = await self._pubsub.get_message(timeout=_SILENCE_S)
        if message is None:
            if self._asked_whether_it_lives:
                raise TimeoutError
            self._asked_whether_it_lives = True
            await self._pubsub.ping()
            return
        self._asked_whether_it_lives = False
        if message["type"] not in ("message", "subscribe"):
            return
        name = bytes(message["channel"]).decode().removeprefix(self._valkey.named("channel", ""))
        content: bytes | None = None
        if message["type"] == "message":
            told = bytes(message["data"])
            if told[:_OWN_BYTES] == self._own:
                return
            content = told[_OWN_BYTES:]
        for heard in list(self._heard.get(name, ())):
            heard(content)
