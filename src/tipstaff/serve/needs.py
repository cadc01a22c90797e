"""What the routes need of hosting and sessions, by name.

Said as protocols, so that an app can be made of any parts that answer to them (TIP §12).
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from tipstaff.domain.bundle import Bundle, HostingLimits, Privacy
from tipstaff.domain.caller import Caller, Permission
from tipstaff.domain.events import Heartbeat
from tipstaff.domain.response import Notice, ResponseEnvelope
from tipstaff.domain.retrieval import RetrievalOptions
from tipstaff.domain.session import Session
from tipstaff.errors import TipstaffError
from tipstaff.indexing import IndexedBundle
from tipstaff.tenancy.shares import Consent, OnRevoke, Strategy


class Published(Protocol):
    """A version of a tez that was published."""

    @property
    def tez_id(self) -> str: ...
    @property
    def version(self) -> int: ...
    @property
    def digest(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def state(self) -> str: ...
    @property
    def progress(self) -> str: ...
    @property
    def published_at(self) -> float: ...
    @property
    def published_by(self) -> str: ...


class Tezits(Protocol):
    """Unknown, forbidden and withdrawn are one to whoever asks: NotFound."""

    async def publish(
        self,
        caller: Caller,
        content: AsyncIterator[bytes] | Path,
        *,
        tez_id: str | None = None,
        proceed: bool = False,
        wait: bool = True,
    ) -> Published: ...

    async def describe(
        self, caller: Caller, tez_id: str, version: int | None = None
    ) -> Published: ...

    async def list(self, caller: Caller) -> Sequence[Published]: ...

    async def withdraw(self, caller: Caller, tez_id: str) -> None: ...

    async def opened(self, tenant: str, tez_id: str, version: int) -> IndexedBundle:
        """Shared by all who use it, and open for as long as any of them holds it."""
        ...


class Remaining(Protocol):
    """What a recipient may still ask of a tez; None is any number."""

    @property
    def queries(self) -> int | None: ...
    @property
    def tokens(self) -> int | None: ...
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


class Ledger(Protocol):
    async def reserve(
        self,
        caller: Caller,
        *,
        tez_id: str,
        session_id: str,
        query_id: str,
        limits: HostingLimits,
    ) -> Remaining:
        """One place for one query, or the limit that is reached."""
        ...

    async def give_back(self, tenant: str, query_id: str) -> None: ...

    async def remaining(self, caller: Caller, tez_id: str, limits: HostingLimits) -> Remaining: ...

    async def cost_report(
        self, caller: Caller, tez_id: str, since: float, until: float
    ) -> dict[str, Any]: ...

    async def cost_by_day(
        self, caller: Caller, since: float, until: float
    ) -> list[dict[str, Any]]: ...


class LoggedEvent(Protocol):
    @property
    def number(self) -> int: ...
    @property
    def name(self) -> str: ...
    @property
    def data(self) -> bytes: ...
    @property
    def query_id(self) -> str: ...


class Run(Protocol):
    """A query that was begun."""

    @property
    def query_id(self) -> str: ...
    @property
    def first_event(self) -> int: ...
    @property
    def remaining(self) -> Remaining | None: ...

    async def envelope(self) -> ResponseEnvelope: ...

    async def ended(self) -> None: ...


class SessionLimits(Protocol):
    """TIP C.1's `limits`."""

    @property
    def max_queries(self) -> int | None: ...
    @property
    def max_tokens_per_query(self) -> int | None: ...
    @property
    def session_timeout_minutes(self) -> int: ...


class OpenedSession(Protocol):
    @property
    def session(self) -> Session: ...
    @property
    def bundle(self) -> Bundle: ...
    @property
    def limits(self) -> SessionLimits: ...
    @property
    def warnings(self) -> Sequence[Notice]: ...


class SessionSummary(Protocol):
    """TIP C.3's, and §12.1.2's total."""

    @property
    def query_count(self) -> int: ...
    @property
    def total_tokens(self) -> int: ...
    @property
    def total_input_tokens(self) -> int: ...
    @property
    def total_output_tokens(self) -> int: ...
    @property
    def duration_minutes(self) -> int: ...
    @property
    def classifications(self) -> Mapping[str, int]: ...
    @property
    def unique_items_cited(self) -> int: ...
    @property
    def most_cited_item(self) -> str | None: ...


class ClosedSession(Protocol):
    @property
    def session_id(self) -> str: ...
    @property
    def summary(self) -> SessionSummary: ...
    @property
    def closed_at(self) -> str: ...


class SessionEntry(Protocol):
    @property
    def session(self) -> Session: ...
    @property
    def title(self) -> str: ...


