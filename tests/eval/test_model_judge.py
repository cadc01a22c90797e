"""A language model as judge: what it is shown, and what is made of what it says."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from pathlib import Path

import pytest

from tests.eval.samples import answered, unit
from tests.llm.model_server import KEY, running
from tipstaff.errors import ModelUnavailable
from tipstaff.eval.evaluating import automatic_verdicts, evaluation_of
from tipstaff.eval.history_entry import Methodology
from tipstaff.eval.model_judge import ModelJudge, prompt_for, verdict_in
from tipstaff.eval.observation import UnitKind, Verdict
from tipstaff.llm.registry import model_named

ONE = answered("a", chunks=[False], claims=[False], citations=[False])


def script(folder: Path, answers: object) -> str:
    path = folder / "judge.json"
    path.write_text(json.dumps(answers), encoding="utf-8")
    return f"scripted:{path}"


@pytest.mark.parametrize(
    ("answer", "holds", "is_edge"),
    [("3", True, False), ("2.", True, False), ("1", False, True), ("0", False, False)],
)
def test_a_chunk_is_relevant_from_grade_2_on(answer: str, holds: bool, is_edge: bool) -> None:
    verdict = verdict_in(answer, unit(UnitKind.CHUNK, 1))
    assert verdict is not None
    assert (verdict.holds, verdict.is_edge) == (holds, is_edge)


@pytest.mark.parametrize("answer", ["", "4", "33", "It is 3", "yes", "3 or 2"])
def test_anything_but_a_grade_is_unclear(answer: str) -> None:
    assert verdict_in(answer, unit(UnitKind.CHUNK, 1)) is None


@pytest.mark.parametrize("answer", ["", "maybe", "Yes and no", "3", "YES, because it says so"])
def test_anything_but_a_word_is_unclear(answer: str) -> None:
    assert verdict_in(answer, unit(UnitKind.CLAIM, 1)) is None


def test_partly_is_no_support_but_enough_for_one_of_several_citations() -> None:
    claim, citation = unit(UnitKind.CLAIM, 1), unit(UnitKind.CITATION, 1)
    assert verdict_in("Yes.", claim) == Verdict(True, why="the judge says yes")
    for alone in (claim, citation):
        found = verdict_in("PARTLY", alone)
        assert found is not None
        assert not found.holds
        assert found.is_edge
    shared = verdict_in("partly", replace(citation, joint=True))
    assert shared is not None
    assert shared.holds


def test_data_stands_between_markers_that_no_bundle_can_know() -> None:
    first, second = (prompt_for(ONE, ONE.units[0]) for _ in range(2))
    assert first != second
    assert ONE.query.query in first.messages[0].content
    claim = prompt_for(ONE, ONE.units[1]).messages[0].content
    assert "what is cited" in claim
    assert "the words of claim 1" in claim


def test_its_verdicts_replace_those_of_the_rules(tmp_path: Path) -> None:
    name = script(
        tmp_path,
        {"0, 1, 2 or 3?": "3", "the words of claim 1": "NO", "the words of citation": "YES"},
    )
    judge = ModelJudge(model=model_named(name))
    verdicts = asyncio.run(automatic_verdicts([ONE], judge))
    assert {key: one.holds for key, one in verdicts.items()} == {
        "a/chunk/1": True,
        "a/claim/1": False,
        "a/citation/1": True,
    }
    assert judge.unclear == 0


def test_an_unclear_judge_proves_nothing_and_is_counted(tmp_path: Path) -> None:
    judge = ModelJudge(model=model_named(script(tmp_path, {"": "Well, it depends."})))
    right = answered("a")
    verdicts = asyncio.run(automatic_verdicts([right], judge))
    done = evaluation_of(
        [right],
        verdicts,
        methodology=Methodology.LLM_JUDGE,
        model="extractive",
        evaluated_at="2026-02-05T10:00:00Z",
        query_set="set",
        judge=judge,
    )
    assert done.measured.values["faithfulness"] == 0.0
    assert (done.unclear, done.judge) == (3, judge.model.name)


def test_what_is_settled_is_not_asked(tmp_path: Path) -> None:
    """A place that does not exist supports nothing, whatever a model thinks of the claim."""
    settled = replace(ONE, units=tuple(replace(one, settled=True) for one in ONE.units))
    judge = ModelJudge(model=model_named(script(tmp_path, {"no such question": "YES"})))
    verdicts = asyncio.run(automatic_verdicts([settled], judge))
    assert not any(one.holds for one in verdicts.values())


def test_a_judge_that_is_not_there_ends_the_evaluation(tmp_path: Path) -> None:
    gone = script(tmp_path, [{"error": "model_unavailable"}])
    with pytest.raises(ModelUnavailable):
        asyncio.run(automatic_verdicts([ONE], ModelJudge(model=model_named(gone))))


@pytest.mark.allow_hosts(["127.0.0.1"])
def test_a_judge_over_http_is_a_judge(monkeypatch: pytest.MonkeyPatch) -> None:
    with running() as server:
        server.answer = ("Y", "ES")
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        monkeypatch.setenv("OPENAI_API_KEY", KEY)
        judge = ModelJudge(model=model_named("openai:judge"))
        verdicts = asyncio.run(automatic_verdicts([ONE], judge))
    assert verdicts["a/claim/1"].holds
    assert verdicts["a/citation/1"].holds
    # "YES" is no grade.
    assert not verdicts["a/chunk/1"].holds
    assert judge.unclear == 1
