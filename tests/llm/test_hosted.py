"""Models behind an API, by their official SDKs, against a server that speaks the format."""

from __future__ import annotations

import asyncio
import gc
import re
import threading
from collections.abc import Iterator
from contextlib import aclosing
from email.utils import formatdate
from pathlib import Path
from typing import Any, cast

import pytest

from tests.llm.asking import asked, ends_of, text_of
from tests.llm.model_server import ANSWER, KEY, Failure, ModelServer, running
from tipstaff.contracts.models import PROMPT, faults_of
from tipstaff.errors import (
    GenerationFailed,
    ModelUnavailable,
    QueryTimeout,
    RateLimited,
    TokenLimitExceeded,
    UsageError,
)
from tipstaff.llm.hosted import Hosted
from tipstaff.llm.model import Delta, Finished, Message, Prompt, UsageReport
from tipstaff.llm.registry import model_named

pytestmark = [
    pytest.mark.allow_hosts(["127.0.0.1"]),
    # Where aiohttp happens to be installed, Google's SDK takes it, in a way that aiohttp regrets.
    pytest.mark.filterwarnings("ignore:Inheritance class:DeprecationWarning"),
]

PACKAGES = {
    "anthropic": "anthropic",
    "bedrock": "boto3",
    "google": "google.genai",
    "openai": "openai",
}
KEYS = {
    "anthropic": "ANTHROPIC_API_KEY",
    "bedrock": "AWS_ACCESS_KEY_ID",
    "google": "GOOGLE_API_KEY",
    "openai": "OPENAI_API_KEY",
}
PLACES = {
    "anthropic": "ANTHROPIC_BASE_URL",
    "bedrock": "AWS_ENDPOINT_URL_BEDROCK_RUNTIME",
    "google": "GOOGLE_GEMINI_BASE_URL",
    "openai": "OPENAI_BASE_URL",
}
BUSY = {"message": "slow down", "error": {"message": "slow down"}}


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with running() as server:
        yield server