class Sessions(Protocol):
    async def start(self) -> None: ...

    async def stop(self, drain_s: float) -> None: ...

    async def init(
        self,
        caller: Caller,
        tez_id: str,
        *,
        preferences: Mapping[str, Any],
        consent: Mapping[str, Any] | None,
        proceed_with_partial: bool,
    ) -> OpenedSession: ...

    async def ask(
        self,
        caller: Caller,
        tez_id: str,
        session_id: str,
        query: str,
        *,
        options: RetrievalOptions | None,
    ) -> Run: ...

    def follow(
        self,
        caller: Caller,
        tez_id: str,
        session_id: str,
        *,
        after: int = 0,
        query_id: str | None = None,
    ) -> AsyncGenerator[LoggedEvent | Heartbeat, None]: ...

    async def permitted(self, caller: Caller, tez_id: str, session_id: str) -> Any:
        """NotFound, unless session and tez are there for the caller."""
        ...

    async def close(self, caller: Caller, tez_id: str, session_id: str) -> ClosedSession: ...

    async def resume(
        self, caller: Caller, tez_id: str, session_id: str, *, choice: str | None
    ) -> OpenedSession: ...

    async def describe(self, caller: Caller, tez_id: str, session_id: str) -> Session: ...

    async def list(self, caller: Caller, tez_id: str) -> Sequence[SessionEntry]: ...

    async def rename(self, caller: Caller, tez_id: str, session_id: str, title: str) -> None: ...

    async def erase(self, caller: Caller, tez_id: str, session_id: str) -> None: ...

    async def erase_all(self, caller: Caller) -> int: ...


class QueryLog(Protocol):
    """TIP §13.1.2, item 4: whoever agreed to be logged may see it and take it back."""

    async def own(self, caller: Caller) -> list[dict[str, Any]]: ...

    async def revoke(self, caller: Caller, session_id: str) -> int: ...

    async def erase(self, caller: Caller) -> int: ...


class TokenRecord(Protocol):
    """What may be known of a token by those who administer it."""

    @property
    def token_id(self) -> str: ...
    @property
    def user(self) -> str: ...
    @property
    def permissions(self) -> frozenset[Permission]: ...
    @property
    def tezits(self) -> frozenset[str] | None: ...
    @property
    def label(self) -> str: ...
    @property
    def issued_at(self) -> float: ...
    @property
    def expires_at(self) -> float | None: ...
    @property
    def revoked_at(self) -> float | None: ...


class TokenBook(Protocol):
    async def issue(
        self,
        *,
        tenant: str,
        user: str,
        permissions: Collection[Permission],
        tezits: Collection[str] | None,
        expires_at: float | None,
        label: str,
    ) -> tuple[str, TokenRecord]: ...

    async def list(self, tenant: str) -> Sequence[TokenRecord]: ...

    async def revoke(self, tenant: str, token_id: str) -> None: ...


class Watermarks(Protocol):
    """TIP §13.3.3, 2: pages that tell whom they were shown to."""

    def wanted(self, bundle: Bundle) -> bool: ...

    async def page_code(
        self, *, tenant: str, user: str, tez_id: str, session_id: str = ""
    ) -> bytes:
        """For whoever looks, in a session of theirs or outside any."""
        ...

    def stamped(self, png: bytes, code: bytes) -> bytes: ...


class LookRecords(Protocol):
    """Enterprise §6.6: who looked at what, and who had a statement checked."""

    async def viewed(
        self,
        caller: Caller,
        tez: Published,
        *,
        session_id: str,
        item_id: str,
        shown: str,
        place: str = "",
    ) -> None: ...

    async def checked(
        self,
        caller: Caller,
        tez: Published,
        *,
        session_id: str,
        check_id: str,
        verdict: str,
        cited: Sequence[str],
        filtered: Sequence[Mapping[str, str]],
    ) -> None: ...


class GivenShare(Protocol):
    def to_wire(self) -> dict[str, Any]: ...


class ReceivedShare(Protocol):
    def to_wire(self, now: float) -> dict[str, Any]: ...


class Sharing(Protocol):
    """Enterprise §6.3."""

    async def share(
        self,
        caller: Caller,
        tez_id: str,
        *,
        to_tenant: str,
        strategy: Strategy,
        users: Sequence[str] | None,
        sync_interval_s: int | None,
        on_revoke: OnRevoke | None,
    ) -> GivenShare: ...

    async def revoke(self, caller: Caller, tez_id: str, share_id: str) -> GivenShare: ...

    async def given(self, caller: Caller, tez_id: str) -> Sequence[GivenShare]: ...

    async def received(self, caller: Caller) -> Sequence[ReceivedShare]: ...

    async def decide(self, caller: Caller, share_id: str, consent: Consent) -> ReceivedShare: ...


class Terms(Protocol):
    """What sender, server and recipient agree on."""

    def costs(self) -> Mapping[str, str]:
        """TIP §12.3.3: who pays, told to both sides."""
        ...

    def logging(self, privacy: Privacy) -> Mapping[str, Any] | None:
        """TIP §13.1.2: what a recipient is asked to agree to; None if nothing is logged."""
        ...

    def consent(self, privacy: Privacy, said: Mapping[str, Any] | None) -> dict[str, Any] | None:
        """What the recipient agreed to of it; None: nothing."""
        ...

    def with_fallback(self, problem: TipstaffError, bundle: Bundle) -> TipstaffError:
        """TIP §12.4: the same error, with where else the tez may be asked."""
        ...
