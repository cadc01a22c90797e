"""A public benchmark's questions become a bundle and a query set that `tip eval` reads."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks import squad_queries
from tipstaff.engine import open_bundle
from tipstaff.eval.query_set import read_query_set

SQUAD = {
    "version": "v2.0",
    "data": [
        {
            "title": "Harbour_Light",
            "paragraphs": [
                {
                    "context": "The harbour light was built in 1844.\nIt burns oil.",
                    "qas": [
                        {
                            "id": "q1",
                            "question": " When was the light built?",
                            "answers": [{"text": "1844", "answer_start": 31}, {"text": "in 1844"}],
                            "is_impossible": False,
                        },
                        {
                            "id": "q2",
                            "question": "Who built the light?",
                            "answers": [],
                            "plausible_answers": [{"text": "oil"}],
                            "is_impossible": True,
                        },
                    ],
                }
            ],
        },
        {"title": "Harbour Light", "paragraphs": [{"context": "Another one.", "qas": []}]},
    ],
}


def test_articles_become_items_and_questions_queries(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    source, folder = tmp_path / "dev.json", tmp_path / "squad"
    source.write_text(json.dumps(SQUAD), encoding="utf-8")
    monkeypatch.setattr("sys.argv", ["squad_queries", str(source), str(folder)])
    squad_queries.main()
    assert "2 articles" in capsys.readouterr().out
    with open_bundle(folder) as opened:
        assert [item.id for item in opened.bundle.items] == ["harbour-light", "harbour-light-2"]
        assert all(item.has_integrity for item in opened.bundle.items)
        assert not [finding for finding in opened.findings if finding.severity == "error"]
    built, who = read_query_set(folder.with_name("squad.jsonl")).queries
    assert (built.query, built.expected) == ("When was the light built?", (("1844", "in 1844"),))
    assert built.needed_items == ("harbour-light",)
    assert (who.answerable, who.needed_items) == (False, ())
