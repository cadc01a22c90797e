"""What one instance did and all must know at once: a query cancelled, a token revoked, a tez
withdrawn, an authorization model changed.

Each is in the database, or read from elsewhere, all the same: who misses an announcement finds it
out a little later.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from enum import StrEnum

from tipstaff.instances.channels import EVERYBODY, Channels
from tipstaff.instances.valkey import SharedValkey
from tipstaff.settings import Settings


class Kind(StrEnum):
    CANCELLED = "cancelled"
    REVOKED = "revoked"
    WITHDRAWN = "withdrawn"
    ACCESS_CHANGED = "access_changed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Announcement:
    """`name` is a session, a token or a tez of the tenant, by its kind."""

    kind: Kind
    tenant: str
    name: str = ""


# Called with the announcement, or with None: some may have been missed.
Heard = Callable[[Announcement | None], None]


class Announcements:
    """Without channels an instance is alone, and tells itself."""

    def __init__(self, channels: Channels | None = None) -> None:
        self._channels = channels
        self._heard: dict[Kind, list[Heard]] = {}
        self._open = ExitStack()
        if channels is not None:
            self._open.enter_context(channels.hearing(EVERYBODY, self._received))

    def on(self, kind: Kind, heard: Heard) -> None:
        self._heard.setdefault(kind, []).append(heard)

    async def tell(self, kind: Kind, *, tenant: str, name: str = "") -> None:
        """Ourselves first, then the others."""
        announcement = Announcement(kind=kind, tenant=tenant, name=name)
        self._deliver(announcement)
        if self._channels is not None:
            await self._channels.tell((EVERYBODY,), json.dumps(asdict(announcement)).encode())

    def close(self) -> None:
        self._open.close()

    def _received(self, message: bytes | None) -> None:
        if message is None:
            for every in list(self._heard.values()):
                for heard in every:
                    heard(None)
            return
        try:
            told = json.loads(message)
            kind, tenant, name = Kind(told["kind"]), str(told["tenant"]), str(told["name"])
        except (ValueError, TypeError, KeyError):
            # Of another version of ours: what it means is found out later.
            return
        self._deliver(Announcement(kind=kind, tenant=tenant, name=name))

    def _deliver(self, announcement: Announcement) -> None:
        for heard in self._heard.get(announcement.kind, ()):
            heard(announcement)


async def announce(settings: Settings, kind: Kind, *, tenant: str, name: str) -> None:
    """For a command that is no instance itself."""
    valkey = SharedValkey.from_settings(settings)
    if valkey is not None:
        try:
            await Announcements(Channels(valkey)).tell(kind, tenant=tenant, name=name)
        finally:
            await valkey.aclose()
