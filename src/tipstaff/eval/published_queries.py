"""Test queries as bundles bring them (`test-queries.json`), as rows of a query set.

Two shapes are published, and Tipstaff's own bundles have a third (`questions.json`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from tipstaff.errors import UsageError

_ABSTENTION = "abstention"


def published_queries(text: str, name: str) -> list[tuple[str, dict[str, Any]]]:
    """Each row with where it stands."""
    try:
        content = json.loads(text)
    except (ValueError, RecursionError) as problem:
        raise UsageError(f"'{name}' is not JSON: {problem}.") from None
    rows = content
    if isinstance(content, dict):
        rows = content.get("test_queries", content.get("questions"))
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise UsageError(
            f"'{name}' has no list of test queries.",
            suggestion="docs/evaluation.md shows the form of a query set.",
        )
    return [(f"{name}#{number}", _row(row)) for number, row in enumerate(rows, 1)]


def _row(row: Mapping[str, Any]) -> dict[str, Any]:
    if "passing_criteria" in row:
        return _by_criteria(row)
    if "expected_behavior" in row:
        return _by_behaviour(row)
    return _by_gold(row)


def _by_criteria(row: Mapping[str, Any]) -> dict[str, Any]:
    criteria = row["passing_criteria"]
    expected = criteria.get("classification_must_be", row.get("expected_classification"))
    answerable = expected != _ABSTENTION
    groups = [[criteria["must_contain"]]] if "must_contain" in criteria else []
    groups += [words for name, words in criteria.items() if name.startswith("must_contain_any")]
    return {
        **_common(row),
        "answerable": answerable,
        "relevant_items": list(criteria.get("must_cite", ())) if answerable else [],
        "expected": groups if answerable else [],
    }


def _by_behaviour(row: Mapping[str, Any]) -> dict[str, Any]:
    behaviour = row["expected_behavior"]
    acceptable = list(row.get("acceptable_classifications", ()))
    answerable = behaviour.get("type") != "abstain"
    words = list(behaviour.get("must_contain", ()))
    every = behaviour.get("must_contain_mode") == "all"
    groups = [[word] for word in words] if every else [words] if words else []
    return {
        **_common(row),
        "answerable": answerable,
        "acceptable": acceptable,
        "relevant_items": list(behaviour.get("must_cite", ())) if answerable else [],
        "expected": groups if answerable else [],
    }


def _by_gold(row: Mapping[str, Any]) -> dict[str, Any]:
    answerable = row.get("answerable") is not False
    classes = row.get("classification", [])
    return {
        **_common(row),
        "answerable": answerable,
        "acceptable": [classes] if isinstance(classes, str) else list(classes),
        "relevant_passages": list(row.get("gold", ())) if answerable else [],
        "expected": list(row.get("must_contain", ())) if answerable else [],
    }


def _common(row: Mapping[str, Any]) -> dict[str, Any]:
    kind = row.get("query_type", row.get("type", ""))
    note = row.get("notes", row.get("note", ""))
    return {"id": row.get("id"), "query": row.get("query"), "type": kind or "", "note": note or ""}
