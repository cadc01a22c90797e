"""Which conformance claims hold (TIP §11.9, Enterprise §9.1, §9.2).

A claim holds when every required test of it passed. One that could not be judged holds for nobody:
what is not shown is not claimed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tipstaff.compliance.case import Case
from tipstaff.compliance.running import RUNS, CaseResult
from tipstaff.compliance.verdict import Level, Outcome

TIP, TIP_LITE = "TIP-1.0", "TIP-Lite"
# Enterprise §9.2.
TOGETHER: Mapping[str, tuple[str, ...]] = {
    "TIP-Enterprise": (
        "TIP-Enterprise-Streaming",
        "TIP-Enterprise-FGA",
        "TIP-Enterprise-Transparency",
        "TIP-Enterprise-MultiTenant",
    )
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimResult:
    """`claimed` says whether the server makes it; `why` what stands against it. `holds` is None
    where nothing does, and too little was run to show it."""

    claim: str
    claimed: bool
    holds: bool | None
    why: str = ""


def claimed_by(discovery: Mapping[str, Any], default: Iterable[str]) -> frozenset[str]:
    """What a server declares under `conformance`; one that declares nothing is taken to claim
    what the suite is for."""
    said = discovery.get("conformance")
    if isinstance(said, list):
        return frozenset(one for one in said if isinstance(one, str))
    return frozenset(default)


def claim_results(
    results: Sequence[CaseResult], claimed: frozenset[str], *, left_out: Sequence[Case] = ()
) -> list[ClaimResult]:
    """Every claim that these tests are of, then those that are made of several. `left_out` are
    tests that nobody wanted to run."""
    found = {}
    for claim in dict.fromkeys(result.case.claim for result in results):
        mine = [result for result in results if result.case.claim == claim]
        missing = [case for case in left_out if case.claim == claim]
        found[claim] = _result(claim, mine, missing, claimed, Level.FULL)
        if claim == TIP:
            found[TIP_LITE] = _result(TIP_LITE, mine, missing, claimed, Level.LITE)
    for claim, parts in TOGETHER.items():
        if all(part in found for part in parts):
            found[claim] = _joined(claim, [found[part] for part in parts], claimed)
    return list(found.values())


def _joined(claim: str, parts: Sequence[ClaimResult], claimed: frozenset[str]) -> ClaimResult:
    against = [part.claim for part in parts if part.holds is False]
    unshown = [part.claim for part in parts if part.holds is None]
    holds = False if against else None if unshown else True
    why = f"without {', '.join(against or unshown)}" if against or unshown else ""
    return ClaimResult(claim=claim, claimed=claim in claimed, holds=holds, why=why)


def _result(
    claim: str,
    results: Sequence[CaseResult],
    left_out: Sequence[Case],
    claimed: frozenset[str],
    level: Level,
) -> ClaimResult:
    required = [one for one in results if one.case.required and level in one.case.levels]
    against = [
        f"{one.case.id} {one.outcome(level)}"
        for one in required
        if one.outcome(level) is not Outcome.PASSED
    ]
    unshown = [f"{one.id} left out" for one in left_out if one.required and level in one.levels]
    if any(one.case.repeats and len(one.runs) < RUNS for one in required):
        unshown.append(f"TIP §11.9 has each test run {RUNS} times")
    if not required:
        unshown.append("no required test of it was run")
    return ClaimResult(
        claim=claim,
        claimed=claim in claimed,
        holds=False if against else None if unshown else True,
        why="; ".join([*against, *unshown]),
    )
