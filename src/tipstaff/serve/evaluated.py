"""The quality figures that a tez brings along, for its description (Enterprise §8.2, §8.6).

They are published as they are, above a threshold or below it. Only what §8.4, §8.7 and §8.8 name
is taken: an extension is a stranger's JSON and might hold anything else.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tipstaff.bundle.opening import OpenBundle
from tipstaff.eval.extension import EXTENSION_ID, read_eval
from tipstaff.settings import Settings

__all__ = ["EXTENSION_ID", "evaluation_of"]

_METRICS = ("relevance", "faithfulness", "citation_accuracy", "completeness", "abstention_rate")
_TEXTS = ("version", "evaluated_at", "evaluator", "model_evaluated", "model", "methodology")
_MAX_CHARS = 200
_MAX_ROWS = 200


def evaluation_of(opened: OpenBundle, settings: Settings) -> dict[str, Any] | None:
    """What the extension says; None if there is none."""
    found = read_eval(opened, settings)
    if found is None:
        return None
    rows = {
        name: [_row(row) for row in found[name][:_MAX_ROWS] if isinstance(row, Mapping)]
        for name in ("history", "model_comparison")
        if isinstance(found.get(name), list)
    }
    thresholds = {"thresholds": _metrics(found["thresholds"])} if "thresholds" in found else {}
    return {**_row(found), **thresholds, **rows}


def _row(found: Mapping[str, Any]) -> dict[str, Any]:
    texts = {name: found[name][:_MAX_CHARS] for name in _TEXTS if isinstance(found.get(name), str)}
    count = found.get("query_count")
    counted = {"query_count": count} if _is_number(count) else {}
    metrics = {"metrics": _metrics(found["metrics"])} if "metrics" in found else {}
    return {**texts, **counted, **metrics}


def _metrics(found: object) -> dict[str, float]:
    if not isinstance(found, Mapping):
        return {}
    return {name: found[name] for name in _METRICS if _is_number(found.get(name))}


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
