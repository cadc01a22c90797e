"""One query in a session of its own, and the reply held to everything that is always required."""

from __future__ import annotations

from tipstaff.compliance.evidence import Evidence
from tipstaff.compliance.expectation import Expectation
from tipstaff.compliance.expected import expectation_checks
from tipstaff.compliance.grounding import grounding_checks
from tipstaff.compliance.reply import Reply, read_reply
from tipstaff.compliance.verdict import CannotBeJudged, Check
from tipstaff.compliance.world import World, patiently


async def asked(world: World, query: str, tez_id: str) -> Reply:
    """TIP C.1, C.2, C.3: a session for this query alone, closed behind it."""
    session = await world.open(tez_id)
    reply = read_reply(await patiently(session, query))
    await session.close()
    return reply


async def asked_and_checked(
    world: World, expected: Expectation, evidence: Evidence
) -> tuple[Reply, list[Check]]:
    """A bundle's query: its reply, and the checks of what the bundle expects and TIP requires."""
    reply = await asked(world, expected.query, evidence.subject.tez_id)
    checks = [
        *expectation_checks(reply, expected, evidence),
        *grounding_checks(reply, expected.query, evidence),
    ]
    return reply, checks


async def asked_numbered(
    world: World, number: int
) -> tuple[Expectation, Reply, Evidence, list[Check]]:
    """The query of a test of TIP §11."""
    evidence, expected = world.of_section_11(), numbered(world, number)
    reply, checks = await asked_and_checked(world, expected, evidence)
    return expected, reply, evidence, checks


def numbered(world: World, number: int) -> Expectation:
    """The bundle's query for a test of TIP §11."""
    for one in world.of_section_11().subject.expectations:
        if one.tip_test == number:
            return one
    raise CannotBeJudged(f"The bundle has no query for test {number} of TIP §11.")
