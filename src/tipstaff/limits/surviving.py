"""Shared limits while Valkey is out of reach: refuse, or count alone and say so.

`refuse` is the default: a limit that cannot be counted is not one that anybody may pass. With
`degrade` each instance counts its own queries, from what it has let in itself, so that n instances
together let in at most n times as many. Either is told by a header, a metric and the log.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum

from tipstaff.errors import RateLimited
from tipstaff.instances.valkey import SharedValkey, ValkeyLost
from tipstaff.limits.limiter import Algorithm, Limiter, Standing
from tipstaff.limits.memory import MemoryLimiter
from tipstaff.limits.scopes import Asking, Rates
from tipstaff.limits.valkey_limiter import ValkeyLimiter
from tipstaff.settings import Settings

_RETRY_S = 5


class WhenLost(StrEnum):
    REFUSE = "refuse"
    DEGRADE = "degrade"


@dataclass(frozen=True, slots=True, kw_only=True)
class SurvivingLimiter:
    """`told` is called with what became of a query that could not be counted together."""

    shared: ValkeyLimiter
    own: MemoryLimiter
    when_lost: WhenLost
    told: Callable[[str], None]

    async def take(self, asking: Asking, rates: Rates, *, name: str) -> Standing:
        try:
            standing = await self.shared.take(asking, rates, name=name)
        except ValkeyLost:
            self.told(self.when_lost)
            if self.when_lost is WhenLost.REFUSE:
                raise RateLimited(
                    scope="global",
                    limit="limits cannot be counted at the moment",
                    retry_after_seconds=_RETRY_S,
                    uncounted=True,
                ) from None
            return replace(await self.own.take(asking, rates, name=name), shared=False)
        self.own.count(asking, rates)
        return standing

    async def look(self, asking: Asking, rates: Rates) -> Standing:
        try:
            return await self.shared.look(asking, rates)
        except ValkeyLost:
            return replace(await self.own.look(asking, rates), shared=False)


def limiter_from(
    settings: Settings, valkey: SharedValkey | None, *, told: Callable[[str], None]
) -> Limiter:
    algorithm = Algorithm(settings.rate_algorithm)
    own = MemoryLimiter(algorithm)
    if valkey is None:
        return own
    return SurvivingLimiter(
        shared=ValkeyLimiter(valkey, algorithm),
        own=own,
        when_lost=WhenLost(settings.valkey_lost),
        told=told,
    )
