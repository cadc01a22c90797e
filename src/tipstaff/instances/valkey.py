"""Valkey (or Redis): what the instances of one service share and may lose.

Nothing is kept here that cannot be counted, asked for or made anew: the truth is in the database.
While Valkey is out of reach every use raises `ValkeyLost`, at once and not after a wait each, and
whoever uses it says what becomes of that.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, TypeVar

from tipstaff.errors import MissingExtra, UsageError
from tipstaff.settings import Settings

if TYPE_CHECKING:
    from valkey.asyncio import Valkey

_LOG = logging.getLogger("tipstaff.instances")
_NONE = "none"
# A busy instance may take a while to look at an answer that has long come.
_TIMEOUT_S = 3.0
# After a failure nobody waits for the next one.
_PAUSE_S = 1.0
# Enough, since a use takes a fraction of a millisecond; many who come at once wait in line.
_MOST_CONNECTIONS = 16
_LINE_S = 5.0
T = TypeVar("T")


class ValkeyLost(Exception):
    """It does not answer now. For whoever uses it; no recipient is told this."""


class SharedValkey:
    """One client; `prefix` keeps services apart that share a Valkey."""

    def __init__(self, client: Valkey, *, prefix: str) -> None:
        self.client = client
        self.prefix = prefix
        self.is_lost = False
        self._again_at = 0.0
        self._closed = False

    @classmethod
    def from_settings(cls, settings: Settings) -> SharedValkey | None:
        """None where no Valkey is named: then an instance is alone, as far as it knows."""
        if settings.valkey_url == _NONE:
            return None
        return cls(_client(settings.valkey_url), prefix=settings.valkey_prefix)

    def named(self, *parts: str) -> str:
        """A key or channel. All in one slot of a cluster: a script takes many at once."""
        return ":".join((f"{{{self.prefix}}}", *parts))

    async def ask(self, work: Callable[[Valkey], Awaitable[T]], *, again: bool = True) -> T:
        """`again`: the work may be done twice without harm, so that a connection that was closed
        meanwhile costs nobody anything."""
        from valkey.exceptions import ConnectionError as Broken
        from valkey.exceptions import TimeoutError as Late
        from valkey.exceptions import ValkeyError

        if self._closed or time.monotonic() < self._again_at:
            raise ValkeyLost
        try:
            try:
                answer = await work(self.client)
            except Broken as problem:
                if not again or self._closed or isinstance(problem, Late):
                    raise
                answer = await work(self.client)
        except (ValkeyError, OSError, TimeoutError) as problem:
            self._lost(problem)
            raise ValkeyLost from problem
        self._found()
        return answer

    async def aclose(self) -> None:
        # Who still tells something now would open a connection that nobody closes.
        self._closed = True
        # The pool was made by hand, so that the client does not close it by itself.
        await self.client.aclose(close_connection_pool=True)

    def _lost(self, problem: Exception) -> None:
        self._again_at = time.monotonic() + _PAUSE_S
        if not self.is_lost:
            _LOG.error("Valkey is out of reach: %s", type(problem).__name__)
        self.is_lost = True

    def _found(self) -> None:
        if self.is_lost:
            _LOG.warning("Valkey answers again")
        self.is_lost = False


def _client(url: str) -> Valkey:
    try:
        from valkey.asyncio import BlockingConnectionPool, Valkey
    except ImportError:
        raise MissingExtra("valkey_url", extra="valkey") from None
    try:
        pool = BlockingConnectionPool.from_url(
            url,
            max_connections=_MOST_CONNECTIONS,
            timeout=_LINE_S,
            socket_timeout=_TIMEOUT_S,
            socket_connect_timeout=_TIMEOUT_S,
        )
    except ValueError as problem:
        raise UsageError(
            f"The setting valkey_url is no address of a Valkey: {problem}.",
            suggestion="For example valkey://localhost:6379/0, or unix:///run/valkey.sock.",
        ) from None
    return Valkey(connection_pool=pool)
