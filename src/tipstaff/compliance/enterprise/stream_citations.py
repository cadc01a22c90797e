"""Streaming citation verification: five tests of Enterprise §2.3.6."""

from __future__ import annotations

import re

from tipstaff.compliance.enterprise.conversing import (
    CITATION,
    TOKEN,
    end_of,
    has,
    marks,
    said,
    streamed,
)
from tipstaff.compliance.enterprise.fixtures import BOATS, COMPARISON, HARBOUR, MOORING
from tipstaff.compliance.enterprise.suite import case
from tipstaff.compliance.verdict import Check, Verdict
from tipstaff.compliance.wire import Exchange
from tipstaff.compliance.world import World

CATEGORY = "Streaming citation verification"
_SYNTHESIS = ("tez.md", "synthesis")


def place(item: object, location: object) -> str:
    return f"{item}:{location}" if location else f"{item}"


def told_late(exchange: Exchange) -> list[str]:
    """Marks that stood in the words before their citation was told."""
    known: set[str] = set()
    text, late = "", []
    for event in exchange.events:
        if event.name == CITATION:
            known.add(place(event.data.get("item_id"), event.data.get("location")))
        elif event.name == TOKEN:
            text += str(event.data.get("delta", ""))
            late += [mark for mark in marks(text) if mark not in known and mark not in late]
    return late


async def with_citations(world: World, query: str) -> Exchange:
    return await streamed(world, HARBOUR, query)


@case(
    "enterprise-citation-1",
    category=CATEGORY,
    section="2.3.6",
    title="A citation is told before the words that carry its mark",
)
async def a_citation_comes_before_its_words(world: World) -> Verdict:
    checks = []
    for query in (MOORING, COMPARISON):
        exchange = await with_citations(world, query)
        late = told_late(exchange)
        checks += [
            Check("there is a citation", holds=bool(exchange.named(CITATION))),
            Check("no mark comes before its citation", holds=not late, found=", ".join(late)),
        ]
    return Verdict.of(checks)


@case(
    "enterprise-citation-2",
    category=CATEGORY,
    section="2.3.6",
    title="A citation has its item, its verdict and its time",
)
async def a_citation_has_its_fields(world: World) -> Verdict:
    told = (await with_citations(world, MOORING)).named(CITATION)
    wrong = sorted({name for event in told for name in has(event, {"item_id": str})})
    times = [event.data.get("timestamp", "") for event in told]
    return Verdict.of(
        [
            Check("there is a citation", holds=bool(told)),
            Check("each has item_id and timestamp", holds=not wrong, found=", ".join(wrong)),
            Check(
                "each says whether it was verified",
                holds=all(isinstance(event.data.get("verified"), bool) for event in told),
            ),
            Check("times do not run backwards", holds=times == sorted(times), found=str(times)),
        ]
    )


@case(
    "enterprise-citation-3",
    category=CATEGORY,
    section="2.3.7",
    title="The end counts the citations that were told",
)
async def the_end_counts_them(world: World) -> Verdict:
    exchange = await with_citations(world, COMPARISON)
    told = exchange.named(CITATION)
    verified = sum(1 for event in told if event.data.get("verified") is True)
    counted = end_of(exchange).get("citation_count")
    numbers = [event.data["citation_index"] for event in told if "citation_index" in event.data]
    return Verdict.of(
        [
            Check(
                "citation_count is the number of verified citations",
                holds=counted == verified,
                found=f"{counted} for {verified}",
            ),
            Check(
                "indexes are those of a sequence",
                holds=numbers in ([], list(range(1, len(told) + 1))),
                found=str(numbers),
            ),
        ]
    )


@case(
    "enterprise-citation-4",
    category=CATEGORY,
    section="2.3.6",
    title="What is called verified stands in the item",
)
async def what_is_verified_stands_there(world: World) -> Verdict:
    checks = []
    for query in (MOORING, BOATS):
        for event in (await with_citations(world, query)).named(CITATION):
            item, excerpt = event.data.get("item_id"), event.data.get("text_excerpt")
            known = item in HARBOUR.items or item in _SYNTHESIS
            checks.append(Check("its item is in the bundle", holds=known, found=str(item)))
            if item in HARBOUR.items and isinstance(excerpt, str):
                stands = _words(excerpt) in _words(HARBOUR.items[item].text)
                checks.append(Check("its excerpt stands there", holds=stands, found=excerpt[:120]))
            if item in HARBOUR.items:
                checks.append(_line_exists(str(item), event.data.get("location")))
    return Verdict.of(checks or [Check("there is a citation", holds=False)])


def _words(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.casefold()))


def _line_exists(item: str, location: object) -> Check:
    """Of the many forms of a place, lines are those that a Markdown file is sure to have."""
    match = re.fullmatch(r"L(\d+)(?:-L?(\d+))?", str(location or ""))
    lines = HARBOUR.items[item].text.count("\n") + 1
    last = int(match[2] or match[1]) if match else 1
    return Check("its place exists", holds=1 <= last <= lines, found=f"{item}:{location}")


@case(
    "enterprise-citation-5",
    category=CATEGORY,
    section="2.3.6",
    title="Citations come amid the words, and are all that the words cite",
)
async def citations_come_amid_the_words(world: World) -> Verdict:
    exchange = await with_citations(world, COMPARISON)
    found = [event.name for event in exchange.events]
    told = [
        place(event.data.get("item_id"), event.data.get("location"))
        for event in exchange.named(CITATION)
    ]
    missing = [mark for mark in marks(said(exchange)) if mark not in told]
    last_word = max((at for at, name in enumerate(found) if name == TOKEN), default=-1)
    return Verdict.of(
        [
            Check(
                "none is put off to the end",
                holds=CITATION in found and found.index(CITATION) < last_word,
            ),
            Check("every mark was told", holds=not missing, found=", ".join(missing)),
            Check("none is told twice", holds=len(set(told)) == len(told), found=", ".join(told)),
        ]
    )
