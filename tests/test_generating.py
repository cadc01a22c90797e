"""With a language model: what it says is held against the bytes before it is said."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.conftest import ROOT, BundleMaker
from tipstaff.answer.testimony_response import INSTEAD
from tipstaff.domain.classification import Classification
from tipstaff.domain.events import Token
from tipstaff.domain.response import NoticeKind, ResponseEnvelope
from tipstaff.domain.retrieval import RetrievalOptions, Strategy
from tipstaff.engine import index_bundle, open_bundle
from tipstaff.errors import QueryTimeout
from tipstaff.generating import ModelInterrogation
from tipstaff.llm.registry import model_named
from tipstaff.settings import load_settings

QUESTION = "What was Meridian Corp's Q3 revenue?"
USAGE = {"input_tokens": 7, "output_tokens": 3}
TRUE = "Meridian's revenue in the third quarter of 2025 was $48.62 million [[financial-report:p7]]."


@contextmanager
def asking(
    folder: Path, *drafts: Sequence[object], **options: object
) -> Iterator[ModelInterrogation]:
    script = folder / "script.json"
    script.write_text(json.dumps(list(drafts)), encoding="utf-8")
    settings = load_settings({"reader": "none", "embedder": "static"})
    with open_bundle(ROOT / "bundles" / "meridian", settings=settings) as opened:
        yield ModelInterrogation(
            indexed=index_bundle(opened, settings=settings),
            model=model_named(f"scripted:{script}"),
            **options,  # type: ignore[arg-type]
        )


@contextmanager
def scripted(folder: Path, answers: object, **also: str) -> Iterator[ModelInterrogation]:
    """Answers by query, as a script file has them."""
    script = folder / "script.json"
    script.write_text(json.dumps(answers), encoding="utf-8")
    settings = load_settings({"reader": "none", "embedder": "static", **also})
    with open_bundle(ROOT / "bundles" / "meridian", settings=settings) as opened:
        yield ModelInterrogation(
            indexed=index_bundle(opened, settings=settings),
            model=model_named(f"scripted:{script}"),
        )


def ask(folder: Path, *draft: object, query: str = QUESTION) -> ResponseEnvelope:
    with asking(folder, list(draft)) as interrogation:
        return interrogation.ask(query)


def test_a_true_sentence_leaves_with_its_citation(tmp_path: Path) -> None:
    envelope = ask(tmp_path, TRUE)
    assert "$48.62 million [[financial-report:p7]]." in envelope.response.text
    assert envelope.response.classification is Classification.GROUNDED
    assert all(citation.verified for citation in envelope.response.citations)
    assert envelope.model.startswith("scripted")


@pytest.mark.parametrize(
    "lie",
    [
        "Revenue was $51.9 million [[financial-report:p7]].",
        "Revenue in the fourth quarter of 2025 was $48.62 million [[financial-report:p7]].",
        "Revenue fell by 9.1 percent in the third quarter [[financial-report:p7]].",
        "The share price is $12 [[meeting-notes]].",
        "The Board approved the project on 6 November [[meeting-notes]].",
        "The directors were delighted with the outstanding results.",
        "Cloud migrations usually fail because of poor planning [[project-plan]].",
        'The report says "revenue jumped to a record level" [[financial-report:p7]].',
        "The recipient asks: It is a part of Project Kingfisher [[financial-report:p3]].",
        # A small model gets caught in its own words.
        "Revenue is 9 percent of 9 percent of 9 percent of 9 percent [[financial-report:p7]].",
        "Hallmere Instruments bought Meridian in 2024 [[competitive-analysis]].",
        "The cutover is planned for 20–21 July 2026 [[project-plan]].",
        "A secret annex sets revenue at $90 million [[secret-annex:p1]].",
    ],
)
def test_a_false_sentence_never_leaves_and_is_counted(tmp_path: Path, lie: str) -> None:
    envelope = ask(tmp_path, f"{TRUE} {lie}")
    words = lie.split(" [[", maxsplit=1)[0]
    assert words not in envelope.response.text
    assert len(envelope.response.removed) == 1
    assert "1 statement could not be verified" in envelope.response.text
    assert "$48.62 million" in envelope.response.text


@pytest.mark.parametrize("draft", ["", " \n"])
def test_a_draft_without_statements_is_not_called_unverified(tmp_path: Path, draft: str) -> None:
    told = [one.message for one in ask(tmp_path, draft).notices]
    assert "The model made no statement; this answer is made without it." in told
    assert not any("could be verified" in one for one in told)


def test_a_timeout_names_the_time_of_the_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """TIP §14.5: not what was left of it when the model was asked."""

    def late(*_: object, **__: object) -> None:
        raise QueryTimeout(timeout_seconds=2)

    monkeypatch.setattr("tipstaff.generating.testify", late)
    with asking(tmp_path, [TRUE]) as interrogation, pytest.raises(QueryTimeout) as caught:
        interrogation.ask(QUESTION)
    assert caught.value.details["timeout_seconds"] == 60


def test_what_a_model_without_a_known_price_costs_is_not_known(tmp_path: Path) -> None:
    with asking(tmp_path, [TRUE], [TRUE]) as interrogation:
        assert interrogation.ask(QUESTION).usage.estimated_cost_usd == 0.0
        interrogation.model.price = None
        assert interrogation.ask(QUESTION).usage.estimated_cost_usd is None


def test_a_true_sentence_without_a_citation_or_with_a_wrong_one_gets_the_right_one(
    tmp_path: Path,
) -> None:
    bare = "Gross margin was 47.8 percent of revenue."
    assert "[[financial-report:p8]]" in ask(tmp_path, bare).response.text
    wrong = "Gross margin was 47.8 percent of revenue [[financial-report:p99]]."
    assert "[[financial-report:p8]]" in ask(tmp_path, wrong).response.text


def test_deltas_may_cut_a_mark_anywhere(tmp_path: Path) -> None:
    whole = ask(tmp_path, TRUE).response
    assert ask(tmp_path, *TRUE).response == whole


def test_nothing_is_released_before_its_sentence_is_whole_and_checked(tmp_path: Path) -> None:
    draft = [TRUE[:40], TRUE[40:], " Revenue was $51.9 million [[financial-report:p7]]. ", TRUE]

    async def released(interrogation: ModelInterrogation) -> list[str]:
        return [
            event.delta
            async for event in interrogation.stream(QUESTION)
            if isinstance(event, Token)
        ]

    with asking(tmp_path, draft) as interrogation:
        texts = asyncio.run(released(interrogation))
    assert all("51.9" not in text for text in texts)
    assert "".join(texts).startswith(TRUE)


def test_a_draft_that_collapses_is_replaced_by_the_answer_without_a_model(tmp_path: Path) -> None:
    envelope = ask(tmp_path, "The directors were delighted with the outstanding results.")
    assert "48,620" in envelope.response.text
    assert any(notice.kind is NoticeKind.FALLBACK_MODEL for notice in envelope.notices)


def test_a_proven_gap_is_nobodys_to_fill(tmp_path: Path) -> None:
    draft = "Tesla Energy is larger than Meridian [[competitive-analysis]]."
    envelope = ask(tmp_path, draft, query="How does Meridian compare to Tesla Energy?")
    assert envelope.response.classification is Classification.ABSTENTION
    assert "larger" not in envelope.response.text


def test_the_model_may_abstain(tmp_path: Path) -> None:
    told = "The bundled context does not contain information about what Hallmere charges."
    envelope = ask(tmp_path, told, query="How much does Hallmere charge for a data logger?")
    assert envelope.response.text == told
    assert envelope.response.classification is Classification.ABSTENTION
    assert envelope.response.gaps


def test_that_the_context_is_silent_is_not_said_of_what_it_answers(tmp_path: Path) -> None:
    told = "The bundled context does not contain information about Meridian Corp's Q3 revenue."
    envelope = ask(tmp_path, told)
    assert told not in envelope.response.text
    assert "48,620 ($ thousands)" in envelope.response.text
    assert NoticeKind.FALLBACK_MODEL in [one.kind for one in envelope.notices]


def test_a_broken_stream_is_an_error_and_no_short_answer(tmp_path: Path) -> None:
    from tipstaff.errors import GenerationFailed

    with pytest.raises(GenerationFailed):
        ask(tmp_path, TRUE, {"error": "generation_failed"})


def test_another_model_answers_only_if_it_was_named_and_is_said_to(tmp_path: Path) -> None:
    from tipstaff.errors import ModelUnavailable

    with (
        asking(tmp_path, [{"error": "model_unavailable"}]) as alone,
        pytest.raises(ModelUnavailable),
    ):
        alone.ask(QUESTION)
    other = tmp_path / "other.json"
    other.write_text(json.dumps([TRUE]), encoding="utf-8")
    fallback = model_named(f"scripted:{other}")
    with asking(tmp_path, [{"error": "model_unavailable"}], fallback=fallback) as both:
        envelope = both.ask(QUESTION)
    assert "$48.62 million [[financial-report:p7]]" in envelope.response.text
    assert envelope.model == fallback.name
    assert any(notice.kind is NoticeKind.FALLBACK_MODEL for notice in envelope.notices)


def test_a_model_that_was_not_asked_is_said_not_to_have_been(tmp_path: Path) -> None:
    envelope = ask(tmp_path, TRUE, query="How does Meridian compare to Tesla Energy?")
    assert any("was not asked" in notice.message for notice in envelope.notices)


@pytest.mark.parametrize(
    ("query", "is_asked"),
    [
        # An adjective of a land may stand for an address; what is sold there may not be there.
        ("What does the Swedish paint maker charge?", True),
        ("What does the Swedish firm Larkwing charge?", False),
        # "Jory Penn wrote the checker. In May he asked for …".
        ("What did Jory Penn ask for, and who turned him down?", True),
        ("What did Edda Holm ask for?", False),
    ],
)
def test_a_model_is_kept_from_what_is_proven_absent_alone(
    make_bundle: BundleMaker, tmp_path: Path, query: str, is_asked: bool
) -> None:
    report = (
        b"# Report\n\nCoat AB of Malm\xc3\xb6 charges 42 euros for a tin of paint.\n\n"
        b"Jory Penn wrote the checker. In May he asked for 15,000 pounds. Mr Finch refused.\n"
    )
    deed = b"# Deed\n\nEdda Holm is a witness of this deed.\n"
    script = tmp_path / "script.json"
    script.write_text(json.dumps(["Well."]), encoding="utf-8")
    settings = load_settings({"reader": "none", "embedder": "static"})
    with open_bundle(make_bundle({"report.md": report, "deed.md": deed})) as opened:
        envelope = ModelInterrogation(
            indexed=index_bundle(opened, settings=settings),
            model=model_named(f"scripted:{script}"),
        ).ask(query)
    assert is_asked is not any("was not asked" in one.message for one in envelope.notices)


def test_a_streamed_answer_is_the_same_answer(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from tipstaff.cli.main import main

    script = tmp_path / "script.json"
    lie = " Revenue was $51.9 million [[financial-report:p7]]."
    words = ["ask", str(ROOT / "bundles" / "meridian"), QUESTION, "--set", "reader=none"]
    words += ["--set", "embedder=static", "--model", f"scripted:{script}"]
    shown = []
    for option in ([], ["--stream"]):
        script.write_text(json.dumps([[*TRUE, lie]]), encoding="utf-8")
        assert main([*words, *option]) == 0
        shown.append(capsys.readouterr().out)
    assert shown[0] == shown[1]
    assert "51.9" not in shown[1]


def test_what_failed_goes_back_to_the_model_once_and_its_better_words_join(tmp_path: Path) -> None:
    lie = "Gross margin was 51.2 percent of revenue [[financial-report:p8]]."
    better = f"Corrected: {TRUE} Gross margin was 47.8 percent of revenue [[financial-report:p8]]."
    script = {QUESTION: [f"{TRUE} {lie}"], "could not be verified": [better]}
    with scripted(tmp_path, script) as interrogation:
        response = interrogation.ask(QUESTION).response
    assert "47.8 percent of revenue [[financial-report:p8]]" in response.text
    assert response.text.count("$48.62 million") == 1
    assert "51.2" not in response.text
    assert "Corrected" not in response.text
    assert len(response.removed) == 1
    assert INSTEAD not in response.text
    with scripted(tmp_path, script, repair_rounds="0") as interrogation:
        text = interrogation.ask(QUESTION).response.text
    # Without a second try the source speaks for itself.
    assert INSTEAD in text
    assert "“Gross margin was 47.8 percent of revenue" in text
    assert "51.2" not in text


def test_a_better_statement_comes_with_the_one_that_it_leans_on(tmp_path: Path) -> None:
    lie = "Gross margin was 51.2 percent of revenue [[financial-report:p8]]."
    leaning = (
        "It was an increase of 9.1 percent on the third quarter of 2024 [[financial-report:p7]]."
    )
    for again, stands in ((f"{TRUE} {leaning}", True), (leaning, False)):
        script = {QUESTION: [f"{TRUE} {lie}"], "could not be verified": [again]}
        with scripted(tmp_path, script) as interrogation:
            text = interrogation.ask(QUESTION).response.text
        assert ("9.1 percent on the third quarter" in text) is stands
        if stands:
            before, _, _ = text.partition(" It was an increase")
            assert before.endswith(TRUE)


def test_a_repair_that_fails_leaves_the_answer_and_is_said(tmp_path: Path) -> None:
    lie = "Gross margin was 51.2 percent of revenue [[financial-report:p8]]."
    script = {QUESTION: [f"{TRUE} {lie}"], "could not be verified": [{"error": "rate_limited"}]}
    with scripted(tmp_path, script) as interrogation:
        envelope = interrogation.ask(QUESTION)
    assert "$48.62 million" in envelope.response.text
    assert any("could not be asked again" in notice.message for notice in envelope.notices)


def test_a_part_that_is_proven_missing_is_not_put_to_the_model(tmp_path: Path) -> None:
    query = "What was the Q3 2025 revenue? And what did Zorbex Holdings pay for it?"
    script = {"Zorbex": ["Zorbex paid $9 million [[meeting-notes]]."], "revenue": [TRUE]}
    with scripted(tmp_path, script) as interrogation:
        response = interrogation.ask(query).response
    assert "$48.62 million" in response.text
    assert "$9 million" not in response.text
    assert "Zorbex" in response.text
    assert response.classification is Classification.PARTIAL


def test_small_talk_of_a_draft_that_collapses_does_not_leave(tmp_path: Path) -> None:
    envelope = ask(tmp_path, "Here is what I found. The directors were delighted with results.")
    assert "Here is what I found" not in envelope.response.text
    assert "48,620" in envelope.response.text


def test_a_window_too_small_for_the_synthesis_is_an_error_with_the_figures(tmp_path: Path) -> None:
    from tipstaff.errors import TokenLimitExceeded

    script = {"answers": [[TRUE]], "window_tokens": 2_500}
    with scripted(tmp_path, script) as interrogation, pytest.raises(TokenLimitExceeded) as raised:
        interrogation.ask(QUESTION)
    assert raised.value.details["token_limit"] == 2_500
    assert raised.value.details["tokens_required"] > 2_500


def test_a_small_window_costs_history_first_and_says_so(tmp_path: Path) -> None:
    script = {"answers": {"": [TRUE]}, "window_tokens": 9_000}
    with scripted(tmp_path, script, max_response_tokens="500") as interrogation:
        envelopes = [interrogation.ask(f"{QUESTION} ({'word ' * 350})") for _ in range(6)]
    kinds = [notice.kind for notice in envelopes[-1].notices]
    assert NoticeKind.HISTORY_TRUNCATED in kinds
    assert NoticeKind.HISTORY_TRUNCATED not in [one.kind for one in envelopes[0].notices]


def test_a_session_that_was_forgotten_is_taken_up_again(tmp_path: Path) -> None:
    from tipstaff.asking import Remembered

    with asking(tmp_path, [TRUE]) as first, asking(tmp_path, [TRUE]) as second:
        envelope = first.ask(QUESTION)
        usage = envelope.usage
        second.remember(
            [
                Remembered(
                    understood=first.last_understood,
                    said=envelope.response.text,
                    input_tokens=usage.input_tokens,
                    output_tokens=usage.output_tokens,
                )
            ]
        )
        follow_up = "And in Q2?"
        again, went_on = second.ask(follow_up), first.ask(follow_up)
        assert again.session.query_count == went_on.session.query_count == 2
        assert again.response == went_on.response
        assert [one.message for one in again.notices] == [one.message for one in went_on.notices]
        assert second.said() == first.said()


BOTH = "What was Meridian Corp's Q3 revenue and who wrote the project plan?"
MULTI_PASS = RetrievalOptions(strategy=Strategy.MULTI_PASS)


def sub_queries_of(interrogation: ModelInterrogation) -> list[tuple[str, ...]]:
    return [done.sub_queries for done in interrogation._searches if done.query == BOTH]


def test_a_model_is_asked_for_the_aspects_that_multi_pass_searches_for(tmp_path: Path) -> None:
    """Enterprise §5.2.2, step 1; its tokens count like all others."""
    aspects = ["third quarter turnover\n", "authors of the plan", {"usage": USAGE}]
    with asking(tmp_path, aspects, [TRUE, {"usage": USAGE}], options=MULTI_PASS) as interrogation:
        envelope = interrogation.ask(BOTH)
        assert sub_queries_of(interrogation)[-1] == (
            "third quarter turnover",
            "authors of the plan",
        )
    assert "$48.62 million" in envelope.response.text
    assert envelope.usage is not None
    assert (envelope.usage.input_tokens, envelope.usage.output_tokens) == (14, 6)


def test_a_model_that_does_not_know_the_aspects_leaves_them_to_the_grammar(tmp_path: Path) -> None:
    failing = ["thi", {"error": "timeout"}]
    with asking(tmp_path, failing, [TRUE], options=MULTI_PASS) as interrogation:
        envelope = interrogation.ask(BOTH)
        assert len(sub_queries_of(interrogation)[-1]) == 2
    assert "$48.62 million" in envelope.response.text
    assert any("aspects" in notice.message for notice in envelope.notices)


def test_a_single_pass_asks_a_model_for_the_answer_only(tmp_path: Path) -> None:
    with asking(tmp_path, [TRUE]) as interrogation:
        assert "$48.62 million" in interrogation.ask(BOTH).response.text


def test_a_judge_that_was_named_is_heard_and_can_only_lower_trust(tmp_path: Path) -> None:
    doubts = tmp_path / "judge.json"
    doubts.write_text(json.dumps(["No."]), encoding="utf-8")
    named = f"judge:scripted:{doubts}"
    with scripted(tmp_path, [[TRUE]], support_checker=named) as interrogation:
        envelope = interrogation.ask(QUESTION)
    assert len(envelope.response.removed) == 1
    assert any(notice.kind is NoticeKind.FALLBACK_MODEL for notice in envelope.notices)


def test_what_is_beyond_a_limit_is_not_called_unverified(tmp_path: Path) -> None:
    margin = " Gross margin was 47.8 percent of revenue [[financial-report:p8]]."
    with scripted(tmp_path, [[TRUE, margin * 8]], max_response_tokens="64") as interrogation:
        envelope = interrogation.ask(QUESTION)
    assert envelope.response.removed
    assert "could not be verified" not in envelope.response.text
    assert any(notice.kind is NoticeKind.LIMITED for notice in envelope.notices)


def test_a_sentence_is_not_said_behind_another_that_it_was_not_said_of(tmp_path: Path) -> None:
    """What "it" is stands in a sentence that was withheld."""
    lie = "Operating income was $9 million [[financial-report:p7]]."
    leans = (
        "It was an increase of 9.1 percent on the third quarter of 2024 [[financial-report:p7]]."
    )
    assert "increase of 9.1" in ask(tmp_path, TRUE, " ", leans).response.text
    response = ask(tmp_path, TRUE, " ", lie, " ", leans).response
    told, _, _ = response.text.partition(INSTEAD)
    assert "It was an increase" not in told
    assert any("stands in a sentence that was withheld" in one.reason for one in response.removed)


def test_the_time_for_an_answer_is_for_all_of_it(tmp_path: Path) -> None:
    """A second try has what the first one left (TIP §14.5)."""
    lie = "Revenue was $51.9 million [[financial-report:p7]]."
    slow = {
        "": [{"delay_ms": 700}, TRUE, " ", lie],
        "could not be verified": [{"delay_ms": 700}, TRUE],
    }
    with scripted(tmp_path, slow, timeout_s="1", support_checker="none") as interrogation:
        envelope = interrogation.ask(QUESTION)
    assert any("could not be asked again" in notice.message for notice in envelope.notices)
    assert "$48.62 million" in envelope.response.text


def test_small_talk_before_a_second_try_is_not_left_behind(tmp_path: Path) -> None:
    lie = "Gross margin was 51.2 percent of revenue [[financial-report:p8]]."
    better = "Gross margin was 47.8 percent of revenue [[financial-report:p8]]."
    script = {QUESTION: [f"Here is what the context says.\n{lie}"], "could not be": [better]}

    async def told() -> str:
        with scripted(tmp_path, script) as interrogation:
            events = [event async for event in interrogation.stream(QUESTION)]
        return "".join(event.delta for event in events if isinstance(event, Token))

    text = asyncio.run(told())
    assert "47.8 percent" in text
    assert "Here is" not in text


@pytest.mark.parametrize(
    "query", ["How is the project going to be rehearsed?", "What did Desmond Pell ask?"]
)
def test_that_the_context_is_silent_is_not_said_on_a_models_word(
    tmp_path: Path, query: str
) -> None:
    silent = "The bundled context does not contain information about this project's rehearsals."
    with scripted(tmp_path, {"": [silent]}) as interrogation:
        envelope = interrogation.ask(query)
    assert silent not in envelope.response.text
    assert envelope.response.claims
    assert any(one.kind is NoticeKind.FALLBACK_MODEL for one in envelope.notices)


def test_of_two_parts_the_one_that_is_answered_is_not_called_silent(tmp_path: Path) -> None:
    query = "What was Meridian Corp's Q3 revenue, and what does the chair's dog eat?"
    wrong = "The bundled context does not contain information about Meridian Corp's Q3 revenue."
    right = "The bundled context does not contain information about what the chair's dog eats."
    with scripted(tmp_path, {"": [f"{TRUE} {wrong} {right}"]}) as interrogation:
        text = interrogation.ask(query).response.text
    assert wrong not in text
    assert "dog" in text


def test_what_is_proven_absent_is_not_answered_with_another_part(tmp_path: Path) -> None:
    query = (
        "What was Meridian Corp's Q3 revenue, and what is Tesla Energy's share of North American "
        "logger units?"
    )
    others = (
        "The share of North American logger units in 2024 was about 22 percent "
        "[[competitive-analysis]]."
    )
    with scripted(tmp_path, {"": [f"{TRUE} {others}"]}) as interrogation:
        response = interrogation.ask(query).response
    assert "$48.62 million" in response.text
    assert "22 percent" not in response.text
    assert "'Tesla Energy' does not occur" in response.text


def test_what_was_answered_without_the_model_is_history_for_it(tmp_path: Path) -> None:
    with scripted(tmp_path, {"": [TRUE]}) as interrogation:
        interrogation.ask("What did Zorbex Holdings pay for the Quillfeather rights?")
        assert [asked for asked, _ in interrogation.said()] == [
            "What did Zorbex Holdings pay for the Quillfeather rights?"
        ]
