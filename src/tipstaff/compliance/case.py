"""A test of a suite, and the registry that it is put in by a decorator.

TIP = Suite("tip")

@TIP.case("tip-1", section="TIP §11.2", title="Grounding", requirements=("TIP-3.1-1",))
async def grounding(world: World) -> Verdict: ...
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tipstaff.compliance.verdict import EVERY_LEVEL, Level, Verdict

if TYPE_CHECKING:
    from tipstaff.compliance.world import World

Run = Callable[["World"], Awaitable[Verdict]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """`claim` is the conformance claim that fails with this test when it is `required`;
    `levels` those that it is judged at. `repeats` is for what a model words: TIP §11.9 has such a
    test run three times; what is decided by the protocol alone is run once."""

    id: str
    section: str
    title: str
    run: Run
    requirements: tuple[str, ...] = ()
    claim: str = "TIP-1.0"
    category: str = ""
    required: bool = True
    repeats: bool = True
    levels: frozenset[Level] = EVERY_LEVEL


@dataclass(slots=True)
class Suite:
    """Tests in the order of the specification, each id once."""

    name: str
    cases: dict[str, Case] = field(default_factory=dict)

    def case(
        self,
        name: str,
        *,
        section: str,
        title: str,
        requirements: tuple[str, ...] = (),
        claim: str = "TIP-1.0",
        category: str = "",
        required: bool = True,
        repeats: bool = True,
        levels: frozenset[Level] = EVERY_LEVEL,
    ) -> Callable[[Run], Run]:
        def entered(run: Run) -> Run:
            self.add(
                Case(
                    id=name,
                    section=section,
                    title=title,
                    run=run,
                    requirements=requirements,
                    claim=claim,
                    category=category,
                    required=required,
                    repeats=repeats,
                    levels=levels,
                )
            )
            return run

        return entered

    def add(self, case: Case) -> None:
        if case.id in self.cases:
            raise ValueError(f"There are two tests named '{case.id}'.")
        self.cases[case.id] = case

    def __iter__(self) -> Iterator[Case]:
        return iter(self.cases.values())
