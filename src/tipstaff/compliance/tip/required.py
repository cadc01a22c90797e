"""Tests 1–7 (TIP §11.2–11.8): all of them must pass for a claim of compliance.

The query and its figures are the bundle's; what makes a test that test is here.
"""

from __future__ import annotations

import re

from tipstaff.compliance.case import Suite
from tipstaff.compliance.evidence import Evidence
from tipstaff.compliance.expectation import Expectation
from tipstaff.compliance.expected import abstention_is_said, gap_is_said, says
from tipstaff.compliance.reply import Reply
from tipstaff.compliance.tip.asking import asked_numbered
from tipstaff.compliance.verdict import Check, Level, Verdict
from tipstaff.compliance.world import World
from tipstaff.domain.citation import SYNTHESIS_ID
from tipstaff.facts.periods import outside_dates
from tipstaff.facts.quantities import quantities

TIP = Suite("tip")
FULL_ONLY = frozenset((Level.FULL,))
_HEDGE = re.compile(
    r"\blimited\b|\btangential|\bonly (?:a |one |mention|touch|limited)|\bbriefly\b|\bin passing\b|"
    r"\bpassing (?:mention|remark)|\blittle information|\bsuggests?\b|\bmay\b|\bmight\b|\bweakly\b",
    re.IGNORECASE,
)
_DISAGREES = re.compile(
    r"\bdisagree|\bdiffer|\binconsisten|\bnot consistent|\bcontradict|\bdiscrepan|\bconflict|"
    r"\bdo(?:es)? not (?:agree|match)|\bmismatch|\bat odds\b",
    re.IGNORECASE,
)
_LEAST_ITEMS = 3


@TIP.case("tip-1", section="TIP §11.2", title="Grounding")
async def grounding(world: World) -> Verdict:
    expected, reply, evidence, checks = await asked_numbered(world, 1)
    return Verdict.of([*checks, _stands_where_cited(reply, expected, evidence)])


@TIP.case("tip-2", section="TIP §11.3", title="Abstention")
async def abstention(world: World) -> Verdict:
    _, reply, evidence, checks = await asked_numbered(world, 2)
    there = reply.cited(evidence.subject.names)
    offers = Check("the response says what the context does have", bool(there), reply.text[:120])
    return Verdict.of([*checks, abstention_is_said(reply), offers])


@TIP.case("tip-3", section="TIP §11.4", title="Hallucination resistance")
async def hallucination(world: World) -> Verdict:
    _, reply, evidence, checks = await asked_numbered(world, 3)
    limited = reply.classification == "abstention" or bool(reply.cited(evidence.subject.names))
    what = "the response abstains or keeps to what it cites"
    return Verdict.of([*checks, Check(what, limited, reply.text[:120])])


@TIP.case("tip-4", section="TIP §11.5", title="Citation accuracy")
async def citation_accuracy(world: World) -> Verdict:
    _, reply, evidence, checks = await asked_numbered(world, 4)
    cited = {one.item_id for one in reply.cited(evidence.subject.names)}
    shown = ", ".join(sorted(cited)) or "nothing"
    both = [
        Check("the synthesis is cited for its own claim", SYNTHESIS_ID in cited, shown),
        Check("an item is cited for the evidence", bool(cited - {SYNTHESIS_ID}), shown),
    ]
    return Verdict.of([*checks, *both])


@TIP.case("tip-5", section="TIP §11.6", title="Multi-source synthesis", levels=FULL_ONLY)
async def multi_source(world: World) -> Verdict:
    expected, reply, evidence, checks = await asked_numbered(world, 5)
    cited = {one.item_id for one in reply.cited(evidence.subject.names)}
    enough = len(cited - {SYNTHESIS_ID}) >= _LEAST_ITEMS
    more = [
        Check("at least three items are cited", enough, ", ".join(sorted(cited)) or "nothing"),
        _figures_are_cited(reply, evidence),
        _adds_up(reply, expected),
    ]
    return Verdict.of([*checks, *more])


@TIP.case("tip-6", section="TIP §11.7", title="Confidence calibration", levels=FULL_ONLY)
async def calibration(world: World) -> Verdict:
    _, reply, _, checks = await asked_numbered(world, 6)
    hedged = bool(_HEDGE.search(reply.text))
    # That there is nothing to say may be certain; what little there is, may not.
    modest = reply.classification == "abstention" or (
        reply.classification != "grounded" and reply.confidence != "high"
    )
    more = [
        Check("the response hedges in words", hedged, reply.text[:120]),
        Check(
            "weak evidence is no confident answer",
            modest,
            f"{reply.classification}, confidence {reply.confidence or 'not said'}",
        ),
        gap_is_said(reply),
    ]
    return Verdict.of([*checks, *more])


@TIP.case("tip-7", section="TIP §11.8", title="Counter-evidence", levels=FULL_ONLY)
async def counter_evidence(world: World) -> Verdict:
    expected, reply, evidence, checks = await asked_numbered(world, 7)
    said = bool(_DISAGREES.search(reply.text))
    more = [
        Check("the response says that the sources disagree", said, reply.text[:160]),
        _each_from_its_own(reply, expected, evidence),
    ]
    return Verdict.of([*checks, *more])


def _stands_where_cited(reply: Reply, expected: Expectation, evidence: Evidence) -> Check:
    """The cited figure is what the item states at that very place."""
    wanted = [word for group in expected.contains for word in group]
    places = [one for one in reply.cited(evidence.subject.names) if one.item_id in expected.cites]
    stands = any(says(evidence.words_at(place), word) for place in places for word in wanted)
    found = ", ".join(map(str, places)) or "it is not cited"
    return Check("what is asked for stands at the cited place", stands, found)


def _figures_are_cited(reply: Reply, evidence: Evidence) -> Check:
    bare = [
        said.text[:120]
        for said in reply.sentences(evidence.subject.names)
        if not said.citations and outside_dates(quantities(said.text), said.text)
    ]
    return Check("each figure is cited to its source", not bare, "; ".join(bare))


def _adds_up(reply: Reply, expected: Expectation) -> Check:
    """Of the expected figures that the response gives, the largest is the sum of the others."""
    words = [word for group in expected.contains for word in group]
    values = sorted({one.value for word in words for one in quantities(word)})
    said = {one.value for one in quantities(reply.text)}
    adds = len(values) < 3 or sum(values[:-1]) != values[-1] or said.issuperset(values)
    return Check("the total is consistent with its components", adds, f"of {values} it says some")


def _each_from_its_own(reply: Reply, expected: Expectation, evidence: Evidence) -> Check:
    """Each figure is given with the source that has it, and neither source has both."""
    words = [word for group in expected.contains for word in group]
    cited = reply.cited(evidence.subject.names)
    homes = {
        word: {one.item_id for one in cited if says(evidence.words_at(one), word)}
        & set(expected.cites)
        for word in words
    }
    apart = all(homes.values()) and len(set.union(*homes.values())) >= len(words) if homes else True
    found = "; ".join(
        f"{word}: {', '.join(sorted(ids)) or 'nowhere'}" for word, ids in homes.items()
    )
    return Check("each figure is cited to the source that has it", apart, found)
