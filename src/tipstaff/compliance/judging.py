"""A server and a bundle in, a judgement out: who is asked, what is published, which tests run."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote

from tipstaff.compliance.case import Case
from tipstaff.compliance.claims import TIP, claim_results, claimed_by
from tipstaff.compliance.evidence import Evidence
from tipstaff.compliance.judgement import Judgement
from tipstaff.compliance.reference import reference_bundle
from tipstaff.compliance.running import RUNS, CaseResult, run_cases
from tipstaff.compliance.subject import Subject, as_tez, opened_subject
from tipstaff.compliance.tip.suite import needs_reference, tip_cases
from tipstaff.compliance.verdict import CannotBeJudged
from tipstaff.compliance.wire import Wire, WireFailure
from tipstaff.compliance.world import NAME_ITS_ID, REFERENCE, SUBJECT, Shared, World, publish
from tipstaff.errors import RetrievalFailed, UsageError

DISCOVERY = "/.well-known/tip"


@dataclass(frozen=True, slots=True, kw_only=True)
class Wishes:
    """What is judged and how: `tez_ids` are ids under which a server has a fixture already,
    `only` the tests that are run, `claims` what is claimed whatever the server declares."""

    bundle: Path | None = None
    runs: int = RUNS
    tez_ids: Mapping[str, str] = field(default_factory=dict)
    only: Collection[str] = ()
    without: Collection[str] = ()
    claims: Collection[str] = ()
    every_query: bool = False
    told: Callable[[CaseResult], None] | None = None


async def judge_tip(wire: Wire, wishes: Wishes) -> Judgement:
    """The TIP suite against a server."""
    discovery = await discovered(wire)
    with _subjects(wishes) as (subject, reference):
        shared = Shared(ids=dict(wishes.tez_ids))
        await _put_there(wire, shared, SUBJECT, subject)
        if reference is not subject:
            await _put_there(wire, shared, REFERENCE, reference)
        own = Evidence(subject=subject)
        world = World(
            wire=wire,
            evidence=own,
            reference=own if reference is subject else Evidence(subject=reference),
            discovery=discovery,
            shared=shared,
        )
        with shared.stack:
            cases = tip_cases(subject, every_query=wishes.every_query)
            return await judged("tip", cases, world, wishes, default=(TIP,))


async def judged(
    suite: str, cases: Sequence[Case], world: World, wishes: Wishes, *, default: Collection[str]
) -> Judgement:
    """The tests of a suite, run, and what they come to; `default` are the claims it is for."""
    wanted = chosen(cases, wishes)
    results = await run_cases(wanted, world, runs=wishes.runs, told=wishes.told)
    claimed = frozenset(wishes.claims) or claimed_by(world.discovery, default)
    told = {}
    if world.evidence is not None:
        bundle = world.evidence.subject.bundle
        told = {"id": bundle.id, "title": bundle.title, "version": bundle.version}
    return Judgement(
        suite=suite,
        results=results,
        claims=claim_results(
            results, claimed, left_out=[case for case in cases if case not in wanted]
        ),
        runs=wishes.runs,
        subject=told,
        discovery=world.discovery,
    )


def chosen(cases: Sequence[Case], wishes: Wishes) -> list[Case]:
    """The tests that are wanted; a name that none has is a mistake and not nothing."""
    known = {case.id for case in cases}
    unknown = {*wishes.only, *wishes.without} - known
    if unknown:
        raise UsageError(
            f"There is no test '{min(unknown)}' in this suite.",
            suggestion=f"There are {', '.join(case.id for case in cases)}.",
        )
    return [
        case
        for case in cases
        if (not wishes.only or case.id in wishes.only) and case.id not in wishes.without
    ]


async def discovered(wire: Wire) -> Mapping[str, Any]:
    """What a server says of itself to anybody; nothing, if it says nothing."""
    try:
        answer = await wire.recording().send("GET", DISCOVERY, who=None)
    except WireFailure as problem:
        raise RetrievalFailed(f"The server cannot be reached: {problem}.") from problem
    return answer.body if not answer.is_error and isinstance(answer.body, dict) else {}


@contextmanager
def _subjects(wishes: Wishes) -> Iterator[tuple[Subject, Subject]]:
    """The bundle that is judged, and the one with the queries of TIP §11."""
    path = wishes.bundle or reference_bundle()
    with opened_subject(path, tez_id=wishes.tez_ids.get(SUBJECT)) as subject:
        if not needs_reference(subject):
            yield subject, subject
            return
        tez_id = wishes.tez_ids.get(REFERENCE)
        with opened_subject(reference_bundle(), tez_id=tez_id) as reference:
            yield subject, reference


async def _put_there(wire: Wire, shared: Shared, name: str, subject: Subject) -> None:
    """Published unless the server has it; why it could not be is kept for the tests."""
    mine = wire.recording()
    if name in shared.ids:
        return
    path = f"/tez/{quote(subject.tez_id, safe='')}"
    if not (await mine.send("GET", path)).is_error:
        return
    try:
        await publish(mine, subject.tez_id, as_tez(subject.opened))
    except CannotBeJudged as problem:
        shared.refused[name] = f"{problem} {NAME_ITS_ID.format(name)}"
