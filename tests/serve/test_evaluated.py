"""Quality figures in the description of a tez (Enterprise §8): those of the extension, no more."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.conftest import BundleMaker, manifest_of
from tipstaff.bundle.opening import open_bundle
from tipstaff.serve.evaluated import evaluation_of
from tipstaff.settings import Settings

ITEMS = {"notes.md": b"The sky is blue.\n"}
FIGURES: dict[str, Any] = {
    "version": "1.0",
    "metrics": {"relevance": 0.4, "faithfulness": 1.0},
    "evaluated_at": "2026-02-05T10:00:00Z",
    "query_count": 12,
    "history": [{"evaluated_at": "2026-01-05T10:00:00Z", "metrics": {"relevance": 0.5}}],
}
FILE = "extensions/tezit-eval/tezit-eval.json"


def told(make_bundle: BundleMaker, extra: dict[str, bytes], **manifest: Any) -> Any:
    folder = make_bundle(ITEMS, manifest=manifest_of(ITEMS, **manifest), extra=extra)
    with open_bundle(folder) as opened:
        return evaluation_of(opened, Settings())


@pytest.mark.parametrize("wrapped", [False, True])
def test_figures_are_told_as_they_are_below_a_threshold_or_above(
    make_bundle: BundleMaker, wrapped: bool
) -> None:
    document = {"extensions": {"tezit-eval": FIGURES}} if wrapped else FIGURES
    assert told(make_bundle, {FILE: json.dumps(document).encode()}) == FIGURES


def test_figures_may_stand_in_the_manifest(make_bundle: BundleMaker) -> None:
    assert told(make_bundle, {}, extensions={"tezit-eval": FIGURES}) == FIGURES


def test_a_bundle_without_figures_has_none(make_bundle: BundleMaker) -> None:
    assert told(make_bundle, {}) is None
    assert told(make_bundle, {FILE: b"[1, 2"}) is None


def test_nothing_else_that_a_sender_writes_there_is_told(make_bundle: BundleMaker) -> None:
    hostile = {
        **FIGURES,
        "note": "secret",
        "metrics": {"relevance": "high", "faithfulness": True, "leak": 1, "completeness": 0.5},
        "evaluator": "x" * 5_000,
        "history": ["secret", {"metrics": ["secret"], "words": "secret"}],
    }
    found = told(make_bundle, {FILE: json.dumps(hostile).encode()})
    assert "secret" not in json.dumps(found)
    assert found["metrics"] == {"completeness": 0.5}
    assert len(found["evaluator"]) == 200
    assert found["history"] == [{"metrics": {}}]
