"""FGA scope disclosure: four tests of Enterprise §3.6."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tipstaff.compliance.enterprise.conversing import (
    ALLOWED,
    DENIED,
    end_of,
    envelope,
    is_count,
    silent_on,
    streamed,
)
from tipstaff.compliance.enterprise.fixtures import (
    HARBOUR,
    MOORING,
    OF_THE_OTHERS,
    OF_THE_VAULT,
    VAULT,
    filtered,
)
from tipstaff.compliance.enterprise.suite import case
from tipstaff.compliance.verdict import Check, Verdict
from tipstaff.compliance.wire import OWNER
from tipstaff.compliance.world import World

CATEGORY = "FGA scope disclosure"
_COUNTS = ("total_items", "accessible_items", "restricted_items")


async def scope_for(world: World, who: str) -> Mapping[str, Any]:
    found = (await envelope(world, filtered(world), MOORING, who=who)).get("context_scope")
    return found if isinstance(found, Mapping) else {}


@case(
    "enterprise-scope-1",
    category=CATEGORY,
    section="3.6",
    title="The scope is told with the end of a stream and with a response",
)
async def the_scope_is_told(world: World) -> Verdict:
    whole = await scope_for(world, DENIED)
    end = end_of(await streamed(world, filtered(world), MOORING, who=DENIED))
    told = end.get("context_scope")
    return Verdict.of(
        [
            Check("the response has it", holds=bool(whole)),
            Check("the end of a stream has it", holds=isinstance(told, Mapping) and bool(told)),
            Check("both are the same", holds=whole == told, found=f"{told} for {whole}"),
        ]
    )


@case("enterprise-scope-2", category=CATEGORY, section="3.6", title="Its numbers add up")
async def its_numbers_add_up(world: World) -> Verdict:
    every, checks = len(filtered(world).items), []
    for who, restricted in ((DENIED, 3), (ALLOWED, 2)):
        scope = await scope_for(world, who)
        seen = every - restricted
        checks += [
            Check("each is a number", holds=all(is_count(scope.get(name)) for name in _COUNTS)),
            _number(f"{who}: all items", scope, "total_items", every),
            _number(f"{who}: those that may be seen", scope, "accessible_items", seen),
            _number(f"{who}: those that may not", scope, "restricted_items", restricted),
            Check(f"{who}: whether that is all", holds=scope.get("scope_complete") is False),
        ]
        if "accessible_item_ids" in scope:
            ids = sorted(scope["accessible_item_ids"])
            expected = sorted([*HARBOUR.items, *([VAULT] if who == ALLOWED else [])])
            checks.append(Check(f"{who}: which those are", holds=ids == expected, found=str(ids)))
    return Verdict.of(checks)


def _number(what: str, scope: Mapping[str, Any], name: str, expected: int) -> Check:
    return Check(what, holds=scope.get(name) == expected, found=f"{scope.get(name)}")


@case(
    "enterprise-scope-3",
    category=CATEGORY,
    section="3.6",
    title="Who sees a part is told so in words, and not what the rest is",
)
async def a_part_is_told_in_words(world: World) -> Verdict:
    answer = await envelope(world, filtered(world), MOORING, who=DENIED)
    words = f"{answer.get('notices', '')} {answer['response'].get('text', '')}"
    seen, every = str(len(HARBOUR.items)), str(len(filtered(world).items))
    scope = answer.get("context_scope", {})
    return Verdict.of(
        [
            Check(
                "a notice says of how many items the answer is",
                holds=seen in words and every in words and "item" in words.casefold(),
                found=words[:200],
            ),
            silent_on("it names none", answer, (*OF_THE_VAULT, *OF_THE_OTHERS)),
            silent_on("nor does the scope", scope, (VAULT, "master-diary", "sealed-letter")),
        ]
    )


@case(
    "enterprise-scope-4", category=CATEGORY, section="3.6", title="Who sees everything is told that"
)
async def everything_is_told(world: World) -> Verdict:
    scope = await scope_for(world, OWNER)
    every = len(filtered(world).items)
    other = (await envelope(world, HARBOUR, MOORING, who=DENIED)).get("context_scope") or {}
    return Verdict.of(
        [
            Check("whoever published it sees all", holds=scope.get("scope_complete") is True),
            _number("nothing is restricted", scope, "restricted_items", 0),
            _number("all are accessible", scope, "accessible_items", every),
            Check(
                "so does everybody where nothing is restricted",
                holds=other.get("scope_complete") is True and other.get("restricted_items") == 0,
                found=str(other),
            ),
        ]
    )
