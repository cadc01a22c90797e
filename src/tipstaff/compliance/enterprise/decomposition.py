"""Multi-pass decomposition: five tests of Enterprise §5.2.2 and §5.4."""

from __future__ import annotations

from typing import Any

from tipstaff.compliance.enterprise.conversing import (
    CHUNK,
    CITATION,
    SEARCH,
    end_of,
    said,
    streamed,
)
from tipstaff.compliance.enterprise.fixtures import (
    COMPARISON,
    CRANE,
    FEE,
    FOUR_THINGS,
    HARBOUR,
    MOORING,
)
from tipstaff.compliance.enterprise.suite import case
from tipstaff.compliance.verdict import Check, Verdict
from tipstaff.compliance.wire import Exchange
from tipstaff.compliance.world import World

CATEGORY = "Multi-pass decomposition"
_STRATEGIES = ("single_pass", "multi_pass", "exhaustive", "iterative")
_SIDES = ("harbour-report", "crane-offer")


async def taken_apart(world: World, query: str = COMPARISON, **options: Any) -> Exchange:
    return await streamed(
        world, HARBOUR, query, retrieval_strategy="multi_pass", retrieval_options=options
    )


def sub_queries(exchange: Exchange) -> list[str]:
    summary = end_of(exchange).get("retrieval_summary") or {}
    return [part for part in summary.get("sub_queries") or [] if isinstance(part, str)]


@case(
    "enterprise-decomposition-1",
    category=CATEGORY,
    section="5.2.2",
    title="A query is taken apart into two or more",
)
async def a_query_is_taken_apart(world: World) -> Verdict:
    parts = sub_queries(await taken_apart(world))
    distinct = {part.casefold().strip() for part in parts if part.strip()}
    return Verdict.of(
        [
            Check("two sub-queries are told", holds=len(parts) >= 2, found=str(parts)),
            Check("each is about something else", holds=len(distinct) == len(parts) > 0),
        ]
    )


@case(
    "enterprise-decomposition-2",
    category=CATEGORY,
    section="5.3",
    title="There are no more of them than were asked for",
)
async def no_more_than_asked_for(world: World) -> Verdict:
    parts = sub_queries(await taken_apart(world, FOUR_THINGS, max_sub_queries=2))
    return Verdict.of(
        [Check("there are two", holds=len(parts) == 2, found=f"{len(parts)}: {parts}")]
    )


@case(
    "enterprise-decomposition-3",
    category=CATEGORY,
    section="5.2.2",
    title="Each side of a comparison is found",
)
async def each_side_is_found(world: World) -> Verdict:
    exchange = await taken_apart(world)
    cited = {event.data.get("item_id") for event in exchange.named(CITATION)}
    missing = [item for item in _SIDES if item not in cited]
    text = said(exchange)
    return Verdict.of(
        [
            Check("both items are cited", holds=not missing, found=", ".join(missing)),
            Check("both figures are told", holds=FEE in text and CRANE in text, found=text[:200]),
        ]
    )


@case(
    "enterprise-decomposition-4",
    category=CATEGORY,
    section="5.2.2",
    title="Results are merged without duplicates and ranked anew",
)
async def merged_and_ranked(world: World) -> Verdict:
    exchange = await taken_apart(world)
    chunks = [event.data for event in exchange.named(CHUNK)]
    ids = [one.get("chunk_id") or (one.get("item_id"), one.get("location")) for one in chunks]
    scores = [one["score"] for one in chunks if "score" in one]
    retrieved = (end_of(exchange).get("retrieval_summary") or {}).get("chunks_retrieved", 0)
    return Verdict.of(
        [
            Check("something was retrieved", holds=bool(chunks) or retrieved > 0),
            Check("no passage comes twice", holds=len(set(ids)) == len(ids), found=str(ids)),
            Check(
                "the best comes first",
                holds=scores == sorted(scores, reverse=True),
                found=str(scores),
            ),
        ]
    )


@case(
    "enterprise-decomposition-5",
    category=CATEGORY,
    section="5.4",
    title="The strategy that is used is the one that is told",
)
async def the_strategy_is_told(world: World) -> Verdict:
    checks = []
    plain = await streamed(world, HARBOUR, MOORING)
    for wished, exchange in (
        ("single_pass", plain),
        ("multi_pass", await taken_apart(world)),
        # One sub-query is no decomposition: whatever is done instead must be told.
        ("", await taken_apart(world, MOORING, max_sub_queries=1)),
    ):
        told = exchange.named(SEARCH)[0].data.get("strategy")
        used = (end_of(exchange).get("retrieval_summary") or {}).get("strategy", told)
        checks += [
            Check("it is one of the four", holds=told in _STRATEGIES, found=str(told)),
            Check("start and summary agree", holds=told == used, found=f"{told}, {used}"),
        ]
        if wished:
            checks.append(Check(f"it is {wished}", holds=told == wished, found=str(told)))
        elif told == "multi_pass":
            parts = sub_queries(exchange)
            checks.append(Check("it took the query apart", holds=len(parts) >= 2, found=str(parts)))
    return Verdict.of(checks)
