"""A file of prepared answers → answers by query, or in turn (docs/models.md has the form)."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

from tipstaff.errors import UsageError
from tipstaff.llm.model import Delta, Finished, Reason, UsageReport

FAULTS = ("generation_failed", "model_unavailable", "rate_limited", "timeout")


@dataclass(frozen=True, slots=True)
class Pause:
    seconds: float


@dataclass(frozen=True, slots=True)
class Fault:
    code: str


Step = Delta | UsageReport | Finished | Pause | Fault
Answer = tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Script:
    """`by_query`: text that the question has in it → answers in turn. The empty text is in every
    question. A single answer is given again and again; of several, each once."""

    by_query: Mapping[str, tuple[Answer, ...]]
    window_tokens: int | None = None
    max_output_tokens: int | None = None
    parameters_b: float | None = None


def read_script(path: Path) -> Script:
    try:
        text = path.read_text(encoding="utf-8")
        rows = _lines(text) if path.suffix == ".jsonl" else json.loads(text)
    except (OSError, ValueError) as problem:
        raise UsageError(f"The script {path} cannot be read: {problem}.") from None
    try:
        return _script(rows)
    except (AttributeError, KeyError, TypeError, ValueError) as problem:
        raise UsageError(
            f"The script {path} is not one: {problem}.",
            suggestion="docs/models.md says what a script looks like.",
        ) from None


def _lines(text: str) -> Any:
    """JSON Lines: steps of one answer, answers in turn, or `{"query": …, "answer": […]}`."""
    rows = [json.loads(line) for line in text.splitlines() if line.strip()]
    if not any(isinstance(row, dict) and "query" in row for row in rows):
        return rows
    by_query: dict[str, list[Any]] = {}
    for row in rows:
        by_query.setdefault(row["query"], []).append(row["answer"])
    return by_query


def _script(rows: Any) -> Script:
    facts: dict[str, Any] = {}
    if isinstance(rows, dict) and "answers" in rows:
        facts = {name: value for name, value in rows.items() if name != "answers"}
        for name, value in facts.items():
            _check_number(name, value)
        rows = rows["answers"]
    if isinstance(rows, dict):
        by_query = {query: tuple(_answers(answers)) for query, answers in rows.items()}
    else:
        by_query = {"": tuple(_answers(rows))}
    if not by_query:
        raise ValueError("an answer is missing")
    return Script(by_query, **facts)


def _check_number(name: str, value: Any) -> None:
    kinds = (int, float) if name == "parameters_b" else int
    if value is not None and not (isinstance(value, kinds) and value > 0):
        raise ValueError(f"{name} is {json.dumps(value)}, and should be a number")


def _answers(rows: Any) -> Iterator[Answer]:
    if isinstance(rows, str):
        rows = [rows]
    if not isinstance(rows, Sequence):
        raise TypeError("answers are lists")
    if not rows:
        raise ValueError("an answer is missing")
    several = all(isinstance(row, list) for row in rows)
    for steps in rows if several else [rows]:
        yield tuple(_step(step) for step in steps)


def _step(step: Any) -> Step:
    if isinstance(step, str):
        return Delta(step)
    if not isinstance(step, dict) or len(step) != 1:
        raise TypeError(f"{json.dumps(step)} is no step")
    ((kind, value),) = step.items()
    if kind == "delta" and isinstance(value, str):
        return Delta(value)
    if kind == "delay_ms" and isinstance(value, (int, float)) and value >= 0:
        return Pause(value / 1_000)
    if kind == "error" and value in FAULTS:
        return Fault(value)
    if kind == "finish" and value in get_args(Reason):
        return Finished(value)
    if kind == "usage":
        return UsageReport(int(value["input_tokens"]), int(value["output_tokens"]))
    raise ValueError(f"{json.dumps(step)} is no step")
