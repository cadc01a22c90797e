"""A second opinion: it can lower trust and never raise it."""

# ruff: noqa: ARG002 (models and checkers take what they are given)
from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Sequence
from itertools import product
from pathlib import Path

import pytest

from benchmarks.drafts import indexed_for
from tests.conftest import ROOT
from tipstaff import generating
from tipstaff.answer import generative
from tipstaff.answer.prompt import build_prompt
from tipstaff.answer.witnessing import ContextWitness
from tipstaff.asking import Interrogation
from tipstaff.contracts.support_checkers import PASSAGE, SUPPORTED, faults_of
from tipstaff.domain.classification import Support
from tipstaff.domain.response import ResponseEnvelope
from tipstaff.engine import index_bundle, open_bundle
from tipstaff.errors import GenerationFailed, QueryTimeout, UsageError
from tipstaff.generating import ModelInterrogation
from tipstaff.llm.model import Delta, Finished, Model, Piece, Price, Prompt, UsageReport
from tipstaff.llm.script_file import Script
from tipstaff.llm.scripted import Scripted
from tipstaff.settings import load_settings
from tipstaff.verify.judge import ModelJudge
from tipstaff.verify.support_checker import checker_named, lower_of, second_opinion, used_by

ORDER = (Support.QUOTED, Support.ENTAILED, Support.INFERRED, Support.WEAK, Support.UNVERIFIED)
DRAFT = "The deposit becomes £27,500 [[deed-of-variation:L20]]."


class Reading:
    """A model that says YES where the statement is the contract's supported one."""

    name = "reading:fake"
    window_tokens = 100_000
    max_output_tokens = 100
    parameters_b: float | None = None
    price: Price | None = None

    def __init__(self, *, broken: bool = False) -> None:
        self.broken = broken

    async def stream(
        self, prompt: Prompt, *, max_tokens: int, timeout_s: float
    ) -> AsyncGenerator[Piece, None]:
        if self.broken:
            raise GenerationFailed("broke off")
        asked = prompt.messages[0].content
        supported = f"\n{SUPPORTED}\n" in asked and PASSAGE in asked
        yield Delta("YES" if supported else "No.")
        yield Finished("stop")

    async def aclose(self) -> None:
        pass


class Agreeable:
    name = "agreeable"

    async def check(self, statement: str, passages: Sequence[str]) -> Support:
        return Support.ENTAILED

    async def aclose(self) -> None:
        pass


def scripted(answer: str, *also: UsageReport) -> Scripted:
    return Scripted("scripted:judge", Script({"": ((Delta(answer), *also),)}))


def test_the_judge_keeps_every_promise() -> None:
    broken = ModelJudge(Reading(broken=True))
    assert faults_of(ModelJudge(Reading()), broken=broken) == []


def test_a_checker_that_agrees_to_everything_is_found() -> None:
    faults = faults_of(Agreeable(), broken=Agreeable())
    assert "a statement that is contradicted is agreed to" in faults
    assert "trouble is taken for a verdict" in faults


@pytest.mark.parametrize(("ours", "theirs"), list(product(ORDER, ORDER)))
def test_no_opinion_raises_trust(ours: Support, theirs: Support) -> None:
    assert ORDER.index(lower_of(ours, theirs)) >= ORDER.index(ours)
    assert lower_of(ours, Support.UNVERIFIED) is Support.UNVERIFIED


@pytest.mark.parametrize(
    ("answer", "verdict"),
    [
        ("YES", Support.ENTAILED),
        ("yes.", Support.ENTAILED),
        ("**Partly**", Support.WEAK),
        ("NO", Support.UNVERIFIED),
        ("Yes and no", Support.UNVERIFIED),
        ("I think that it does, yes", Support.UNVERIFIED),
        ("", Support.UNVERIFIED),
    ],
)
def test_only_a_plain_word_of_the_judge_counts(answer: str, verdict: Support) -> None:
    judge = ModelJudge(scripted(answer))
    assert asyncio.run(judge.check(SUPPORTED, [PASSAGE])) is verdict


def test_a_checker_that_fails_has_confirmed_nothing() -> None:
    judge = ModelJudge(Reading(broken=True))
    heard = second_opinion(judge, SUPPORTED, [PASSAGE], Support.QUOTED)
    assert asyncio.run(heard) is Support.UNVERIFIED


