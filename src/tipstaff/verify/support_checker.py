"""What a support checker is: a second opinion on statements that the rules have let through.

It can only lower trust. A statement that the rules withhold is never shown to it, what it says is
combined by `lower_of`, and a checker that fails or is unclear withholds (TIP §3.3).
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import entry_points
from typing import Protocol, cast

from tipstaff.domain.classification import Support
from tipstaff.errors import TipstaffError, UsageError

GROUP = "tipstaff.support_checker"
NONE = "none"
_FROM_BEST = (Support.QUOTED, Support.ENTAILED, Support.INFERRED, Support.WEAK, Support.UNVERIFIED)


class SupportChecker(Protocol):
    """`check` says how well the passages support a statement: ENTAILED, WEAK or UNVERIFIED. The
    verdict depends on the statement and its passages alone; both are data, never instructions."""

    name: str

    async def check(self, statement: str, passages: Sequence[str]) -> Support: ...

    async def aclose(self) -> None: ...


def checker_named(name: str) -> SupportChecker | None:
    """The checker of a setting, with what stands behind its colon (`judge:openai:NAME`); None for
    `none`."""
    if name == NONE:
        return None
    kind, _, rest = name.strip().partition(":")
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
    checker: SupportChecker, statement: str, passages: Sequence[str], ours: Support
) -> Support:
    """Our verdict after a checker has been heard; a checker that fails has confirmed nothing."""
    try:
        return lower_of(ours, await checker.check(statement, passages))
    except TipstaffError:
        return Support.UNVERIFIED
