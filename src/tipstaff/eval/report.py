"""An evaluation in the words of Enterprise §8.4, §8.7 and §8.8; `tezit-eval.schema.json` is their
schema, written from the specification's text."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from importlib.metadata import version
from importlib.resources import files
from typing import Any

from tipstaff.eval.metrics import Measured, Metric

VERSION = "1.0"


class Methodology(StrEnum):
    """§8.5."""

    LLM_JUDGE = "automated_llm_judge"
    HEURISTIC = "automated_heuristic"
    HUMAN = "human_evaluation"
    HUMAN_IN_THE_LOOP = "human_in_the_loop"


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryEntry:
    """§8.7's fields, and two that say what it may be compared with: results of different
    methodologies should not be (§8.5), nor those of different queries."""

    evaluated_at: str
    model: str
    metrics: Mapping[str, float]
    query_count: int
    methodology: str = ""
    query_set: str = ""


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


def entry_to_wire(entry: HistoryEntry) -> dict[str, Any]:
    told: dict[str, Any] = {
        "evaluated_at": entry.evaluated_at,
        "model": entry.model,
        "metrics": dict(entry.metrics),
        "query_count": entry.query_count,
    }
    return told | {
        name: value
        for name, value in (("methodology", entry.methodology), ("query_set", entry.query_set))
        if value
    }


def entries_from_wire(values: Any) -> list[HistoryEntry]:
    """A history that somebody wrote, oldest first; what is no entry is passed over."""
    found = (_entry(one) for one in values) if isinstance(values, list) else ()
    return sorted((one for one in found if one is not None), key=lambda one: one.evaluated_at)


def _entry(value: Any) -> HistoryEntry | None:
    if not isinstance(value, dict) or not isinstance(value.get("metrics"), dict):
        return None
    metrics = {str(n): float(v) for n, v in value["metrics"].items() if _is_share(v)}
    moment, model = value.get("evaluated_at"), value.get("model", "")
    count = value.get("query_count", 0)
    if not isinstance(moment, str) or not isinstance(model, str) or not isinstance(count, int):
        return None
    return HistoryEntry(
        evaluated_at=moment,
        model=model,
        metrics=metrics,
        query_count=count,
        methodology=str(value.get("methodology", "")),
        query_set=str(value.get("query_set", "")),
    )


def _is_share(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1


def joined(*histories: Iterable[HistoryEntry]) -> list[HistoryEntry]:
    """Histories that overlap, as one, oldest first."""
    known = {(one.evaluated_at, one.model): one for entries in histories for one in entries}
    return sorted(known.values(), key=lambda one: one.evaluated_at)


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