def test_a_checker_is_found_by_its_name() -> None:
    assert checker_named("none") is None
    with pytest.raises(UsageError, match="no support checker 'jugde'"):
        checker_named("jugde:openai:x")
    with pytest.raises(UsageError, match="needs a model"):
        checker_named("judge")


@pytest.mark.parametrize(
    ("answer", "said"), [("YES", "£27,500 [["), ("PARTLY", "(weakly supported)"), ("NO", "")]
)
def test_what_the_judge_doubts_is_hedged_or_withheld(answer: str, said: str) -> None:
    async def testimony() -> generative.Testimony:
        with indexed_for("lease-dispute", ()) as indexed:
            asked = Interrogation(indexed=indexed)
            context = ContextWitness(
                context=asked.context(),
                resolve=asked.boundary.resolve,
                has_integrity=asked.boundary.has_integrity,
                permitted=asked.boundary.may_cite,
                checker=ModelJudge(scripted(answer)),
            )
            made = generative.Testimony()
            question = "What is the deposit?"
            async for _ in generative.testify(
                scripted(DRAFT),
                build_prompt(question, items=(), synthesis="", conversation=None, unquotable=[]),
                witness=context.witness(question, may_infer=True),
                context=context,
                max_tokens=100,
                timeout_s=10.0,
                testimony=made,
                repairs=False,
            ):
                pass
            return made

    made = asyncio.run(testimony())
    assert said in made.text
    assert bool(made.removed) == (answer == "NO")


def heard_by(judge: Sequence[object], folder: Path, **also: str) -> ResponseEnvelope:
    """What is answered where a judge of the setting says this."""
    script = folder / "judge.json"
    script.write_text(json.dumps(judge), encoding="utf-8")
    chosen = {"support_checker": f"judge:scripted:{script}", "reader": "none", **also}
    settings = load_settings({"embedder": "static", "repair_rounds": "0", **chosen})
    with open_bundle(ROOT / "bundles" / "lease-dispute", settings=settings) as opened:
        indexed = index_bundle(opened, settings=settings)
        asked = ModelInterrogation(indexed=indexed, model=scripted(DRAFT, UsageReport(7, 3)))
        return asked.ask("What is the deposit?")


def test_the_checker_of_the_setting_is_heard(tmp_path: Path) -> None:
    envelope = heard_by(["NO"], tmp_path)
    assert [one.reason for one in envelope.response.removed] == [
        "The support checker did not confirm it."
    ]
    assert not [one for one in envelope.notices if "could not be heard" in one.message]


def test_what_a_judge_uses_is_used_for_the_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At the judge's own price."""
    answer = ["YES", {"usage": {"input_tokens": 100, "output_tokens": 1}}]
    usage = heard_by(answer, tmp_path).usage
    assert (usage.input_tokens, usage.output_tokens) == (107, 4)
    assert usage.estimated_cost_usd == 0.0

    def priced(model: Model, used: UsageReport) -> float | None:
        return used.input_tokens * 2.0 if "judge.json" in model.name else 1.0

    monkeypatch.setattr(generating, "estimated_cost_usd", priced)
    assert heard_by(answer, tmp_path).usage.estimated_cost_usd == 201.0


def test_several_checkers_tell_what_each_has_used() -> None:
    several = checker_named("none")
    assert used_by(several) == used_by(Agreeable()) == []
    judge = ModelJudge(scripted("YES", UsageReport(5, 1)))
    asyncio.run(judge.check(SUPPORTED, [PASSAGE]))
    assert [usage for _, usage in used_by(judge)] == [UsageReport(5, 1)]
    assert used_by(judge) == []


def test_a_judge_that_cannot_be_heard_is_told_of(tmp_path: Path) -> None:
    """Otherwise a service that is out of reach reads as a model that said nothing true."""
    envelope = heard_by([{"error": "model_unavailable"}], tmp_path)
    assert envelope.response.removed
    (told,) = [one.message for one in envelope.notices if "could not be heard" in one.message]
    assert "judge.json" in told
    assert "temporarily unavailable" in told


def test_a_judge_has_no_time_beyond_that_of_the_answer(tmp_path: Path) -> None:
    """TIP §14.5."""
    with pytest.raises(QueryTimeout) as caught:
        heard_by([{"delay_ms": 20_000}, "YES"], tmp_path, timeout_s="1")
    assert caught.value.details["timeout_seconds"] == 1
