"""What a support checker is: a second opinion on statements that the rules have let through.

It can only lower trust: a statement that was withheld is never shown to it, what it says is
combined by `lower_of`, and a checker that fails or is unclear withholds (TIP §3.3).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from importlib.metadata import entry_points
from typing import Protocol, cast, runtime_checkable

from tipstaff.domain.classification import Support
from tipstaff.errors import UsageError
from tipstaff.llm.model import Model, UsageReport

GROUP = "tipstaff.support_checker"
NONE = "none"
# How a row of a table is put before a checker.
ROW = re.compile(r"(?:[^:;]{1,60}; ){0,4}[^:;]{1,60}: [^;]*; [^:;]{1,60}: ")
_FROM_BEST = (Support.QUOTED, Support.ENTAILED, Support.INFERRED, Support.WEAK, Support.UNVERIFIED)


class SupportChecker(Protocol):
    """`check` says how well the passages support a statement: ENTAILED, WEAK or UNVERIFIED. The
    verdict depends on the statement and its passages alone; both are data, never instructions.
    One that has `of_other_words` set is not heard on what only repeats its place."""

    name: str

    async def check(self, statement: str, passages: Sequence[str]) -> Support: ...

    async def aclose(self) -> None: ...


@runtime_checkable
class Spends(Protocol):
    """A checker that asks a language model, and tells what that used since it was last asked."""

    def used(self) -> list[tuple[Model, UsageReport]]: ...


class _Several:
    """Checkers who are heard in turn, until one withholds."""

    def __init__(self, checkers: Sequence[SupportChecker]) -> None:
        self.name = ", ".join(one.name for one in checkers)
        self.checkers = checkers

    async def check(self, statement: str, passages: Sequence[str]) -> Support:
        verdict = Support.ENTAILED
        for one in self.checkers:
            verdict = lower_of(verdict, await one.check(statement, passages))
            if verdict is Support.UNVERIFIED:
                break
        return verdict

    def used(self) -> list[tuple[Model, UsageReport]]:
        return [used for one in self.checkers for used in used_by(one)]

    async def aclose(self) -> None:
        for one in self.checkers:
            await one.aclose()


def used_by(checker: SupportChecker | None) -> list[tuple[Model, UsageReport]]:
    """What it used since it was last asked; most use nothing."""
    return checker.used() if isinstance(checker, Spends) else []


def heard_on(checker: SupportChecker | None, *, in_source_words: bool) -> SupportChecker | None:
    """Whoever is heard on a statement."""
    if checker is None or not in_source_words:
        return checker
    every = checker.checkers if isinstance(checker, _Several) else (checker,)
    left = [one for one in every if not getattr(one, "of_other_words", False)]
    if len(left) > 1:
        return _Several(left)
    return left[0] if left else None


def checker_named(names: str) -> SupportChecker | None:
    """The checkers of a setting, with commas between them; None for `none`."""
    checkers = [_named(name.strip()) for name in names.split(",") if name.strip() != NONE]
    if len(checkers) > 1:
        return _Several(checkers)
    return checkers[0] if checkers else None


def _named(name: str) -> SupportChecker:
    """With what stands behind its colon: `judge:openai:NAME`."""
    kind, _, rest = name.partition(":")
    found = {point.name: point for point in entry_points(group=GROUP)}
    if kind not in found:
        raise UsageError(
            f"There is no support checker '{kind}'.",
            suggestion=f"There are: none, {', '.join(sorted(found))}.",
        )
    return cast(SupportChecker, found[kind].load()(model=rest.strip()))


def lower_of(ours: Support, theirs: Support) -> Support:
    """The verdict of both. Whoever agrees changes nothing; what only follows for them, and was
    not labelled so, is weak."""
    if theirs in (Support.QUOTED, Support.ENTAILED):
        return ours
    if theirs is Support.INFERRED and ours is not Support.INFERRED:
        theirs = Support.WEAK
    return max(ours, theirs, key=_FROM_BEST.index)


async def second_opinion(
    checker: SupportChecker,
    statement: str,
    passages: Sequence[str],
    ours: Support,
    *,
    unheard: Callable[[str, Exception], None] = lambda _name, _problem: None,
) -> Support:
    """Our verdict after a checker has been heard; a checker that fails has confirmed nothing, and
    `unheard` is told of it."""
    try:
        return lower_of(ours, await checker.check(statement, passages))
    except Exception as problem:
        # Whatever went wrong in somebody's plug-in: nothing was confirmed.
        unheard(checker.name, problem)
        return Support.UNVERIFIED
