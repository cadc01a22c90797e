"""What sessions need of hosting: tezits that can be opened, budgets, a log by consent.

Said here as protocols, so that sessions can be tried with small stand-ins.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from sqlalchemy.ext.asyncio import AsyncConnection

from tipstaff.domain.bundle import Bundle, HostingLimits
from tipstaff.domain.caller import Caller
from tipstaff.domain.response import Usage
from tipstaff.engine import IndexedBundle


class Published(Protocol):
    @property
    def tez_id(self) -> str: ...
    @property
    def version(self) -> int: ...
    @property
    def title(self) -> str: ...
    @property
    def published_by(self) -> str: ...


class Remaining(Protocol):
    """What is left after what is held; None: no limit."""

    @property
    def queries(self) -> int | None: ...
    @property
    def tokens(self) -> int | None: ...
    @property
    def granted_tokens(self) -> int | None:
        """What the query that was reserved may use."""
        ...

    @property
    def per_minute_limit(self) -> int | None: ...
    @property
    def per_minute(self) -> int | None: ...
    @property
    def resets_at(self) -> float: ...
    @property
    def scope(self) -> str: ...
    @property
    def counted_together(self) -> bool: ...


class Tezits(Protocol):
    async def describe(self, caller: Caller, tez_id: str, version: int | None = None) -> Published:
        """NotFound for what is unknown, forbidden or withdrawn alike."""
        ...

    async def opened(self, tenant: str, tez_id: str, version: int) -> IndexedBundle:
        """Shared by all who use it, and open for as long as any of them holds it."""
        ...


class Ledger(Protocol):
    async def reserve(
        self,
        caller: Caller,
        *,
        tez_id: str,
        session_id: str,
        query_id: str,
        limits: HostingLimits,
        defaults: HostingLimits | None = None,
        download_permitted: bool = False,
    ) -> Remaining: ...

    async def settle(
        self,
        connection: AsyncConnection,
        query_id: str,
        *,
        tenant: str,
        usage: Usage,
        model: str,
        classification: str,
        embedding_tokens: int = 0,
    ) -> None:
        """Inside the transaction that ends the query."""
        ...

    async def give_back(
        self, tenant: str, query_id: str, connection: AsyncConnection | None = None
    ) -> None:
        """In the transaction of `connection`, if there is one. A reservation that is not there,
        or was given back before, is no mistake."""
        ...


class Watermarks(Protocol):
    """TIP §13.3.3: marks in what recipients are told."""

    def wanted(self, bundle: Bundle) -> bool: ...

    async def of_session(
        self, connection: AsyncConnection, *, tenant: str, user: str, session_id: str, tez_id: str
    ) -> str:
        """The tag of a session, written down in its transaction."""
        ...

    def code_of(self, tag: str) -> bytes: ...

    async def remember(
        self,
        connection: AsyncConnection,
        *,
        tenant: str,
        tag: str,
        session_id: str,
        query_id: str,
        said: str,
    ) -> None:
        """What was said, in the transaction that keeps it."""
        ...


class QueryLog(Protocol):
    async def log(
        self,
        connection: AsyncConnection,
        *,
        caller: Caller,
        tez_id: str,
        session_id: str,
        query_id: str,
        query: str,
        response: str,
        consent: Mapping[str, Any],
    ) -> object:
        """TIP §13.1.2: only what the recipient agreed to. Inside the query's transaction."""
        ...
