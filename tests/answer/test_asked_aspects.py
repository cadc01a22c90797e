"""Aspects of a question, as a model writes them down."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from tipstaff.answer.asked_aspects import AskedAspects, asked_aspects
from tipstaff.errors import QueryTimeout
from tipstaff.llm.registry import model_named


def asked(folder: Path, *steps: object, limit: int = 5) -> AskedAspects:
    script = folder / "script.json"
    script.write_text(json.dumps([list(steps)]), encoding="utf-8")
    model = model_named(f"scripted:{script}")
    return asyncio.run(asked_aspects(model, "What of A and B?", limit=limit, timeout_s=5))


def test_each_line_is_an_aspect_without_its_bullet(tmp_path: Path) -> None:
    said = '1. the cost of A\n- "the cost of B"\n\n(3) 2025 headcount\n4 February deadline\n'
    found = asked(tmp_path, said)
    assert found.queries == (
        "the cost of A",
        "the cost of B",
        "2025 headcount",
        "4 February deadline",
    )
    assert found.usage.output_tokens > 0


def test_there_are_no_more_than_asked_for_none_twice_and_no_essays(tmp_path: Path) -> None:
    found = asked(tmp_path, f"one\none\n{'very ' * 90}long\ntwo\nthree\n", limit=2)
    assert found.queries == ("one", "two")


def test_an_aspect_that_was_cut_off_is_not_searched_for(tmp_path: Path) -> None:
    assert asked(tmp_path, "one\ntwo\nthr", {"finish": "length"}).queries == ("one", "two")


def test_a_model_that_fails_is_told_to_the_caller(tmp_path: Path) -> None:
    with pytest.raises(QueryTimeout):
        asked(tmp_path, "one\n", {"error": "timeout"})
