"""Retrieval metadata format: six tests of Enterprise §4.2 to §4.4."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from tipstaff.compliance.enterprise.conversing import (
    CHUNK,
    CITATION,
    end_of,
    envelope,
    is_count,
    streamed,
)
from tipstaff.compliance.enterprise.fixtures import BOATS, HARBOUR, MOORING
from tipstaff.compliance.enterprise.suite import case
from tipstaff.compliance.verdict import Check, Verdict
from tipstaff.compliance.world import World

CATEGORY = "Retrieval metadata format"
_METHODS = ("vector", "keyword", "hybrid")
_SCORES = ("vector_score", "keyword_score", "hybrid_score", "rerank_score")
# §10.4: what would tell of machines. A path has two names at the least.
_INSIDE = re.compile(
    r"\b\d{1,3}(\.\d{1,3}){3}\b|(?<![\w.])/\w[\w.-]*/\w|\b\w+://|\b[A-Z]:\\|\blocalhost\b"
)


async def traces(world: World, query: str = MOORING) -> list[Mapping[str, Any]]:
    """The `retrieval` objects of a response's citations."""
    cited = (await envelope(world, HARBOUR, query))["response"]["citations"]
    return [one["retrieval"] for one in cited if isinstance(one.get("retrieval"), Mapping)]


def told(found: list[Mapping[str, Any]]) -> Check:
    return Check("citations say how they were found", holds=bool(found))


@case(
    "enterprise-metadata-1", category=CATEGORY, section="4.2", title="A citation names its method"
)
async def a_citation_names_its_method(world: World) -> Verdict:
    found = await traces(world)
    methods = [one.get("method") for one in found]
    known = all(method in _METHODS for method in methods)
    return Verdict.of(
        [told(found), Check("each method is a standard one", holds=known, found=str(methods))]
    )


@case("enterprise-metadata-2", category=CATEGORY, section="4.4", title="Scores lie between 0 and 1")
async def scores_lie_between_0_and_1(world: World) -> Verdict:
    exchange = await streamed(world, HARBOUR, MOORING)
    found = await traces(world) + await traces(world, BOATS)
    scores = {name: one[name] for one in found for name in _SCORES if name in one}
    outside = [
        f"{name} {one[name]}"
        for one in found
        for name in _SCORES
        if not _is_share(one.get(name, 0))
    ]
    chunks = [event.data["score"] for event in exchange.named(CHUNK) if "score" in event.data]
    outside += [f"score {score}" for score in chunks if not _is_share(score)]
    return Verdict.of(
        [
            told(found),
            Check("some score is told", holds=bool(scores or chunks)),
            Check("none lies outside", holds=not outside, found=", ".join(outside)),
        ]
    )


def _is_share(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1


@case("enterprise-metadata-3", category=CATEGORY, section="4.2", title="Every field has its type")
async def every_field_has_its_type(world: World) -> Verdict:
    found = await traces(world) + await traces(world, BOATS)
    return Verdict.of(
        [
            told(found),
            _each("rank counts from 1", found, "rank", lambda value: is_count(value) and value > 0),
            _each("chunk_id is a name", found, "chunk_id", lambda value: isinstance(value, str)),
            _each("chunk_tokens is a number", found, "chunk_tokens", is_count),
            _each("reranked is yes or no", found, "reranked", lambda v: isinstance(v, bool)),
            Check(
                "what was not reranked has no such score",
                holds=not any(
                    "rerank_score" in one and one.get("reranked") is False for one in found
                ),
            ),
        ]
    )


def _each(what: str, found: list[Mapping[str, Any]], name: str, is_right: Any) -> Check:
    wrong = [one[name] for one in found if name in one and not is_right(one[name])]
    return Check(what, holds=not wrong, found=str(wrong))


@case(
    "enterprise-metadata-4",
    category=CATEGORY,
    section="4.2",
    title="Stream and response tell the same of a citation",
)
async def stream_and_response_agree(world: World) -> Verdict:
    exchange = await streamed(world, HARBOUR, MOORING)
    cited = (await envelope(world, HARBOUR, MOORING))["response"]["citations"]
    whole = {(one.get("item_id"), one.get("location")): one.get("retrieval") for one in cited}
    events = [event.data for event in exchange.named(CITATION)]
    differing = [
        f"{one.get('item_id')}:{one.get('location')}"
        for one in events
        if whole.get((one.get("item_id"), one.get("location"))) != one.get("retrieval")
    ]
    return Verdict.of(
        [
            Check("there is a citation", holds=bool(events)),
            Check("each is told alike", holds=not differing, found=", ".join(differing)),
        ]
    )


@case("enterprise-metadata-5", category=CATEGORY, section="2.3.7", title="The summary adds up")
async def the_summary_adds_up(world: World) -> Verdict:
    exchange = await streamed(world, HARBOUR, MOORING)
    summary = end_of(exchange).get("retrieval_summary") or {}
    names = ("chunks_retrieved", "chunks_used", "items_referenced")
    retrieved, used, items = (summary.get(name, -1) for name in names)
    cited = {event.data.get("item_id") for event in exchange.named(CITATION)}
    return Verdict.of(
        [
            Check(
                "there is a summary with its counts",
                holds=all(is_count(summary.get(name)) for name in names),
                found=str(summary),
            ),
            Check("no more was used than retrieved", holds=used <= retrieved, found=str(summary)),
            Check(
                "it counts the items that are cited",
                holds=items == len(cited),
                found=f"{items} for {len(cited)}",
            ),
        ]
    )


@case(
    "enterprise-metadata-6",
    category=CATEGORY,
    section="10.4",
    title="Nothing in it tells of the machine",
)
async def nothing_tells_of_the_machine(world: World) -> Verdict:
    exchange = await streamed(world, HARBOUR, MOORING)
    shown = [event.data.get("retrieval") for event in exchange.named(CITATION)]
    shown += [event.data for event in exchange.named(CHUNK)]
    shown.append(end_of(exchange).get("retrieval_summary"))
    inside = [match[0] for one in shown for match in _INSIDE.finditer(str(one))]
    return Verdict.of(
        [
            Check("something is told of retrieval", holds=any(shown)),
            Check("no path, address or host", holds=not inside, found=", ".join(inside)),
        ]
    )
