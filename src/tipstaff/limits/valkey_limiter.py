"""Limits that instances share, in Valkey or Redis.

One script looks at every scope of a query and takes a place in all of them or in none. Valkey runs
scripts one after the other, and by its own clock, so that N who race through any number of
instances for M places get exactly M.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from importlib.resources import files
from typing import Any

from tipstaff.instances.valkey import SharedValkey
from tipstaff.limits.limiter import NEARLY, WINDOW_S, Algorithm, Rate, Standing, refused
from tipstaff.limits.scopes import Asking, Level, Rates

_SCRIPT = "take.lua"


class ValkeyLimiter:
    """`now` is for tests alone: without it Valkey's own clock counts."""

    def __init__(
        self,
        valkey: SharedValkey,
        algorithm: Algorithm = Algorithm.SLIDING_WINDOW,
        *,
        now: Callable[[], float] | None = None,
    ) -> None:
        self._valkey = valkey
        self._algorithm = algorithm
        self._now = now
        script = files("tipstaff.limits").joinpath(_SCRIPT).read_text(encoding="utf-8")
        self._script = valkey.client.register_script(script)

    async def take(self, asking: Asking, rates: Rates, *, name: str) -> Standing:
        """Raises ValkeyLost where it cannot be known."""
        now, took, standing = await self._run(asking, rates, name)
        if not took:
            raise refused([rate for rate in standing if rate.free_at > now], now)
        return Standing(rates=standing)

    async def look(self, asking: Asking, rates: Rates) -> Standing:
        return Standing(rates=(await self._run(asking, rates, ""))[2])

    async def _run(
        self, asking: Asking, rates: Rates, name: str
    ) -> tuple[float, bool, tuple[Rate, ...]]:
        if not rates:
            return 0.0, True, ()
        keys = [self._key(asking, level) for level, _ in rates]
        words: list[str | float] = [
            "" if self._now is None else f"{self._now():.6f}",
            WINDOW_S,
            self._algorithm,
            name,
            NEARLY,
            *(limit for _, limit in rates),
        ]

        async def run(_: Any) -> list[Any]:
            answer: list[Any] = await self._script(keys=keys, args=words)
            return answer

        # A name that has its place already takes no second one.
        now, took, *numbers = await self._valkey.ask(run)
        return float(now), took == 1, tuple(_rates(rates, [float(one) for one in numbers]))

    def _key(self, asking: Asking, level: Level) -> str:
        """Of one length, whatever a tenant is called; and nobody's name stands in Valkey."""
        counted = "\x00".join(asking.counted_in(level))
        digest = hashlib.blake2b(counted.encode("utf-8", "surrogatepass"), digest_size=16)
        return self._valkey.named("rate", self._algorithm, level, digest.hexdigest())


def _rates(rates: Rates, numbers: list[float]) -> list[Rate]:
    """Three numbers a scope, as the script tells them."""
    return [
        Rate(
            level=level,
            limit=limit,
            used=round(numbers[3 * at]),
            resets_at=numbers[3 * at + 1],
            free_at=numbers[3 * at + 2],
        )
        for at, (level, limit) in enumerate(rates)
    ]
