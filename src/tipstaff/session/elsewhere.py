"""Other instances, as far as a session has to do with them: who listens there, what runs there.

With a proxy that keeps sessions together (docs/operations.md) there is mostly nobody elsewhere.
When a reader comes back through another instance, or closes a session there, this is what makes
it one service.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol

from tipstaff.instances.channels import Channels
from tipstaff.instances.valkey import SharedValkey, ValkeyLost
from tipstaff.session.signals import LocalSignals, SessionKey

if TYPE_CHECKING:
    import asyncio

# A reader says that it is there no more often than this, and is believed for so long.
SHOW_S = 5.0
LISTENS_S = 20
# How often a reader looks at the log by itself: as a net below signals, or instead of them.
NET_S = 10.0
UNTOLD_S = 1.0


class Elsewhere(Protocol):
    async def listens(self, key: SessionKey) -> None:
        """Here somebody follows a session."""
        ...

    async def is_listening(self, key: SessionKey) -> bool:
        """Whether elsewhere somebody does."""
        ...


class Nowhere:
    """There are no other instances, or none that can be heard."""

    async def listens(self, key: SessionKey) -> None: ...

    async def is_listening(self, key: SessionKey) -> bool:  # noqa: ARG002
        return False


class OtherInstances:
    def __init__(self, valkey: SharedValkey) -> None:
        self._valkey = valkey

    async def listens(self, key: SessionKey) -> None:
        name = self._name(key)
        try:
            await self._valkey.ask(lambda client: client.set(name, b"", ex=LISTENS_S))
        except ValkeyLost:
            return

    async def is_listening(self, key: SessionKey) -> bool:
        """If that cannot be known, somebody might: a query too much is answered."""
        name = self._name(key)
        try:
            return bool(await self._valkey.ask(lambda client: client.exists(name)))
        except ValkeyLost:
            return True

    def _name(self, key: SessionKey) -> str:
        return self._valkey.named("listens", digest_of(key))


class SharedSignals:
    """Signals that reach the readers of every instance."""

    def __init__(self, channels: Channels) -> None:
        self._channels = channels
        self._local = LocalSignals()

    @property
    def look_again_s(self) -> float:
        return NET_S if self._channels.is_connected else UNTOLD_S

    @contextmanager
    def waiting_for(self, key: SessionKey) -> Iterator[asyncio.Event]:
        with (
            self._local.waiting_for(key) as woken,
            self._channels.hearing(f"log:{digest_of(key)}", lambda _: woken.set()),
        ):
            yield woken

    async def tell(self, keys: Iterable[SessionKey]) -> None:
        told = list(keys)
        await self._local.tell(told)
        await self._channels.tell([f"log:{digest_of(key)}" for key in told])

    def tell_all(self) -> None:
        self._local.tell_all()


def digest_of(key: SessionKey) -> str:
    """Of one length, and nobody's name stands in Valkey."""
    text = "\x00".join(key).encode("utf-8", "surrogatepass")
    return hashlib.blake2b(text, digest_size=16).hexdigest()
