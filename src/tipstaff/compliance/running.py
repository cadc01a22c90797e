"""Tests run as often as they must be, and what their runs come to (TIP §11.9).

A test passes when two of three runs do; one that could not be judged in most of its runs is
inconclusive.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from tipstaff.compliance.case import Case
from tipstaff.compliance.verdict import CannotBeJudged, Level, Outcome, Verdict
from tipstaff.compliance.wire import Exchange, WireFailure
from tipstaff.compliance.world import World

RUNS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseRun:
    """One run: its verdict, and everything that was said in it."""

    verdict: Verdict
    exchanges: tuple[Exchange, ...]
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseResult:
    case: Case
    runs: tuple[CaseRun, ...]

    def outcome(self, level: Level = Level.FULL) -> Outcome:
        outcomes = [run.verdict.outcome(level) for run in self.runs]
        if outcomes.count(Outcome.PASSED) * 3 >= len(outcomes) * 2:
            return Outcome.PASSED
        if outcomes.count(Outcome.INCONCLUSIVE) * 2 > len(outcomes):
            return Outcome.INCONCLUSIVE
        return Outcome.FAILED

    @property
    def passed(self) -> bool:
        return self.outcome() is Outcome.PASSED

    def why(self, level: Level = Level.FULL) -> str:
        """Of the first run that did not pass; nothing if the test passed."""
        if self.outcome(level) is Outcome.PASSED:
            return ""
        return next(why for run in self.runs if (why := run.verdict.why(level)))

    @property
    def seconds(self) -> float:
        return sum(run.seconds for run in self.runs)


async def run_cases(
    cases: Iterable[Case],
    world: World,
    *,
    runs: int = RUNS,
    told: Callable[[CaseResult], None] | None = None,
) -> list[CaseResult]:
    """Every test in its order, one after another: a server at rest is what is judged."""
    results = []
    for case in cases:
        result = await run_case(case, world, runs=runs)
        results.append(result)
        if told is not None:
            told(result)
    return results


async def run_case(case: Case, world: World, *, runs: int = RUNS) -> CaseResult:
    times = runs if case.repeats else 1
    done: Sequence[CaseRun] = [await _run_once(case, world) for _ in range(times)]
    return CaseResult(case=case, runs=tuple(done))


async def _run_once(case: Case, world: World) -> CaseRun:
    mine, started = world.for_one_run(), time.perf_counter()
    try:
        verdict = await case.run(mine)
    except CannotBeJudged as problem:
        verdict = Verdict.inconclusive(str(problem))
    except WireFailure as problem:
        verdict = Verdict.failed("the server answers as the protocol says", str(problem))
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as problem:
        # A stranger's JSON may have any shape: one that cannot be read is a test not passed.
        found = f"its answer could not be read ({type(problem).__name__}: {problem})"
        verdict = Verdict.failed("the answer has the shape of the protocol", found)
    return CaseRun(
        verdict=verdict,
        exchanges=tuple(mine.wire.exchanges),
        seconds=time.perf_counter() - started,
    )
