"""What a recipient may use of a tez: the sender's limits, and the server's where none is set.

TIP §12.1.3 and §13.3. None is no limit.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from tipstaff.domain.bundle import HostingLimits
from tipstaff.limits.scopes import Level, Rates
from tipstaff.settings import Settings

_DAY_S = 86_400


def server_limits(settings: Settings) -> HostingLimits:
    """What the server allows where a sender sets no limit; 0 in a setting is none."""
    return HostingLimits(
        interrogations_per_recipient=settings.queries_per_recipient or None,
        max_tokens_per_query=settings.tokens_per_query,
        max_total_tokens_per_recipient=settings.tokens_per_recipient or None,
        rate_limit_per_minute=settings.rate_per_recipient or None,
    )


def in_force(sender: HostingLimits, server: HostingLimits) -> HostingLimits:
    """The sender's limits, and the server's where the sender set none. A sender's 0 is a limit,
    too: nobody may ask."""
    names = HostingLimits.__slots__
    own = {name: getattr(sender, name) for name in names}
    return HostingLimits(
        **{name: getattr(server, name) if value is None else value for name, value in own.items()}
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The limits in force for one recipient with one tez."""

    queries: int | None
    tokens: int | None
    tokens_per_query: int | None
    rates: Rates
    expires_at: float | None

    @classmethod
    def of(cls, sender: HostingLimits, server: HostingLimits, rates: Rates = ()) -> Limits:
        limits, by_level = in_force(sender, server), dict(rates)
        recipient = limits.rate_limit_per_minute
        if recipient is not None:
            # Enterprise §6.4: a sender's wish does not exceed what is wider and the server's.
            wider = [rate for level, rate in rates if level is not Level.SESSION]
            by_level[Level.RECIPIENT] = min([recipient, *wider])
        return cls(
            queries=limits.interrogations_per_recipient,
            tokens=limits.max_total_tokens_per_recipient,
            tokens_per_query=limits.max_tokens_per_query,
            rates=tuple((level, by_level[level]) for level in Level if level in by_level),
            expires_at=expiry(limits.expires_at or None),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Remaining:
    """What is left, None without a limit. `per_minute…`, `resets_at` and `scope` are those of the
    level that has the least left (Enterprise §7.7's headers)."""

    queries: int | None = None
    tokens: int | None = None
    per_minute_limit: int | None = None
    per_minute: int | None = None
    resets_at: float = 0.0
    scope: str = str(Level.RECIPIENT)
    # False while an instance counts by itself what all should count together.
    counted_together: bool = True
    # What the query that was reserved may use; None without a limit.
    granted_tokens: int | None = None


def expiry(said: str | None) -> float | None:
    """A date alone ends with that day. What is no date is a limit that nobody can tell: over."""
    if said is None:
        return None
    text = said.strip().replace("Z", "+00:00").replace("z", "+00:00")
    try:
        moment = dt.datetime.fromisoformat(text)
    except ValueError:
        return 0.0
    ends = (moment if moment.tzinfo else moment.replace(tzinfo=dt.UTC)).timestamp()
    return ends + _DAY_S if len(text) == len("2026-06-01") else ends
