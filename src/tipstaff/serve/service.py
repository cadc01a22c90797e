"""Everything behind the routes, in one value: the parts, the configuration, what is counted."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from tipstaff.access.authorization import Authorizes
from tipstaff.access.tokens import Tokens
from tipstaff.audit.search import AuditSearch
from tipstaff.domain.caller import Caller
from tipstaff.hosting.ledger import Ledger
from tipstaff.hosting.look_records import LookRecords
from tipstaff.hosting.query_log import QueryLog
from tipstaff.hosting.watermarks import Watermarks
from tipstaff.instances.announcements import Announcements, Kind
from tipstaff.serve.configuration import ServeConfiguration
from tipstaff.serve.kept_documents import KeptDocuments
from tipstaff.serve.metrics import Metrics
from tipstaff.serve.pages import Pages
from tipstaff.serve.rights import Rights
from tipstaff.serve.tickets import Tickets
from tipstaff.session.sessions import Sessions
from tipstaff.settings import Settings
from tipstaff.tenancy.shared_tezits import SharedTezits
from tipstaff.tenancy.sharing import Sharing

Authenticate = Callable[[str | None], Awaitable[Caller]]


@dataclass(kw_only=True)
class Service:
    """`draining` is set once no new work is taken."""

    tezits: SharedTezits
    sessions: Sessions
    ledger: Ledger
    authenticate: Authenticate
    configuration: ServeConfiguration
    settings: Settings
    query_log: QueryLog
    authorization: Authorizes
    tokens: Tokens
    sharing: Sharing
    watermarks: Watermarks
    look_records: LookRecords
    # Records of a tenant's audit log.
    audit_records: Callable[[str, AuditSearch], Awaitable[list[dict[str, Any]]]]
    # None, or what is not ready, in words for an operator.
    not_ready: Callable[[], Awaitable[str | None]]
    metrics: Metrics
    tickets: Tickets
    # What this instance tells the others and hears of them; alone it hears itself.
    announcements: Announcements
    documents: KeptDocuments = field(default_factory=KeptDocuments)
    rights: Rights = field(default_factory=Rights)
    draining: asyncio.Event = field(default_factory=asyncio.Event)
    open_streams: int = 0
    # Work that goes on behind a response; it is waited for when the server stops.
    tasks: set[asyncio.Task[None]] = field(default_factory=set)
    pages: Pages = field(init=False)
    _stopping: asyncio.Future[None] | None = None

    def __post_init__(self) -> None:
        for ended in (Kind.REVOKED, Kind.WITHDRAWN):
            self.announcements.on(ended, self.rights.may_have_ended)
        self.pages = Pages(
            max_bytes=self.configuration.page_cache_bytes,
            memory_bytes=self.settings.parse_memory_bytes,
        )

    async def start(self) -> None:
        await self.sessions.start()

    def drain(self) -> None:
        """No new work; running queries end, then every stream does (Enterprise §7.6)."""
        if self._stopping is None:
            self.draining.set()
            self._stopping = asyncio.ensure_future(
                self.sessions.stop(float(self.configuration.drain_s))
            )

    async def stop(self) -> None:
        self.drain()
        if self._stopping is not None:
            await self._stopping
        if self.tasks:
            await asyncio.wait(self.tasks, timeout=self.configuration.drain_s)
