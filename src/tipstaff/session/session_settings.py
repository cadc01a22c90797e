"""What of the settings concerns sessions, in seconds."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from tipstaff.errors import UsageError
from tipstaff.settings import Settings


class Backpressure(StrEnum):
    """Enterprise §7.6: what becomes of queries beyond capacity. None is dropped silently."""

    QUEUE = "queue"
    REJECT = "reject"
    DEGRADE = "degrade"


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionSettings:
    timeout_s: float = 3_600
    resume_s: float = 86_400
    keep_s: float = 30 * 86_400
    history_exchanges: int = 200
    max_query_tokens: int = 2_000
    query_timeout_s: float = 60
    concurrent_queries: int = 16
    waiting_queries: int = 256
    waiting_s: float = 60
    session_queries: int = 4
    backpressure: Backpressure = Backpressure.QUEUE
    disconnect_grace_s: float = 10
    heartbeat_s: float = 15
    idle_timeout_s: float = 300
    sessions_in_memory: int = 200
    lease_s: float = 15
    transparency: str = "all"

    @classmethod
    def of(cls, settings: Settings) -> SessionSettings:
        try:
            backpressure = Backpressure(settings.backpressure)
        except ValueError:
            known = ", ".join(Backpressure)
            raise UsageError(
                f"There is no backpressure '{settings.backpressure}'.",
                suggestion=f"There are: {known}.",
            ) from None
        return cls(
            timeout_s=settings.session_timeout_minutes * 60,
            resume_s=settings.resume_hours * 3_600,
            keep_s=settings.session_days * 86_400,
            history_exchanges=settings.history_exchanges,
            max_query_tokens=settings.max_query_tokens,
            query_timeout_s=settings.timeout_s,
            concurrent_queries=settings.concurrent_queries,
            waiting_queries=settings.waiting_queries,
            waiting_s=settings.waiting_seconds,
            session_queries=settings.session_queries,
            backpressure=backpressure,
            disconnect_grace_s=settings.disconnect_grace_s,
            heartbeat_s=settings.heartbeat_s,
            idle_timeout_s=settings.idle_timeout_s,
            sessions_in_memory=settings.sessions_in_memory,
            lease_s=settings.lease_s,
            transparency=settings.transparency,
        )

    @property
    def longest_query_s(self) -> float:
        """No query is under way for longer, waiting and answering together."""
        return self.waiting_s + self.query_timeout_s + 60