@pytest.fixture(autouse=True)
def nobodys_account(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Tests read no keys and no profiles of whoever runs them."""
    others = ("GEMINI_API_KEY", "AWS_PROFILE", "AWS_SESSION_TOKEN", "AWS_BEARER_TOKEN_BEDROCK")
    for variable in (*KEYS.values(), *PLACES.values(), *others):
        monkeypatch.delenv(variable, raising=False)
    for variable in ("AWS_CONFIG_FILE", "AWS_SHARED_CREDENTIALS_FILE"):
        monkeypatch.setenv(variable, str(tmp_path / "none"))
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "nobody's")
    monkeypatch.setenv("AWS_REGION", "us-east-1")


@pytest.fixture(params=sorted(PACKAGES))
def kind(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, server: ModelServer
) -> str:
    name: str = request.param
    use(name, monkeypatch, server)
    return name


def use(name: str, monkeypatch: pytest.MonkeyPatch, server: ModelServer) -> None:
    pytest.importorskip(PACKAGES[name])
    monkeypatch.setenv(KEYS[name], KEY)
    monkeypatch.setenv(PLACES[name], server.url)


def made(kind: str, pauses: list[float] | None = None, *, name: str = "some-model") -> Hosted:
    """The model of a setting; its pauses are noted instead of waited for."""
    model = cast(Hosted, model_named(f"{kind}:{name}"))
    noted = pauses if pauses is not None else []

    async def note(seconds: float) -> None:
        noted.append(seconds)

    model.wait = note
    return model


def test_an_answer_arrives_in_pieces_with_usage_and_its_end(kind: str) -> None:
    pieces, problem = asked(made(kind))
    assert problem is None
    assert pieces == [*map(Delta, ANSWER), UsageReport(21, 13), Finished("stop")]


def test_the_service_passes_the_suite(kind: str, server: ModelServer) -> None:
    assert faults_of(made(kind)) == []


def test_trouble_is_said_as_the_suite_asks(
    kind: str, server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each model in trouble is made for its own server, which is in that trouble."""
    with running() as broken, running() as slow, running() as busy:
        broken.ending, slow.ending = "cut", "stalled"
        busy.script = [Failure(429, {"Retry-After": "1000"}, BUSY)]
        models = {}
        for trouble, place in (("broken", broken), ("slow", slow), ("busy", busy)):
            monkeypatch.setenv(PLACES[kind], place.url)
            models[trouble] = made(kind)
        monkeypatch.setenv(PLACES[kind], server.url)
        good = made(kind)
        monkeypatch.setenv(KEYS[kind], "wrong-key")
        assert faults_of(good, locked=made(kind), **models) == []


def test_the_request_is_what_was_asked_for(kind: str, server: ModelServer) -> None:
    prompt = Prompt(
        "Be brief.",
        (Message("user", "Why?"), Message("assistant", "Because."), Message("user", "Really?")),
    )
    asked(made(kind), prompt=prompt, max_tokens=77)
    (request,) = server.requests
    assert sent(kind, request) == {
        "system": "Be brief.",
        "said": [("user", "Why?"), ("assistant", "Because."), ("user", "Really?")],
        "max_tokens": 77,
        "temperature": 0,
    }
    assert request.get("model", request["path"]).count("some-model") == 1


def sent(kind: str, request: dict[str, Any]) -> dict[str, Any]:
    """A request in words that all formats share."""
    if kind == "bedrock":
        limits, system = request["inferenceConfig"], request["system"][0]["text"]
        said = [(turn["role"], turn["content"][0]["text"]) for turn in request["messages"]]
        limit = limits["maxTokens"]
    elif kind == "google":
        limits = request["generationConfig"]
        system = request["systemInstruction"]["parts"][0]["text"]
        roles = {"model": "assistant", "user": "user"}
        said = [(roles[turn["role"]], turn["parts"][0]["text"]) for turn in request["contents"]]
        limit = limits["maxOutputTokens"]
    else:
        limits, limit = request, request["max_tokens"]
        said = [(turn["role"], turn["content"]) for turn in request["messages"]]
        system = said.pop(0)[1] if kind == "openai" else request["system"]
    return {
        "system": system,
        "said": said,
        "max_tokens": limit,
        "temperature": limits.get("temperature"),
    }


@pytest.mark.parametrize(
    ("said", "meant"), [("stop", "stop"), ("length", "length"), ("filtered", "refused")]
)
def test_only_an_end_that_was_meant_is_called_stop(
    kind: str, said: str, meant: str, server: ModelServer
) -> None:
    server.reason = "content_filter" if kind == "openai" and said == "filtered" else said
    assert ends_of(asked(made(kind))[0]) == [meant]


@pytest.mark.parametrize("ending", ["truncated", "cut", "error"])
def test_a_stream_that_breaks_off_never_looks_finished(
    kind: str, ending: str, server: ModelServer
) -> None:
    server.ending = cast(Any, ending)
    pauses: list[float] = []
    pieces, problem = asked(made(kind, pauses))
    assert isinstance(problem, GenerationFailed)
    assert "broke off" in problem.message
    assert text_of(pieces) == "".join(ANSWER)
    assert ends_of(pieces) == []
    # What was heard cannot be taken back: no second attempt.
    assert len(server.requests) == 1
    assert pauses == []


@pytest.mark.parametrize("ending", ["truncated", "cut", "error"])
def test_a_stream_that_breaks_off_before_its_first_word_is_asked_for_again(
    kind: str, ending: str, server: ModelServer
) -> None:
    server.answer = ()
    server.ending = cast(Any, ending)
    pauses: list[float] = []
    pieces, problem = asked(made(kind, pauses))
    assert isinstance(problem, (GenerationFailed, ModelUnavailable))
    assert pieces == []
    assert len(server.requests) == len(pauses) + 1 == 4


def test_a_slow_stream_ends_with_the_time_that_it_had(kind: str, server: ModelServer) -> None:
    server.ending = "stalled"
    pieces, problem = asked(made(kind), timeout_s=1.0)
    assert isinstance(problem, QueryTimeout)
    assert problem.details["timeout_seconds"] == 1
    assert text_of(pieces) == "".join(ANSWER)
    assert ends_of(pieces) == []
    assert server.hung_up.wait(10)


def test_closing_a_stream_hangs_up(kind: str, server: ModelServer) -> None:
    server.ending = "stalled"

    async def first_piece() -> bool:
        model = made(kind)
        async with aclosing(model.stream(PROMPT, max_tokens=99, timeout_s=60.0)) as stream:
            assert await anext(stream) == Delta(ANSWER[0])
        seen = await asyncio.to_thread(server.hung_up.wait, 10)
        await model.aclose()
        return seen

    assert asyncio.run(first_piece())


def test_a_cancelled_task_hangs_up(kind: str, server: ModelServer) -> None:
    server.ending = "stalled"

    async def cancelled() -> bool:
        model = made(kind)
        said = asyncio.Event()

        async def read() -> None:
            async with aclosing(model.stream(PROMPT, max_tokens=99, timeout_s=60.0)) as stream:
                async for _ in stream:
                    said.set()

        task = asyncio.create_task(read())
        await said.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        seen = await asyncio.to_thread(server.hung_up.wait, 10)
        await model.aclose()
        return seen

    assert asyncio.run(cancelled())


def test_connections_are_used_again(kind: str, server: ModelServer) -> None:
    async def three_times() -> None:
        model = made(kind)
        for _ in range(3):
            async with aclosing(model.stream(PROMPT, max_tokens=99, timeout_s=30.0)) as stream:
                assert [piece async for piece in stream][-1] == Finished("stop")
        await model.aclose()

    asyncio.run(three_times())
    assert len(server.requests) == 3
    assert len(server.connections) == 1


@pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning")
def test_a_model_outlives_an_event_loop_in_which_nobody_closed_it(kind: str) -> None:
    model = made(kind)

    async def ask() -> None:
        async with aclosing(model.stream(PROMPT, max_tokens=99, timeout_s=30.0)) as stream:
            assert [piece async for piece in stream][-1] == Finished("stop")

    asyncio.run(ask())
    asyncio.run(ask())
    asyncio.run(model.aclose())
    # What was left open is collected here, where it is expected.
    gc.collect()


@pytest.mark.parametrize("status", [429, 500, 503, 529])
def test_a_busy_service_is_asked_again(kind: str, status: int, server: ModelServer) -> None:
    server.script = [Failure(status, {}, BUSY)] * 2
    pauses: list[float] = []
    pieces, problem = asked(made(kind, pauses))
    assert problem is None
    assert ends_of(pieces) == ["stop"]
    assert len(server.requests) == 3
    # Each longer than the one before; by how much is left to chance.
    assert 0.25 <= pauses[0] < 0.75 <= 2 * pauses[1] < 3.0


def test_the_service_says_how_long_to_wait(kind: str, server: ModelServer) -> None:
    server.script = [Failure(429, {"Retry-After": "7"}, BUSY)]
    pauses: list[float] = []
    assert ends_of(asked(made(kind, pauses))[0]) == ["stop"]
    assert 7.0 <= pauses[0] < 8.0


@pytest.mark.parametrize("after", ["40", formatdate(4_000_000_000, usegmt=True)])
def test_nobody_waits_longer_than_there_is_time(kind: str, after: str, server: ModelServer) -> None:
    server.script = [Failure(429, {"Retry-After": after}, BUSY)]
    pauses: list[float] = []
    pieces, problem = asked(made(kind, pauses), timeout_s=30.0)
    assert isinstance(problem, RateLimited)
    assert problem.details["retry_after_seconds"] >= 40
    assert (pieces, pauses, len(server.requests)) == ([], [], 1)


def test_patience_ends(kind: str, server: ModelServer) -> None:
    server.script = [Failure(503, {}, BUSY)] * 9
    pauses: list[float] = []
    _, problem = asked(made(kind, pauses))
    assert isinstance(problem, ModelUnavailable)
    assert "answered 503" in problem.message
    # TIP §14.2: an interval is suggested.
    assert problem.details["retry_after_seconds"] == 30
    assert len(server.requests) == len(pauses) + 1 == 4


@pytest.mark.parametrize("status", [400, 413, 422])
def test_a_no_is_a_no(kind: str, status: int, server: ModelServer) -> None:
    said = {"message": "unknown field", "error": {"message": "unknown field"}}
    server.script = [Failure(status, {}, said)] * 2
    _, problem = asked(made(kind))
    assert isinstance(problem, GenerationFailed)
    assert f"unknown field ({status})" in problem.message
    assert len(server.requests) == 1


@pytest.mark.parametrize("status", [400, 413, 422])
def test_a_prompt_that_is_too_long_is_said_as_such(
    kind: str, status: int, server: ModelServer
) -> None:
    said = {"message": "prompt is too long", "error": {"message": "prompt is too long"}}
    server.script = [Failure(status, {}, said)] * 2
    _, problem = asked(made(kind))
    assert isinstance(problem, TokenLimitExceeded)
    assert len(server.requests) == 1


def test_a_model_that_is_not_there_is_said(kind: str, server: ModelServer) -> None:
    server.script = [Failure(404, {}, {"message": "no such", "error": {"message": "no such"}})]
    _, problem = asked(made(kind))
    assert isinstance(problem, ModelUnavailable)
    assert "does not have the model" in problem.message
    assert len(server.requests) == 1


def test_a_refused_key_is_said_without_repeating_it(
    kind: str, server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(KEYS[kind], "wrong-key")
    _, problem = asked(made(kind))
    assert isinstance(problem, ModelUnavailable)
    assert "refused the key" in problem.message
    assert KEYS[kind] in str(problem.suggestion)
    assert "wrong-key" not in str(problem.to_wire())
    assert len(server.requests) == 1


def test_what_may_not_be_used_is_told_from_a_wrong_key(
    kind: str, server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The service's words say what is to be done; a key that is in them is not repeated."""
    monkeypatch.setenv(KEYS[kind], "another-secret-key")
    words = "Model access is denied for another-secret-key: request it in the console"
    server.script = [Failure(403, {}, {"message": words, "error": {"message": words}})]
    _, problem = asked(made(kind))
    assert isinstance(problem, ModelUnavailable)
    assert "Model access is denied" in problem.message
    assert "request it in the console" in problem.message
    assert KEYS[kind] in str(problem.suggestion)
    # Bedrock's SDK sends no secret, only whose it is.
    assert ("another-secret-key" in str(problem.to_wire())) == (kind == "bedrock")
    assert len(server.requests) == 1


def test_a_page_is_no_answer(kind: str, server: ModelServer) -> None:
    server.ending = "page"
    pauses: list[float] = []
    pieces, problem = asked(made(kind, pauses))
    assert isinstance(problem, ModelUnavailable)
    assert "sent no answer" in problem.message
    assert "address" in str(problem.suggestion)
    assert (pieces, pauses, len(server.requests)) == ([], [], 1)


def test_an_answer_that_has_not_begun_is_let_go_of(
    kind: str, server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tipstaff.llm.hosted.SPARE_S", 0.2)
    server.ending = "silent"
    _, problem = asked(made(kind), timeout_s=0.5)
    assert isinstance(problem, QueryTimeout)
    assert server.hung_up.wait(5)
    for thread in threading.enumerate():
        if thread.name == "bedrock":
            thread.join(5)
            assert not thread.is_alive()


@pytest.mark.parametrize("key", ["sk-sec\nret-key", "sk-sec\u2026ret-key"])
def test_a_key_that_cannot_be_sent_is_refused_without_repeating_it(
    kind: str, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(KEYS[kind], key)
    with pytest.raises(UsageError) as caught:
        made(kind)
    assert KEYS[kind] in caught.value.message
    assert "ret-key" not in str(caught.value.to_wire())


@pytest.mark.parametrize(
    ("place", "wrong"),
    [
        ("localhost:11434/v1", "no http:// or https://"),
        ("127.0.0.1:9", "no http:// or https://|a host that cannot be"),
        ("ftp://127.0.0.1/v1", "no http:// or https://"),
        ("http://", "no host"),
        ("http:///v1", "no host"),
        ("http://[::1:8/v1", "a host that cannot be"),
        ("http://models..example.org/v1", "a host that cannot be"),
        ("http://mod els.example.org/v1", "a host that cannot be"),
        ("http://127.0.0.1:99999/v1", "a port that cannot be"),
        ("http://user:secret-word@127.0.0.1:abc/v1", "a port that cannot be"),
    ],
)
def test_a_wrong_address_is_said_before_anything_is_asked(
    kind: str, place: str, wrong: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(PLACES[kind], place)
    with pytest.raises(UsageError, match=wrong) as caught:
        made(kind)
    assert PLACES[kind] in caught.value.message
    assert "secret-word" not in str(caught.value.to_wire())


@pytest.mark.parametrize("place", ["http://[::1]:8000/v1", "https://bücher.example/v1", ""])
def test_a_good_address_is_taken(kind: str, place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(PLACES[kind], place)
    assert made(kind).name == f"{kind}:some-model"


# A client of this SDK that was never whole complains when it is collected.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("name", ["anthropic", "openai"])
def test_a_proxy_that_cannot_be_used_is_the_services_trouble(
    name: str, monkeypatch: pytest.MonkeyPatch, server: ModelServer
) -> None:
    use(name, monkeypatch, server)
    monkeypatch.setenv(PLACES[name], "http://models.example.org/v1")
    monkeypatch.setenv("ALL_PROXY", "nonsense://127.0.0.1:9")
    _, problem = asked(made(name))
    assert isinstance(problem, ModelUnavailable)
    assert "cannot be made" in problem.message
    assert "ALL_PROXY" in str(problem.suggestion)
    gc.collect()


def test_why_a_service_cannot_be_reached_is_said(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(PLACES[kind], "http://127.0.0.1:9")
    _, problem = asked(made(kind, []))
    assert isinstance(problem, ModelUnavailable)
    assert re.search(r"[Cc]onnect", problem.message)
    assert "Connection error" not in problem.message


def test_a_server_that_is_not_there_is_said(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(PLACES[kind], "http://127.0.0.1:9")
    pauses: list[float] = []
    _, problem = asked(made(kind, pauses))
    assert isinstance(problem, ModelUnavailable)
    assert "cannot be reached" in problem.message
    assert len(pauses) == 3


def test_a_model_that_takes_no_temperature_is_asked_without(kind: str, server: ModelServer) -> None:
    words = "`temperature` is not supported by this model"
    server.script = [Failure(400, {}, {"message": words, "error": {"message": words}})]
    model, pauses = made(kind), list[float]()
    assert ends_of(asked(model)[0]) == ends_of(asked(model)[0]) == ["stop"]
    assert pauses == []
    prompts = [str(request) for request in server.requests]
    assert ["'temperature'" in prompt for prompt in prompts] == [True, False, False]


def test_a_missing_key_is_named(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(KEYS[kind])
    if kind == "openai":
        monkeypatch.setenv(PLACES[kind], "https://models.example.org/v1")
    if kind == "bedrock":
        # Its SDK looks for keys in many places, and only when it is asked something.
        _, problem = asked(made(kind))
    else:
        with pytest.raises(ModelUnavailable, match="need a key") as caught:
            made(kind)
        problem = caught.value
    assert isinstance(problem, ModelUnavailable)
    assert KEYS[kind] in str(problem.suggestion)


@pytest.mark.parametrize("name", sorted(PACKAGES))
def test_a_missing_package_names_its_extra(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda *_: None)
    with pytest.raises(ModelUnavailable, match="not installed") as caught:
        model_named(f"{name}:some-model")
    assert caught.value.suggestion == f"pip install 'tipstaff[{name}]'"


def test_a_wrong_key_is_a_bad_request_to_google(
    server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    use("google", monkeypatch, server)
    error = {"code": 400, "message": "not valid", "details": [{"reason": "API_KEY_INVALID"}]}
    server.script = [Failure(400, {}, {"error": error})]
    _, problem = asked(made("google"))
    assert isinstance(problem, ModelUnavailable)
    assert "refused the key" in problem.message


def test_google_says_in_the_body_how_long_to_wait(
    server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    use("google", monkeypatch, server)
    error = {"code": 429, "message": "quota", "details": [{"retryDelay": "17.5s"}]}
    server.script = [Failure(429, {}, {"error": error})]
    pauses: list[float] = []
    assert ends_of(asked(made("google", pauses))[0]) == ["stop"]
    assert 17.5 <= pauses[0] < 18.5


def test_google_takes_either_of_two_keys(
    server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    use("google", monkeypatch, server)
    monkeypatch.delenv("GOOGLE_API_KEY")
    monkeypatch.setenv("GEMINI_API_KEY", KEY)
    assert ends_of(asked(made("google"))[0]) == ["stop"]


def test_bedrock_needs_a_region(server: ModelServer, monkeypatch: pytest.MonkeyPatch) -> None:
    use("bedrock", monkeypatch, server)
    monkeypatch.delenv("AWS_REGION")
    monkeypatch.delenv("AWS_DEFAULT_REGION", raising=False)
    with pytest.raises(ModelUnavailable, match="need a region") as caught:
        made("bedrock")
    assert "AWS_REGION" in str(caught.value.suggestion)


def test_an_end_that_is_not_known_is_not_called_stop(
    server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    use("openai", monkeypatch, server)
    server.reason = "some_new_reason"
    assert ends_of(asked(made("openai"))[0]) == ["other"]
