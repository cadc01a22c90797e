"""Which tests a bundle is judged by: those of TIP §11 and, where it has none, its own queries."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from tipstaff.compliance.case import Case
from tipstaff.compliance.expectation import Expectation
from tipstaff.compliance.subject import Subject
from tipstaff.compliance.tip import codeword, extended
from tipstaff.compliance.tip.asking import asked_and_checked
from tipstaff.compliance.tip.required import TIP
from tipstaff.compliance.verdict import Verdict
from tipstaff.compliance.world import World

CLAIM, LITE_CLAIM = "TIP-1.0", "TIP-Lite"
# Imported for their tests.
_MODULES = (extended, codeword)


def tip_cases(subject: Subject, *, every_query: bool = False) -> list[Case]:
    """Tests 1–11 and the probe, then the bundle's own queries if it numbers none of them or they
    are asked for."""
    has_numbers = any(one.tip_test for one in subject.expectations)
    own = [
        _case(one)
        for one in subject.expectations
        if (every_query or not has_numbers) and not one.tip_test
    ]
    return [*sorted(TIP, key=_in_order), *own]


def _in_order(case: Case) -> int:
    """By number; what has none comes behind."""
    number = case.id.removeprefix("tip-")
    return int(number) if number.isdigit() else len(TIP.cases)


def needs_reference(subject: Subject) -> bool:
    """Whether tests 1–9 have to be asked of the reference bundle instead."""
    return not any(one.tip_test for one in subject.expectations)


def _case(expected: Expectation) -> Case:
    return Case(id=expected.id, section="TIP §11.1", title=expected.query, run=_run_of(expected))


def _run_of(expected: Expectation) -> Callable[[World], Awaitable[Verdict]]:
    async def run(world: World) -> Verdict:
        _, checks = await asked_and_checked(world, expected, world.judged())
        return Verdict.of(checks)

    return run
