"""The reporting schema of Enterprise §8.4, §8.7 and §8.8, from its own examples."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest

from tests.eval.samples import abstained, answered
from tipstaff.eval.history_entry import HistoryEntry, Methodology
from tipstaff.eval.metrics import measure
from tipstaff.eval.report import Evaluation, Report, details, schema
from tipstaff.eval.thresholds import RECOMMENDED

SCHEMA = schema()
METRICS = {
    "relevance": 0.92,
    "faithfulness": 0.97,
    "citation_accuracy": 1.0,
    "completeness": 0.85,
    "abstention_rate": 0.90,
}
# §8.4's own example.
EXAMPLE: dict[str, Any] = {
    "version": "1.0",
    "metrics": METRICS,
    "evaluated_at": "2026-02-05T10:00:00Z",
    "evaluator": "ragu-eval-api/v1.2",
    "model_evaluated": "claude-sonnet-4",
    "query_count": 50,
    "methodology": "automated_llm_judge",
}


def evaluation(model: str = "extractive") -> Evaluation:
    return Evaluation(
        measured=measure([answered("a", chunks=[True, False]), abstained("b", answerable=False)]),
        model=model,
        methodology=Methodology.HEURISTIC,
        evaluated_at="2026-02-05T10:00:00Z",
        query_set="set",
    )


def is_valid(value: Any) -> bool:
    return bool(jsonschema.Draft202012Validator(SCHEMA).is_valid(value))


def test_the_schema_is_one_and_takes_the_specifications_examples() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    assert is_valid(EXAMPLE)
    entry = {
        "evaluated_at": "2026-01-15T10:00:00Z",
        "model": "claude-sonnet-4",
        "metrics": METRICS,
        "query_count": 50,
    }
    compared = {"model": "gpt-4o", "metrics": {"relevance": 0.88, "faithfulness": 0.94}}
    assert is_valid({**EXAMPLE, "history": [entry], "model_comparison": [compared]})


@pytest.mark.parametrize("missing", ["version", "metrics", "evaluated_at"])
def test_what_is_required_is_required(missing: str) -> None:
    assert not is_valid({name: value for name, value in EXAMPLE.items() if name != missing})


@pytest.mark.parametrize(
    "wrong",
    [
        {"metrics": {"relevance": 1.2}},
        {"metrics": {"relevance": "0.9"}},
        {"metrics": {"speed": 0.9}},
        {"evaluated_at": "yesterday"},
        {"query_count": 2.5},
        {"query_count": -1},
        {"methodology": "gut_feeling"},
        {"history": [{"model": "m"}]},
        {"model_comparison": [{"metrics": {}}]},
        {"confidence": 0.95},
    ],
)
def test_what_is_wrong_is_refused(wrong: dict[str, Any]) -> None:
    assert not is_valid({**EXAMPLE, **wrong})


@pytest.mark.parametrize("methodology", list(Methodology))
def test_every_methodology_of_section_8_5_is_a_valid_one(methodology: Methodology) -> None:
    assert is_valid({**EXAMPLE, "methodology": str(methodology)})


def test_what_we_write_is_valid_with_history_and_comparison() -> None:
    first, second = evaluation(), evaluation("openai:m")
    earlier = HistoryEntry(
        evaluated_at="2026-01-01T00:00:00Z", model="m", metrics={}, query_count=2
    )
    report = Report(
        evaluation=first,
        thresholds=RECOMMENDED,
        history=[earlier, first.entry],
        compared=[first, second],
    )
    told = report.extension()
    jsonschema.validate(told, SCHEMA)
    assert told["metrics"]["relevance"] == 0.5
    assert told["evaluator"].startswith("tipstaff/")
    assert [one["model"] for one in told["model_comparison"]] == ["extractive", "openai:m"]
    assert told["history"][1]["methodology"] == "automated_heuristic"
    assert json.loads(json.dumps(told)) == told


def test_details_have_counts_intervals_and_both_kinds_of_wrong_abstention() -> None:
    told = details(evaluation())
    assert told["metrics"]["relevance"] == {
        "value": 0.5,
        "count": 1,
        "of": 2,
        "interval": [0.0546, 0.9454],
    }
    assert told["abstention"]["false_answers"]["of"] == 1
    assert told["abstention"]["false_abstentions"]["count"] == 0
    assert told["expected_words"]["value"] is None
    assert told["expected_words"]["interval"] is None
