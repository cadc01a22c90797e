"""An evaluation as histories have it (Enterprise §8.7), written, and read from strangers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from tipstaff.eval.metrics import METRICS

VERSION = "1.0"
# As the schema has it.
_MOMENT = re.compile(
    r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})", re.ASCII
)


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


def history_extension(
    history: Sequence[HistoryEntry], thresholds: Mapping[str, float]
) -> dict[str, Any]:
    """The `tezit-eval` object of a tez whose evaluations are known and not what they are made of:
    the latest one's metrics, and all of them."""
    latest = entry_to_wire(history[-1])
    told = {
        "version": VERSION,
        "metrics": latest["metrics"],
        "evaluated_at": latest["evaluated_at"],
    }
    for name, field_name in (("model_evaluated", "model"), ("methodology", "methodology")):
        if latest.get(field_name):
            told[name] = latest[field_name]
    return told | {
        "query_count": latest["query_count"],
        "thresholds": dict(thresholds),
        "history": [entry_to_wire(one) for one in history],
    }


def entry_to_wire(entry: HistoryEntry) -> dict[str, Any]:
    optional = {
        "model": entry.model,
        "methodology": entry.methodology,
        "query_set": entry.query_set,
    }
    return {
        "evaluated_at": entry.evaluated_at,
        "metrics": dict(entry.metrics),
        "query_count": entry.query_count,
        **{name: value for name, value in optional.items() if value},
    }


def entries_from_wire(values: Any) -> list[HistoryEntry]:
    """A history that somebody wrote, oldest first; what is no entry is passed over, and what is
    left of it is valid."""
    found = (_entry(one) for one in values) if isinstance(values, list) else ()
    return sorted((one for one in found if one is not None), key=lambda one: one.evaluated_at)


def _entry(value: Any) -> HistoryEntry | None:
    if not isinstance(value, dict) or not isinstance(value.get("metrics"), dict):
        return None
    moment = value.get("evaluated_at")
    if not isinstance(moment, str) or not _MOMENT.fullmatch(moment):
        return None
    count, methodology = value.get("query_count"), _text(value, "methodology")
    has_count = isinstance(count, int) and not isinstance(count, bool) and count >= 0
    return HistoryEntry(
        evaluated_at=moment,
        model=_text(value, "model"),
        metrics={
            name: float(value["metrics"][name])
            for name in METRICS
            if _is_share(value["metrics"].get(name))
        },
        query_count=int(count or 0) if has_count else 0,
        methodology=methodology if methodology in set(Methodology) else "",
        query_set=_text(value, "query_set"),
    )


def _text(value: Mapping[str, Any], name: str) -> str:
    found = value.get(name)
    return found if isinstance(found, str) else ""


def _is_share(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1


def joined(*histories: Iterable[HistoryEntry]) -> list[HistoryEntry]:
    """Histories that overlap, as one, oldest first."""
    known = {(one.evaluated_at, one.model): one for entries in histories for one in entries}
    return sorted(known.values(), key=lambda one: one.evaluated_at)
