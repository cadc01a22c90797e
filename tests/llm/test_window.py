"""A prompt that is too long is an error of TIP §14.3, whoever notices."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.llm.asking import asked
from tests.llm.model_server import Failure, ModelServer, running
from tipstaff.errors import TokenLimitExceeded
from tipstaff.llm.model import Delta, Message, Prompt
from tipstaff.llm.registry import model_named
from tipstaff.llm.script_file import Script
from tipstaff.llm.scripted import Scripted
from tipstaff.llm.window import must_fit

openai = pytest.importorskip("openai")


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModelServer]:
    with running() as server:
        server.key = ""
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        yield server


def test_what_does_not_fit_is_not_sent() -> None:
    model = Scripted("scripted:inline", Script({"": ((Delta("Yes."),),)}))
    prompt = Prompt("word " * model.window_tokens, (Message("user", "Why?"),))
    with pytest.raises(TokenLimitExceeded) as problem:
        must_fit(prompt, model, max_tokens=100)
    assert problem.value.details["tokens_required"] > problem.value.details["token_limit"]
    must_fit(Prompt("word", (Message("user", "Why?"),)), model, max_tokens=100)


@pytest.mark.allow_hosts(["127.0.0.1"])
@pytest.mark.parametrize(
    ("words", "required"),
    [
        ("request (5318 tokens) exceeds the available context size (4096 tokens)", 5318),
        ("This model's maximum context length is 4,096 tokens. You requested 9,000 tokens", 9000),
        ("prompt is too long: 4500 tokens > 4096 maximum", 4500),
        ("Input is too long for requested model.", 4097),
        ("The input token count (5318) exceeds the maximum number of tokens allowed (4096)", 5318),
        ("prompt is too long: 4500 tokens > 4096 maximum (request 20251118, 87654321)", 4500),
        ("prompt is too long: 99999999999 tokens > 4096 maximum", 4097),
    ],
)
def test_a_service_that_counts_more_is_understood(
    server: ModelServer, words: str, required: int
) -> None:
    server.script = [Failure(400, {}, {"message": words, "error": {"message": words}})]
    _, problem = asked(model_named("openai:llama3.1:8b@4096"))
    assert isinstance(problem, TokenLimitExceeded)
    assert problem.details["token_limit"] == 4096
    assert problem.details["tokens_required"] == required


@pytest.mark.allow_hosts(["127.0.0.1"])
def test_any_other_refusal_is_none_of_that(server: ModelServer) -> None:
    server.script = [Failure(400, {}, {"message": "no", "error": {"message": "unknown field"}})]
    _, problem = asked(model_named("openai:llama3.1:8b@4096"))
    assert problem is not None
    assert not isinstance(problem, TokenLimitExceeded)
