"""Which retrieval metadata a recipient sees, as the setting `transparency` says (Enterprise §10.4).

The setting is `all`, `none` or names of fields with commas. What says where a passage is, and
what was done instead of what was asked for, is always shown.
"""

from __future__ import annotations

import difflib
from typing import Any

from tipstaff.errors import UsageError

ALL = "all"
NONE = "none"

# Of a passage or a citation (Enterprise §4.2), and of a summary (§2.3.7).
_ALWAYS = frozenset({"rank", "item_id", "location", "text", "method", "context"})
_ALWAYS_SUMMED = frozenset(
    {
        "strategy",
        "requested_strategy",
        "notes",
        "chunks_retrieved",
        "chunks_used",
        "items_referenced",
        "retrieval_budget_exhausted",
        "ceiling_reached",
    }
)
CHOSEN = (
    "vector_score",
    "keyword_score",
    "hybrid_score",
    "rerank_score",
    "reranked",
    "chunk_id",
    "chunk_tokens",
    "queries",
    "beside",
    "ranking_method",
    "iterations_completed",
    "chunks_evaluated",
    "retrieval_time_ms",
    "sub_queries",
)


def check_exposure(setting: str) -> None:
    """A misspelt name would hide a field that someone meant to show."""
    for name in _names(setting):
        if name not in CHOSEN and name not in _ALWAYS | _ALWAYS_SUMMED:
            near = difflib.get_close_matches(name, CHOSEN, n=1)
            raise UsageError(
                f"The setting transparency: there is no field '{name}'.",
                suggestion=f"Did you mean '{near[0]}'?"
                if near
                else f"all, none, or some of: {', '.join(CHOSEN)}.",
            )


def exposed(fields: dict[str, Any], setting: str) -> dict[str, Any]:
    """The fields of a passage; its place and `method` are always among them."""
    return _kept(fields, setting, _ALWAYS)


def exposed_summary(fields: dict[str, Any], setting: str) -> dict[str, Any]:
    """The fields of a `retrieval_summary`; a strategy that was used instead of another is
    always told (§5.4), and so is a budget that ran out (§5.2.5)."""
    return _kept(fields, setting, _ALWAYS_SUMMED)


def exposed_response(envelope: Any, setting: str) -> Any:
    """A response envelope in its wire form: every `retrieval` object and the summary."""
    if setting == ALL:
        return envelope
    if isinstance(envelope, list):
        return [exposed_response(entry, setting) for entry in envelope]
    if not isinstance(envelope, dict):
        return envelope
    shown = {}
    for name, value in envelope.items():
        if name == "retrieval_summary" and isinstance(value, dict):
            shown[name] = exposed_summary(value, setting)
        elif name == "retrieval" and isinstance(value, dict):
            if setting != NONE:
                shown[name] = exposed(value, setting)
        else:
            shown[name] = exposed_response(value, setting)
    return shown


def _kept(fields: dict[str, Any], setting: str, always: frozenset[str]) -> dict[str, Any]:
    if setting == ALL:
        return fields
    allowed = always | _names(setting)
    return {name: value for name, value in fields.items() if name in allowed}


def _names(setting: str) -> frozenset[str]:
    if setting in (ALL, NONE):
        return frozenset()
    return frozenset(name.strip() for name in setting.split(",") if name.strip())
