"""A script is played as it is written: by query, in turn, with its delays and faults."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from tests.llm.asking import asked, ends_of, text_of, usage_of
from tipstaff.contracts.models import faults_of
from tipstaff.errors import (
    GenerationFailed,
    ModelUnavailable,
    QueryTimeout,
    RateLimited,
    TipstaffError,
    UsageError,
)
from tipstaff.llm.model import Delta, Finished, Message, Model, Prompt, UsageReport
from tipstaff.llm.registry import model_named


@pytest.fixture
def script(tmp_path: Path) -> Any:
    """A model from what its file holds; a list of rows for JSON Lines."""

    def make(content: Any, *, lines: bool = False) -> Model:
        file = tmp_path / ("script.jsonl" if lines else "script.json")
        rows = content if lines else [content]
        file.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
        return model_named(f"scripted:{file}")

    return make


def question(text: str) -> Prompt:
    return Prompt("Be brief.", (Message("user", f"<q>{text}</q>"),))


def said(model: Model, text: str = "Why?") -> str:
    pieces, problem = asked(model, prompt=question(text))
    assert problem is None, problem
    return text_of(pieces)


def test_it_passes_the_suite(script: Any) -> None:
    assert faults_of(script(["The sky ", {"delta": "is blue."}])) == []


def test_its_faults_are_said_as_the_suite_asks(script: Any, tmp_path: Path) -> None:
    models = {}
    for trouble, steps in {
        "broken": ["The sky", {"error": "generation_failed"}],
        "slow": ["The sky", {"delay_ms": 60_000}, " is blue."],
        "busy": [{"error": "rate_limited"}],
        "locked": [{"error": "model_unavailable"}],
    }.items():
        file = tmp_path / f"{trouble}.json"
        file.write_text(json.dumps(steps))
        models[trouble] = model_named(f"scripted:{file}")
    assert faults_of(script(["The sky is blue."]), **models) == []


def test_deltas_come_as_they_are_written(script: Any) -> None:
    pieces, _ = asked(script(["a", {"delta": "[[no"}, {"delay_ms": 1}, "tes:L1]]"]))
    assert [piece for piece in pieces if isinstance(piece, Delta)] == [
        Delta("a"),
        Delta("[[no"),
        Delta("tes:L1]]"),
    ]
    assert ends_of(pieces) == ["stop"]


def test_usage_is_counted_unless_it_is_written(script: Any) -> None:
    (counted,) = usage_of(asked(script(["The sky is blue."]))[0])
    assert counted.input_tokens > 5
    assert counted.output_tokens == 5
    written = {"usage": {"input_tokens": 7, "output_tokens": 3}}
    pieces, _ = asked(script(["x", written, {"finish": "length"}]))
    assert pieces[1:] == [UsageReport(7, 3), Finished("length")]


def test_one_answer_is_given_again_and_again(script: Any) -> None:
    model = script(["Yes."])
    assert [said(model), said(model), said(model)] == ["Yes."] * 3


@pytest.mark.parametrize("lines", [False, True])
def test_several_answers_are_given_in_turn_and_then_no_more(script: Any, lines: bool) -> None:
    model = script([["One."], ["Two", "."]], lines=lines)
    assert [said(model), said(model)] == ["One.", "Two."]
    pieces, problem = asked(model)
    assert isinstance(problem, GenerationFailed)
    assert pieces == []


def test_answers_belong_to_queries(script: Any) -> None:
    model = script(
        {
            "revenue": ["$3.4M."],
            "revenue of Q3": [["First."], ["Second."]],
            "": "Nothing is said about it.",
        }
    )
    assert said(model, "What was the revenue?") == "$3.4M."
    assert said(model, "What was the revenue of Q3?") == "First."
    assert said(model, "Why?") == "Nothing is said about it."
    assert said(model, "And the revenue of Q3 again?") == "Second."


def test_lines_can_name_their_queries(script: Any) -> None:
    rows = [
        {"query": "colour", "answer": ["Blue."]},
        {"query": "size", "answer": ["Large."]},
        {"query": "colour", "answer": ["Still blue."]},
    ]
    model = script(rows, lines=True)
    assert [said(model, "colour"), said(model, "colour")] == ["Blue.", "Still blue."]
    assert said(model, "size") == "Large."
    _, problem = asked(model, prompt=question("weight"))
    assert isinstance(problem, GenerationFailed)


def test_lines_can_be_the_steps_of_one_answer(script: Any) -> None:
    assert said(script([{"delta": "a"}, {"delta": "b"}], lines=True)) == "ab"


def test_a_script_can_say_what_kind_of_model_it_is(script: Any) -> None:
    model = script({"window_tokens": 4096, "parameters_b": 8, "answers": ["Yes."]})
    assert (model.window_tokens, model.parameters_b) == (4096, 8)
    assert said(model) == "Yes."


@pytest.mark.parametrize(
    "fact", [{"window_tokens": "8192"}, {"max_output_tokens": 0}, {"parameters_b": [8]}]
)
def test_what_kind_of_model_it_is_is_said_in_numbers(script: Any, fact: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match=f"is not one: {next(iter(fact))} is .* a number"):
        script({**fact, "answers": ["Yes."]})


@pytest.mark.parametrize(
    ("fault", "error"),
    [
        ("generation_failed", GenerationFailed),
        ("model_unavailable", ModelUnavailable),
        ("rate_limited", RateLimited),
        ("timeout", QueryTimeout),
    ],
)
def test_a_fault_ends_the_answer(script: Any, fault: str, error: type[TipstaffError]) -> None:
    pieces, problem = asked(script(["Half an ", {"error": fault}, "answer."]))
    assert isinstance(problem, error)
    assert pieces == [Delta("Half an ")]


def test_delays_count_towards_the_timeout(script: Any) -> None:
    pieces, problem = asked(script(["a", {"delay_ms": 60_000}, "b"]), timeout_s=0.05)
    assert isinstance(problem, QueryTimeout)
    assert pieces == [Delta("a")]


def test_closing_ends_a_delay(script: Any) -> None:
    async def close() -> None:
        stream = script(["a", {"delay_ms": 60_000}, "b"]).stream(
            question("?"), max_tokens=9, timeout_s=90
        )
        assert await anext(stream) == Delta("a")
        await stream.aclose()

    asyncio.run(asyncio.wait_for(close(), 10))


@pytest.mark.parametrize(
    "content",
    [
        {},
        7,
        [],
        [7],
        [{"delta": 7}],
        [{"error": "no such fault"}],
        [{"delay_ms": -1}],
        [{"finish": "never"}],
        [{"usage": {}}],
        [{"delta": "a", "delay_ms": 1}],
        {"answers": ["a"], "colour": "blue"},
        {"query": {}},
    ],
)
def test_a_file_that_is_no_script_is_refused(script: Any, content: Any) -> None:
    with pytest.raises(UsageError, match="is not one"):
        script(content)


def test_a_file_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be read"):
        model_named(f"scripted:{tmp_path / 'none.json'}")
