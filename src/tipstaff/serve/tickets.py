"""A ticket opens one session's stream once: for a browser's EventSource, which sends no headers.

An address ends up in histories and in logs of proxies; a token must not be in one. What stands for
it there is good for seconds, for one stream, for one use. The ticket keeps the header it was got
with, and that is examined anew when it is used: a token that was revoked in between opens nothing.
"""

from __future__ import annotations

import hashlib
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from tipstaff.errors import AuthenticationRequired, RateLimited

TICKET_S = 30
SECRET_BYTES = 32
# More than a page ever asks for in so short a time; none is held for longer.
MOST_TICKETS = 10_000


@dataclass(frozen=True, slots=True)
class _Ticket:
    header: str
    stream: tuple[str, str]
    expires_at: float


@dataclass(slots=True)
class Tickets:
    """In memory: one that is lost with the server costs its page another request. Those of
    several instances are in `shared_tickets.py`."""

    now: Callable[[], float] = time.monotonic
    _held: dict[bytes, _Ticket] = field(default_factory=dict)

    async def issue(self, header: str, *, tez_id: str, session_id: str) -> str:
        """`header` is an `Authorization` that was found good."""
        self._drop_expired()
        if len(self._held) >= MOST_TICKETS:
            raise RateLimited(
                scope="global",
                limit=f"{MOST_TICKETS:,} tickets at once",
                retry_after_seconds=TICKET_S,
            )
        secret = secrets.token_urlsafe(SECRET_BYTES)
        ticket = _Ticket(header, (tez_id, session_id), self.now() + TICKET_S)
        self._held[_digest(secret)] = ticket
        return secret

    async def redeem(self, secret: str, *, tez_id: str, session_id: str) -> str:
        """The header it stands for. Whatever is wrong with it, the answer is the same."""
        ticket = self._held.pop(_digest(secret), None)
        good = (
            ticket is not None
            and ticket.stream == (tez_id, session_id)
            and self.now() < ticket.expires_at
        )
        if ticket is None or not good:
            raise not_valid()
        return ticket.header

    def _drop_expired(self) -> None:
        """All live equally long, so the oldest is the first to go."""
        now = self.now()
        while self._held:
            oldest = next(iter(self._held))
            if self._held[oldest].expires_at > now:
                return
            del self._held[oldest]


def not_valid() -> AuthenticationRequired:
    return AuthenticationRequired("The ticket is not valid.", suggestion="Get another.")


def _digest(secret: str) -> bytes:
    """Looked up by its hash: how long that takes tells nothing of the secrets held."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).digest()
