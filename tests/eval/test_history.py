"""Quality over time: what is kept, and what is told when it declines (Enterprise §8.7)."""

from __future__ import annotations

from pathlib import Path

import jsonschema
import pytest

from tipstaff.eval.history import QualityHistory, degradation
from tipstaff.eval.history_entry import HistoryEntry, entries_from_wire, history_extension, joined
from tipstaff.eval.report import schema
from tipstaff.eval.thresholds import RECOMMENDED

HEURISTIC = "automated_heuristic"


def entry(
    day: int,
    model: str = "extractive",
    methodology: str = HEURISTIC,
    query_set: str = "set",
    **metrics: float,
) -> HistoryEntry:
    return HistoryEntry(
        evaluated_at=f"2026-02-{day:02}T10:00:00Z",
        model=model,
        metrics=metrics,
        query_count=50,
        methodology=methodology,
        query_set=query_set,
    )


@pytest.fixture
def history(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> QualityHistory:
    monkeypatch.setenv("TIPSTAFF_DATA_DIR", str(tmp_path))
    return QualityHistory(tenant="acme", tez_id="small-tez")


def kept_file(tmp_path: Path) -> Path:
    return tmp_path / "tenants" / "acme" / "quality" / "small-tez.jsonl"


def test_what_is_added_is_read_again_oldest_first(history: QualityHistory) -> None:
    assert history.read() == []
    later, sooner = entry(9, relevance=0.9), entry(3, relevance=0.8)
    history.add(later)
    history.add(sooner)
    assert history.read() == [sooner, later]


def test_histories_of_tenants_and_tezits_are_apart(history: QualityHistory, tmp_path: Path) -> None:
    history.add(entry(1, relevance=0.9))
    assert QualityHistory(tenant="other", tez_id="small-tez").read() == []
    assert QualityHistory(tenant="acme", tez_id="other-tez").read() == []
    assert kept_file(tmp_path).exists()


def test_half_a_line_of_a_killed_process_costs_nothing_else(
    history: QualityHistory, tmp_path: Path
) -> None:
    history.add(entry(1, relevance=0.9))
    with kept_file(tmp_path).open("ab") as stream:
        stream.write(b'{"evaluated_at": "2026-02-02T1')
    history.add(entry(3, relevance=0.8))
    assert [one.evaluated_at[8:10] for one in history.read()] == ["01", "03"]


def test_a_metric_below_its_threshold_is_told() -> None:
    (alert,) = degradation(entry(2, faithfulness=0.89, relevance=0.8), [], RECOMMENDED)
    assert alert == "faithfulness is 0.89, below its threshold 0.90."


@pytest.mark.parametrize(
    ("was", "now", "is_told"),
    [
        (1.0, 0.9, False),
        (1.0, 0.89, True),
        (0.9, 0.81, False),
        (0.9, 0.8, True),
        (0.5, 0.9, False),
        (0.0, 0.0, False),
    ],
)
def test_a_decline_of_more_than_a_tenth_of_what_it_was_is_told(
    was: float, now: float, is_told: bool
) -> None:
    alerts = degradation(entry(2, relevance=now), [entry(1, relevance=was)], {})
    assert bool(alerts) is is_told


def test_an_alert_says_how_much_and_since_when() -> None:
    (alert,) = degradation(entry(2, relevance=0.81), [entry(1, relevance=0.92)], RECOMMENDED)
    assert alert == ("relevance declined by 12%, from 0.92 to 0.81, since 2026-02-01T10:00:00Z.")


def test_only_the_last_comparable_evaluation_counts() -> None:
    """§8.5: results of different methodologies should not be compared, nor those of other
    queries."""
    now = entry(9, relevance=0.5)
    assert degradation(now, [entry(1, relevance=0.9, methodology="human_evaluation")], {}) == []
    assert degradation(now, [entry(1, relevance=0.9, query_set="another")], {}) == []
    assert degradation(now, [entry(1, relevance=0.9), entry(2, relevance=0.5)], {}) == []
    assert degradation(now, [entry(1, relevance=0.5), entry(2, relevance=0.9)], {})


def test_a_model_is_held_against_itself_and_a_new_one_against_the_one_before() -> None:
    before = [entry(1, relevance=0.8), entry(2, "openai:m", relevance=0.95)]
    assert degradation(entry(3, relevance=0.8), before, {}) == []
    (alert,) = degradation(entry(3, "openai:new", relevance=0.8), before, {})
    assert alert.endswith("since 2026-02-02T10:00:00Z (with openai:m).")


def test_a_strangers_history_is_read_and_what_is_no_entry_passed_over() -> None:
    good = {"evaluated_at": "2026-01-15T10:00:00Z", "model": "m", "metrics": {"relevance": 0.94}}
    wrong = [
        1,
        {},
        {"metrics": {}},
        {**good, "evaluated_at": 3},
        {**good, "evaluated_at": "yesterday"},
        {**good, "metrics": [1]},
    ]
    odd = {
        "evaluated_at": "2026-01-16T10:00:00Z",
        "metrics": {"relevance": 7, "speed": 0.5, "faithfulness": True},
        "model": 3,
        "query_count": "many",
        "methodology": "gut_feeling",
    }
    read = entries_from_wire([*wrong, odd, good])
    assert [dict(one.metrics) for one in read] == [{"relevance": 0.94}, {}]
    jsonschema.validate(history_extension(read, RECOMMENDED), schema())
    assert entries_from_wire("nothing") == []


def test_histories_that_overlap_are_joined_without_repeating() -> None:
    one, two, three = (entry(day, relevance=0.9) for day in (1, 2, 3))
    assert joined([two, one], [three, two]) == [one, two, three]
