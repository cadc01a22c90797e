"""What a test found: checks that hold or do not, and what follows from them.

A test that cannot be run for want of a fixture or a token is neither passed nor failed
(`inconclusive`), and says what was missing.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum


class Outcome(StrEnum):
    PASSED = "passed"
    FAILED = "failed"
    INCONCLUSIVE = "inconclusive"


class Level(StrEnum):
    """The whole protocol, or TIP Lite: grounded answers and abstentions only."""

    FULL = "full"
    LITE = "lite"


EVERY_LEVEL = frozenset(Level)


class CannotBeJudged(Exception):
    """Raised inside a test when something that it needs is not there; its words say what."""


@dataclass(frozen=True, slots=True)
class Check:
    """One criterion: what must hold, whether it does, and if not what was found instead."""

    what: str
    holds: bool
    found: str = ""
    levels: frozenset[Level] = EVERY_LEVEL


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """The checks of one run. `missing` is why there are none."""

    checks: tuple[Check, ...] = ()
    missing: str = ""

    @classmethod
    def of(cls, checks: Iterable[Check]) -> Verdict:
        return cls(checks=tuple(checks))

    @classmethod
    def inconclusive(cls, missing: str) -> Verdict:
        return cls(missing=missing)

    @classmethod
    def failed(cls, what: str, found: str) -> Verdict:
        return cls(checks=(Check(what, holds=False, found=found),))

    def outcome(self, level: Level = Level.FULL) -> Outcome:
        judged = self.judged(level)
        if self.missing or not judged:
            return Outcome.INCONCLUSIVE
        return Outcome.PASSED if all(one.holds for one in judged) else Outcome.FAILED

    def judged(self, level: Level = Level.FULL) -> tuple[Check, ...]:
        return tuple(one for one in self.checks if level in one.levels)

    def why(self, level: Level = Level.FULL) -> str:
        """Why it did not pass, in one line; nothing if it did."""
        if self.missing:
            return self.missing
        broken = [one for one in self.judged(level) if not one.holds]
        return "; ".join(f"{one.what}: {one.found}" if one.found else one.what for one in broken)
