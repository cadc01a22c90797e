"""Whether queries may be logged: the sender asks, the server allows, the recipient agrees.

TIP §13.1.2: told before the session begins, agreed to actively, with what is logged and for how
long. Any of the three missing, nothing is logged.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from tipstaff.domain.bundle import Privacy
from tipstaff.errors import UsageError
from tipstaff.settings import Settings

_OPT_IN = "opt_in"


class LoggingScope(StrEnum):
    """TIP §13.1.2, item 3, from the least to the most."""

    QUERIES = "queries"
    QUERIES_AND_RESPONSES = "queries_and_responses"
    FULL_SESSION = "full_session"

    def holds(self, other: LoggingScope) -> bool:
        order = list(LoggingScope)
        return order.index(other) <= order.index(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class LoggingTerms:
    """What a recipient is asked to agree to. `to_wire` has §13.1.2's fields."""

    scope: LoggingScope
    retention_days: int
    shared_with_sender: bool

    @property
    def notice(self) -> str:
        what = {
            LoggingScope.QUERIES: "your queries",
            LoggingScope.QUERIES_AND_RESPONSES: "your queries and the responses to them",
            LoggingScope.FULL_SESSION: "your whole session, queries and responses,",
        }[self.scope]
        reader = "the sender may read them" if self.shared_with_sender else "the sender does not"
        return (
            f"If you agree, {what} are logged for {self.retention_days} days; {reader}"
            f"{'' if self.shared_with_sender else ' see them'}. You may take this back at any "
            "time, and what was logged is deleted. Without your consent nothing is logged."
        )

    def to_wire(self) -> dict[str, Any]:
        return {
            "query_logging": _OPT_IN,
            "logging_scope": str(self.scope),
            "retention_days": self.retention_days,
            "query_sharing_with_sender": self.shared_with_sender,
            "deletion_available": True,
            "notice": self.notice,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Consent:
    """What a recipient agreed to; kept in the facts of their session, under `consent`."""

    scope: LoggingScope
    retention_days: int

    def to_wire(self) -> dict[str, Any]:
        return {
            "query_logging": True,
            "logging_scope": str(self.scope),
            "retention_days": self.retention_days,
        }

    @classmethod
    def from_wire(cls, said: object) -> Consent | None:
        """None for whatever is not clearly a consent."""
        if not isinstance(said, Mapping) or said.get("query_logging") is not True:
            return None
        days = said.get("retention_days")
        if said.get("logging_scope") not in set(LoggingScope) or not isinstance(days, int):
            return None
        return cls(scope=LoggingScope(said["logging_scope"]), retention_days=days)


def logging_terms(privacy: Privacy, settings: Settings) -> LoggingTerms | None:
    """What may be asked of a recipient; None if sender or server want no log (§13.1.1)."""
    if privacy.query_logging != _OPT_IN or settings.query_logging != _OPT_IN:
        return None
    known = privacy.logging_scope in set(LoggingScope)
    days = privacy.retention_days
    return LoggingTerms(
        # A scope that is not understood is taken for the least.
        scope=LoggingScope(privacy.logging_scope or "") if known else LoggingScope.QUERIES,
        retention_days=min(days or settings.query_log_days, settings.query_log_days),
        shared_with_sender=privacy.query_sharing_with_sender,
    )


def consent_given(terms: LoggingTerms | None, said: object) -> Consent | None:
    """What a recipient said at the beginning of a session, within the terms that they were told.

    `said` is `{"query_logging": true, "logging_scope": …}`; only a plain true is a consent, and
    without a scope it is the one of the terms. One may agree to less, never be taken for more.
    """
    if terms is None or not isinstance(said, Mapping) or said.get("query_logging") is not True:
        return None
    wanted = said.get("logging_scope", str(terms.scope))
    if wanted not in set(LoggingScope):
        raise UsageError(
            "consent: that is no logging_scope.",
            suggestion=f"One of {', '.join(LoggingScope)}.",
        )
    scope = LoggingScope(wanted)
    return Consent(
        scope=scope if terms.scope.holds(scope) else terms.scope,
        retention_days=terms.retention_days,
    )
