"""Eval metric schema: four tests of Enterprise §8.4.

The figures that a server publishes are those in its description of a tez, `GET /tez/{tez-id}`,
under `extensions` (§8.2). The tez that is asked about was published with an evaluation.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import quote

from tipstaff.compliance.enterprise.conversing import DENIED
from tipstaff.compliance.enterprise.eval_document import (
    comparison_faults,
    description_faults,
    history_faults,
    metric_faults,
    required_faults,
)
from tipstaff.compliance.enterprise.fixtures import EVALUATED, EVALUATION
from tipstaff.compliance.enterprise.suite import case
from tipstaff.compliance.verdict import Check, Verdict
from tipstaff.compliance.world import World

CATEGORY = "Eval metric schema"


async def published(world: World) -> Mapping[str, Any]:
    tez_id = quote(await world.tez(EVALUATED.fixture), safe="")
    told = (await world.wire.send("GET", f"/tez/{tez_id}", who=DENIED)).object()
    found = (told.get("extensions") or {}).get("tezit-eval")
    return found if isinstance(found, Mapping) else {}


def there(document: Mapping[str, Any]) -> Check:
    return Check("the figures of the tez are published", holds=bool(document))


def faultless(what: str, faults: list[str]) -> Check:
    return Check(what, holds=not faults, found="; ".join(faults))


def kept(what: str, document: Mapping[str, Any], *names: str) -> Check:
    changed = [name for name in names if document.get(name) != EVALUATION[name]]
    return Check(what, holds=not changed, found=", ".join(changed))


async def held(
    world: World, what: str, faults: Callable[[Mapping[str, Any]], list[str]], *names: str
) -> Verdict:
    document = await published(world)
    return Verdict.of(
        [
            there(document),
            faultless(what, faults(document)),
            kept("they are those of the evaluation", document, *names),
        ]
    )


@case("enterprise-eval-1", category=CATEGORY, section="8.4", title="The required fields are there")
async def the_required_fields_are_there(world: World) -> Verdict:
    return await held(
        world, "version, metrics, evaluated_at", required_faults, "version", "evaluated_at"
    )


@case(
    "enterprise-eval-2",
    category=CATEGORY,
    section="8.6",
    title="Metrics are shares of one, and published also below a threshold",
)
async def metrics_are_shares(world: World) -> Verdict:
    def faults(document: Mapping[str, Any]) -> list[str]:
        return metric_faults(document.get("metrics"))

    return await held(world, "each between 0 and 1", faults, "metrics")


@case("enterprise-eval-3", category=CATEGORY, section="8.5", title="The methodology is named")
async def the_methodology_is_named(world: World) -> Verdict:
    names = ("methodology", "evaluator", "query_count", "model_evaluated")
    return await held(world, "one of the four, with its evaluator", description_faults, *names)


@case(
    "enterprise-eval-4",
    category=CATEGORY,
    section="8.7",
    title="History and comparison have their form",
)
async def history_and_comparison(world: World) -> Verdict:
    def faults(document: Mapping[str, Any]) -> list[str]:
        return history_faults(document) + comparison_faults(document)

    return await held(world, "rows with metrics", faults, "history", "model_comparison")
