"""The parts of an evaluation, joined: observed responses → verdicts → metrics (Enterprise §8)."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence

from tipstaff.domain.bundle import Bundle
from tipstaff.eval.history_entry import Methodology
from tipstaff.eval.metrics import measure
from tipstaff.eval.model_judge import ModelJudge
from tipstaff.eval.observation import Observed, Unit, Verdict
from tipstaff.eval.report import Evaluation


async def automatic_verdicts(
    observed: Sequence[Observed], judge: ModelJudge | None
) -> dict[str, Verdict]:
    """Of every unit, by its id: what the model says, or without one what the rules say."""
    if judge is not None:
        return await judge.judge(observed)
    return {one.unit_id(unit): unit.by_rules for one in observed for unit in one.units}


def evaluation_of(
    observed: Sequence[Observed],
    verdicts: Mapping[str, Verdict],
    *,
    methodology: Methodology,
    model: str,
    evaluated_at: str,
    query_set: str,
    judge: ModelJudge | None = None,
) -> Evaluation:
    """By verdicts; a settled unit is a matter of fact, whoever judges the others."""

    def verdict(one: Observed, unit: Unit) -> Verdict | None:
        return unit.by_rules if unit.settled else verdicts.get(one.unit_id(unit))

    return Evaluation(
        measured=measure(observed, verdict),
        model=model,
        methodology=methodology,
        evaluated_at=evaluated_at,
        query_set=query_set,
        judge=judge.model.name if judge else "",
        unclear=judge.unclear if judge else 0,
    )


def bundle_digest(bundle: Bundle) -> str:
    """Two bundles with it have the same items: what was judged of one holds for the other."""
    synthesis = bundle.synthesis.sha256 if bundle.synthesis else ""
    told = [f"{item.id} {item.sha256}" for item in bundle.items]
    return hashlib.sha256("\n".join([synthesis, *sorted(told)]).encode()).hexdigest()[:16]
