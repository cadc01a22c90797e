"""The scopes of rate limits (Enterprise §6.4), and what settings allow in each."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from enum import StrEnum

from tipstaff.errors import UsageError
from tipstaff.settings import Settings


class Level(StrEnum):
    """Enterprise §6.4, from the narrowest to the widest; `recipient` is a user with one tez."""

    SESSION = "session"
    RECIPIENT = "recipient"
    USER = "user"
    TEZ = "tez"
    TENANT = "tenant"
    GLOBAL = "global"


Rates = tuple[tuple[Level, int], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """One query, as far as limits know it."""

    tenant: str
    user: str
    tez_id: str
    session_id: str

    def counted_in(self, level: Level) -> tuple[str, ...]:
        """What is counted together on a level; a tenant's things are never another's."""
        return {
            Level.SESSION: (self.tenant, self.session_id),
            Level.RECIPIENT: (self.tenant, self.tez_id, self.user),
            Level.USER: (self.tenant, self.user),
            Level.TEZ: (self.tenant, self.tez_id),
            Level.TENANT: (self.tenant,),
            Level.GLOBAL: (),
        }[level]


def server_rates(settings: Settings) -> Rates:
    """Queries a minute on the levels that no sender decides on. Enterprise §6.4: a narrower limit
    must not exceed a wider one."""
    said = [
        (Level.SESSION, settings.rate_per_session),
        (Level.RECIPIENT, settings.rate_per_recipient),
        (Level.USER, settings.rate_per_user),
        (Level.TEZ, settings.rate_per_tez),
        (Level.TENANT, settings.rate_per_tenant),
        (Level.GLOBAL, settings.rate_global),
    ]
    rates = [(level, rate) for level, rate in said if rate]
    for (inner, narrow), (outer, wide) in itertools.pairwise(rates):
        if narrow > wide:
            raise UsageError(
                f"The rate per {inner} ({narrow}) exceeds the rate of the {outer} ({wide}).",
                suggestion="Settings rate_…: each at most the next wider one, or 0 for none.",
            )
    return tuple((level, rate) for level, rate in rates if level is not Level.RECIPIENT)
