"""An evaluation in the words of Enterprise §8.4, §8.7 and §8.8; `tezit-eval.schema.json` is their
schema, written from the specification's text."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from importlib.resources import files
from typing import Any

from tipstaff.eval.history_entry import VERSION, HistoryEntry, Methodology, entry_to_wire
from tipstaff.eval.metrics import Measured, Metric


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation:
    """One model, one query set, one methodology."""

    measured: Measured
    model: str
    methodology: Methodology
    evaluated_at: str
    query_set: str
    judge: str = ""
    unclear: int = 0

    @property
    def entry(self) -> HistoryEntry:
        return HistoryEntry(
            evaluated_at=self.evaluated_at,
            model=self.model,
            metrics=self.measured.values,
            query_count=self.measured.query_count,
            methodology=str(self.methodology),
            query_set=self.query_set,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What is written into a bundle; `compared` are evaluations of the same queries."""

    evaluation: Evaluation
    thresholds: Mapping[str, float]
    history: Sequence[HistoryEntry] = ()
    compared: Sequence[Evaluation] = field(default=())

    def extension(self) -> dict[str, Any]:
        """The `tezit-eval` object."""
        of = self.evaluation
        told: dict[str, Any] = {
            "version": VERSION,
            "metrics": of.measured.values,
            "evaluated_at": of.evaluated_at,
            "evaluator": f"tipstaff/{version('tipstaff')}",
            "model_evaluated": of.model,
            "query_count": of.measured.query_count,
            "methodology": str(of.methodology),
            "thresholds": dict(self.thresholds),
            "history": [entry_to_wire(one) for one in self.history],
        }
        if self.compared:
            told["model_comparison"] = [
                {"model": one.model, "metrics": one.measured.values} for one in self.compared
            ]
        return told


def details(evaluation: Evaluation) -> dict[str, Any]:
    """What §8.4 has no place for: counts, intervals, and both kinds of wrong abstention."""
    measured = evaluation.measured
    told: dict[str, Any] = {
        "metrics": {name: _metric(one) for name, one in measured.metrics.items()},
        "abstention": {
            "false_abstentions": _metric(measured.false_abstentions),
            "false_answers": _metric(measured.false_answers),
        },
        "expected_words": _metric(measured.expected_words),
        "confidence_level": 0.95,
        "query_set": evaluation.query_set,
        "unjudged_units": measured.unjudged,
    }
    if evaluation.judge:
        told |= {"judge": evaluation.judge, "unclear_judgements": evaluation.unclear}
    return told


def _metric(metric: Metric) -> dict[str, Any]:
    low, high = (round(end, 4) for end in metric.interval)
    return {
        "value": metric.value,
        "count": metric.count.hits,
        "of": metric.count.total,
        "interval": [low, high] if metric.count.total else None,
    }


def schema() -> dict[str, Any]:
    """The JSON Schema of the `tezit-eval` object."""
    text = files("tipstaff.eval").joinpath("tezit-eval.schema.json").read_text(encoding="utf-8")
    loaded: dict[str, Any] = json.loads(text)
    return loaded
