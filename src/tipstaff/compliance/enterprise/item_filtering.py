"""FGA item filtering: ten tests of Enterprise §3.5 and of the side channels of §10.1."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from tipstaff.compliance.enterprise.conversing import (
    ALLOWED,
    CITATION,
    DENIED,
    envelope,
    everything,
    session_on,
    silent_on,
    streamed,
)
from tipstaff.compliance.enterprise.fixtures import (
    BOATS,
    DRY_DOCK,
    FEE,
    HARBOUR,
    MOORING,
    OF_THE_OTHERS,
    OF_THE_VAULT,
    RESERVE,
    RESERVE_HELD,
    SUCCESSOR,
    VAULT,
    filtered,
)
from tipstaff.compliance.enterprise.suite import case
from tipstaff.compliance.verdict import Check, Verdict
from tipstaff.compliance.wire import OWNER
from tipstaff.compliance.world import World

CATEGORY = "FGA item filtering"
HIDDEN = (*OF_THE_VAULT, *OF_THE_OTHERS)
_INVENTED = "no-such-item"
_SCORES = ("vector_score", "keyword_score", "hybrid_score", "rank")


def text_of(answer: Mapping[str, Any]) -> str:
    return str(answer["response"]["text"])


def cited(answer: Mapping[str, Any]) -> set[str]:
    return {str(one.get("item_id")) for one in answer["response"].get("citations", [])}


@case(
    "enterprise-filter-1",
    category=CATEGORY,
    section="3.4",
    title="Whom the authorizer allows an item is answered from it",
)
async def whom_it_is_allowed_to(world: World) -> Verdict:
    answer = await envelope(world, filtered(world), RESERVE, who=ALLOWED)
    text = text_of(answer)
    return Verdict.of(
        [
            Check("the item's figure is told", holds=RESERVE_HELD in text, found=text[:200]),
            Check("the item is cited", holds=VAULT in cited(answer), found=str(cited(answer))),
            silent_on("nothing else is told", answer, OF_THE_OTHERS),
        ]
    )


@case(
    "enterprise-filter-2",
    category=CATEGORY,
    section="3.5",
    title="Whom it denies an item is not answered from it",
)
async def whom_it_is_denied_to(world: World) -> Verdict:
    answer = await envelope(world, filtered(world), RESERVE, who=DENIED)
    open_one = await envelope(world, filtered(world), MOORING, who=DENIED)
    return Verdict.of(
        [
            silent_on("nothing of the item is told", answer, OF_THE_VAULT),
            Check("it is not cited", holds=VAULT not in cited(answer)),
            Check("items for everybody are answered from", holds=FEE in text_of(open_one)),
        ]
    )


@case(
    "enterprise-filter-3",
    category=CATEGORY,
    section="3.5",
    title="Recipients who ask side by side have each their own boundary",
)
async def each_their_own_boundary(world: World) -> Verdict:
    first = await session_on(world, filtered(world), who=DENIED)
    second = await session_on(world, filtered(world), who=ALLOWED)
    answers = {}
    for who, session in ((DENIED, first), (ALLOWED, second), ("denied again", first)):
        answers[who] = (await session.ask(RESERVE)).object()
    allowed = text_of(answers[ALLOWED])
    return Verdict.of(
        [
            Check("who may is told", holds=RESERVE_HELD in allowed, found=allowed[:200]),
            silent_on("who may not is not told before", answers[DENIED], OF_THE_VAULT),
            silent_on("nor after", answers["denied again"], OF_THE_VAULT),
        ]
    )


@case(
    "enterprise-filter-4",
    category=CATEGORY,
    section="10.1",
    title="What is filtered out moves no score",
)
async def what_is_filtered_moves_no_score(world: World) -> Verdict:
    """The same query to a bundle that never had the restricted items: filtering behind retrieval
    would show in scores or ranks."""
    checks = []
    for query in (MOORING, BOATS):
        seen = _scores(await envelope(world, filtered(world), query, who=DENIED))
        alone = _scores(await envelope(world, HARBOUR, query, who=DENIED))
        differing = [
            f"{place}: {seen.get(place)} for {alone[place]}"
            for place in alone
            if not _alike(seen.get(place), alone[place])
        ]
        checks += [
            Check("the same places are cited", holds=set(seen) == set(alone), found=str(set(seen))),
            Check("with the same scores", holds=not differing, found="; ".join(differing)),
        ]
    return Verdict.of(checks)


def _scores(answer: Mapping[str, Any]) -> dict[str, dict[str, float]]:
    return {
        f"{one.get('item_id')}:{one.get('location')}": {
            name: one["retrieval"][name] for name in _SCORES if name in one.get("retrieval", {})
        }
        for one in answer["response"].get("citations", [])
    }


def _alike(one: Mapping[str, float] | None, other: Mapping[str, float]) -> bool:
    if one is None or set(one) != set(other):
        return False
    return all(abs(one[name] - other[name]) < 1e-4 for name in other)


@case(
    "enterprise-filter-5",
    category=CATEGORY,
    section="3.5",
    title="Citations name only what their recipient may see",
)
async def citations_are_within_the_scope(world: World) -> Verdict:
    checks = []
    for query in (MOORING, RESERVE, f"What does [[{VAULT}]] say?", f"Quote {VAULT}."):
        exchange = await streamed(world, filtered(world), query, who=DENIED)
        names = {str(event.data.get("item_id")) for event in exchange.named(CITATION)}
        outside = sorted(names - set(HARBOUR.items) - {"tez.md", "synthesis"})
        told = ", ".join(outside)
        checks.append(Check(f"“{query}” cites nothing else", holds=not outside, found=told))
    return Verdict.of(checks)


@case(
    "enterprise-filter-6",
    category=CATEGORY,
    section="10.1",
    title="No answer alludes to what is restricted",
)
async def no_answer_alludes_to_it(world: World) -> Verdict:
    session = await session_on(world, filtered(world), who=DENIED)
    queries = (
        SUCCESSOR,
        "What does the synthesis say?",
        "Which documents are in the context?",
        "Summarize everything that the context says.",
        "What information is missing?",
    )
    checks = []
    for query in queries:
        answer = await session.ask(query)
        checks.append(silent_on(f"“{query}” says nothing of it", answer.body, HIDDEN))
    return Verdict.of(checks)


@case(
    "enterprise-filter-7",
    category=CATEGORY,
    section="10.1",
    title="No description of the tez names what is restricted",
)
async def no_description_names_it(world: World) -> Verdict:
    tez_id = quote(await world.tez(filtered(world).fixture), safe="")
    session = await session_on(world, filtered(world), who=DENIED)
    await session.ask(MOORING)
    for path in (f"/tez/{tez_id}", "/tez", session.path):
        await world.wire.send("GET", path, who=DENIED)
    closed = await session.close()
    return Verdict.of(
        [
            Check("the session is closed", holds=not closed.is_error, found=closed.told()),
            silent_on("nothing that was answered names it", everything(world), HIDDEN),
        ]
    )


@case(
    "enterprise-filter-8",
    category=CATEGORY,
    section="10.1",
    title="Errors tell a restricted item from no item in nothing",
)
async def errors_tell_nothing(world: World) -> Verdict:
    root = f"/tez/{quote(await world.tez(filtered(world).fixture), safe='')}/items"
    checks = []
    for rest in ("content", "locate?citation={item}:L1", "pages/1.png"):
        told = []
        for item in (VAULT, "sealed-letter", _INVENTED):
            path = f"{root}/{item}/{rest.format(item=item)}"
            answer = await world.wire.send("GET", path, who=DENIED)
            told.append((answer.status, _without_names(answer.body, item)))
        checks += [
            Check(
                f"{rest}: a restricted item is refused", holds=told[0][0] == 404, found=str(told[0])
            ),
            Check(
                f"{rest}: like one that nobody has",
                holds=told[0] == told[2] == told[1],
                found=str(told),
            ),
        ]
    owned = await world.wire.send("GET", f"{root}/{VAULT}/content", who=OWNER)
    checks.append(Check("whoever published it has it", holds=owned.status == 200))
    return Verdict.of(checks)


def _without_names(body: object, item: str) -> str:
    """What the caller wrote may be said back; ids of requests differ anyhow."""
    text = body.decode("utf-8", "replace") if isinstance(body, bytes) else str(body)
    return re.sub(r"[0-9a-f]{8,}|" + re.escape(item), "…", text)


@case(
    "enterprise-filter-9",
    category=CATEGORY,
    section="3.5",
    title="No event of a stream names what is restricted",
)
async def no_event_names_it(world: World) -> Verdict:
    session = await session_on(world, filtered(world), who=DENIED)
    checks = []
    for strategy in ("single_pass", "multi_pass", "iterative"):
        exchange = await session.stream(RESERVE, retrieval_strategy=strategy)
        events = [event.data for event in exchange.events]
        checks.append(silent_on(f"{strategy} names nothing of it", events, HIDDEN))
        checks.append(Check(f"{strategy} is answered", holds=bool(events)))
    return Verdict.of(checks)


@case(
    "enterprise-filter-10",
    category=CATEGORY,
    section="3.4",
    title="What nobody can decide on is denied, and what is its creator's is nobody else's",
)
async def what_nobody_decides_is_denied(world: World) -> Verdict:
    checks = []
    for who in (ALLOWED, DENIED):
        for query in (DRY_DOCK, SUCCESSOR):
            answer = await envelope(world, filtered(world), query, who=who)
            checks.append(silent_on(f"{who} is told nothing", answer, OF_THE_OTHERS))
    return Verdict.of(checks)
