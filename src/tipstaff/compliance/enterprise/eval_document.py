"""A `tezit-eval` document, held against Enterprise §8.4, §8.5, §8.7 and §8.8.

A stranger's JSON comes in; what is wrong with it goes out, a line each.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tipstaff.compliance.enterprise.conversing import is_count, is_moment

METRICS = ("relevance", "faithfulness", "citation_accuracy", "completeness", "abstention_rate")
METHODOLOGIES = (
    "automated_llm_judge",
    "automated_heuristic",
    "human_evaluation",
    "human_in_the_loop",
)


def required_faults(document: Mapping[str, Any]) -> list[str]:
    """§8.4's REQUIRED fields."""
    faults = []
    if not isinstance(document.get("version"), str) or not document["version"]:
        faults.append("version is no text")
    if not isinstance(document.get("metrics"), Mapping):
        faults.append("metrics is no object")
    if not is_moment(document.get("evaluated_at")):
        faults.append(f"evaluated_at is no time: {document.get('evaluated_at')}")
    return faults


def metric_faults(metrics: object) -> list[str]:
    """§8.3: known names, each between 0 and 1."""
    if not isinstance(metrics, Mapping) or not metrics:
        return ["there are no metrics"]
    faults = [f"{name} is no metric" for name in metrics if name not in METRICS]
    return faults + [
        f"{name} is {value}" for name, value in metrics.items() if not _is_share(value)
    ]


def _is_share(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1


def description_faults(document: Mapping[str, Any]) -> list[str]:
    """§8.5: how it was evaluated, by what, and over how many queries."""
    faults = []
    if document.get("methodology") not in METHODOLOGIES:
        faults.append(f"methodology is {document.get('methodology')}")
    if "evaluator" in document and not isinstance(document["evaluator"], str):
        faults.append("evaluator is no text")
    if "query_count" in document and not is_count(document["query_count"]):
        faults.append("query_count is no number")
    if "model_evaluated" in document and not isinstance(document["model_evaluated"], str):
        faults.append("model_evaluated is no text")
    return faults


def history_faults(document: Mapping[str, Any]) -> list[str]:
    """§8.7: evaluations of before, from the oldest on."""
    rows = document.get("history", [])
    if not isinstance(rows, list) or not all(isinstance(row, Mapping) for row in rows):
        return ["history is no list of evaluations"]
    faults = [fault for row in rows for fault in metric_faults(row.get("metrics"))]
    times = [str(row.get("evaluated_at")) for row in rows]
    faults += [f"{moment} is no time" for moment in times if not is_moment(moment)]
    return faults + ([] if times == sorted(times) else ["history is not in its order"])


def comparison_faults(document: Mapping[str, Any]) -> list[str]:
    """§8.8: each model once, with metrics."""
    rows = document.get("model_comparison", [])
    if not isinstance(rows, list) or not all(isinstance(row, Mapping) for row in rows):
        return ["model_comparison is no list"]
    models = [row.get("model") for row in rows]
    faults = [] if all(isinstance(one, str) and one for one in models) else ["a model has no name"]
    if len(set(map(str, models))) != len(models):
        faults.append("a model is compared with itself")
    return faults + [fault for row in rows for fault in metric_faults(row.get("metrics"))]
