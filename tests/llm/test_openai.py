"""Servers that speak OpenAI's language, and what OpenAI's own does differently."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import aclosing
from typing import Any

import pytest

from tests.llm.asking import asked, ends_of, text_of, usage_of
from tests.llm.model_server import Failure, ModelServer, running
from tipstaff.errors import GenerationFailed, ModelUnavailable
from tipstaff.llm.hosted import Request, whole_characters
from tipstaff.llm.model import Message, Prompt
from tipstaff.llm.openai import ChatCompletions, is_loopback
from tipstaff.llm.registry import model_named

openai = pytest.importorskip("openai")
pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModelServer]:
    with running() as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        monkeypatch.delenv("OPENAI_API_KEY", raising=False)
        yield server


@pytest.mark.parametrize(
    ("place", "here"),
    [
        ("http://127.0.0.1:11434/v1", True),
        ("http://localhost:1234/v1", True),
        ("http://[::1]:8000/v1", True),
        ("http://127.0.0.1.example.org/v1", False),
        ("https://localhost.example.org/v1", False),
        ("http://192.168.1.7:8000/v1", False),
        ("https://api.openai.com/v1", False),
        ("", False),
    ],
)
def test_this_machine_is_told_from_others(place: str, here: bool) -> None:
    assert is_loopback(place) == here


def test_a_server_on_this_machine_needs_no_key(server: ModelServer) -> None:
    server.key = ""
    pieces, problem = asked(model_named("openai:llama3.1:8b"))
    assert problem is None
    assert ends_of(pieces) == ["stop"]
    assert server.requests[0]["model"] == "llama3.1:8b"


def test_what_is_meant_for_this_machine_passes_no_proxy(
    server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.key = ""
    for variable in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(variable, "http://127.0.0.1:9")
    for variable in ("NO_PROXY", "no_proxy"):
        monkeypatch.delenv(variable, raising=False)
    assert ends_of(asked(model_named("openai:some-model"))[0]) == ["stop"]


@pytest.mark.parametrize("place", ["", "http://192.168.1.7:8000/v1"])
def test_a_server_elsewhere_does(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", place)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(ModelUnavailable, match="need a key"):
        model_named("openai:gpt-4o")


def test_prices_are_those_of_openai_and_of_no_other_server(
    server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert model_named("openai:gpt-4o").price is None
    monkeypatch.setenv("OPENAI_API_KEY", "some-key")
    monkeypatch.delenv("OPENAI_BASE_URL")
    assert model_named("openai:gpt-4o").price is not None


@pytest.mark.parametrize(("own", "limit"), [(True, "max_completion_tokens"), (False, "max_tokens")])
def test_the_limit_has_the_name_that_the_server_knows(own: bool, limit: str) -> None:
    seen: list[dict[str, Any]] = []

    class Client:
        class chat:  # noqa: N801
            class completions:  # noqa: N801
                @staticmethod
                async def create(**asked: Any) -> Any:
                    seen.append(asked)
                    raise OSError("far enough")

    async def ask() -> None:
        service = ChatCompletions(openai, "m", "k", "", own=own)
        request = Request(Prompt("", (Message("user", "?"),)), 99, 5.0, 0.0)
        async with aclosing(service.pieces(Client, request)) as pieces:
            with pytest.raises(Exception, match="far enough"):
                await anext(pieces)

    asyncio.run(ask())
    assert {name: value for name, value in seen[0].items() if name.startswith("max")} == {limit: 99}


def test_money_that_is_spent_does_not_come_back_by_waiting(server: ModelServer) -> None:
    spent = {"error": {"message": "You exceeded your quota", "code": "insufficient_quota"}}
    server.script = [Failure(429, {}, spent)] * 2
    _, problem = asked(model_named("openai:some-model"))
    assert isinstance(problem, ModelUnavailable)
    assert "exceeded your quota" in problem.message
    assert "retry_after_seconds" not in problem.details
    assert len(server.requests) == 1


def test_a_character_that_comes_in_two_escapes_is_put_together(
    server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "a-secret-key")
    server.answer = ("a \ud83c", "\udfd7 crane \ud83c", "and a half \udfd7", "\ud83c")
    pieces, problem = asked(model_named("openai:some-model"))
    assert problem is None
    assert text_of(pieces) == "a 🏗 crane \ufffdand a half \ufffd\ufffd"
    assert len(usage_of(pieces)) == 1


def test_only_the_last_half_of_a_text_waits() -> None:
    assert whole_characters("plain") == ("plain", "")
    assert whole_characters("\ud83c") == ("", "\ud83c")
    assert whole_characters("\ud83c\udfd7") == ("🏗", "")
    assert whole_characters("\udfd7x") == ("\ufffdx", "")
    assert whole_characters("") == ("", "")


def test_a_server_that_leaves_out_what_was_used_is_heard(server: ModelServer) -> None:
    server.key = ""
    server.ending = "odd usage"
    pieces, problem = asked(model_named("openai:some-model"))
    assert problem is None
    assert ends_of(pieces) == ["stop"]
    assert [(one.input_tokens, one.output_tokens) for one in usage_of(pieces)] == [(21, 0)]


def test_an_event_that_is_no_chunk_breaks_the_answer_off(server: ModelServer) -> None:
    server.key = ""
    server.ending = "odd event"
    pieces, problem = asked(model_named("openai:some-model"))
    assert isinstance(problem, GenerationFailed)
    assert ends_of(pieces) == []
