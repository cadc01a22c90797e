"""Embedders behind an API, by their official SDKs, against a server that speaks the format."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

import numpy as np
import pytest

from tests.embed.embedding_server import KEY, EmbeddingServer, running, vector
from tipstaff.contracts.embedders import faults_of
from tipstaff.embed.embedder import checked
from tipstaff.embed.hosted import Hosted
from tipstaff.embed.registry import embedder_named
from tipstaff.errors import MissingExtra, RetrievalFailed, UsageError

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])

PACKAGES = {"openai": "openai", "cohere": "cohere", "voyage": "voyageai"}
KEYS = {"openai": "OPENAI_API_KEY", "cohere": "CO_API_KEY", "voyage": "VOYAGE_API_KEY"}
PLACES = {"openai": "OPENAI_BASE_URL", "cohere": "CO_API_URL", "voyage": "VOYAGE_BASE_URL"}


@pytest.fixture
def server() -> Iterator[EmbeddingServer]:
    with running() as server:
        yield server


@pytest.fixture(params=sorted(PACKAGES))
def kind(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, server: EmbeddingServer
) -> str:
    name: str = request.param
    pytest.importorskip(PACKAGES[name])
    monkeypatch.setenv(KEYS[name], KEY)
    monkeypatch.setenv(PLACES[name], server.url)
    return name


def made(name: str, pauses: list[float] | None = None) -> Hosted:
    """The embedder of a setting; its pauses are noted instead of waited for."""
    embedder = cast(Hosted, embedder_named(name, threads=1))
    embedder.wait = (pauses if pauses is not None else []).append
    return embedder


def test_the_service_passes_the_suite(kind: str) -> None:
    assert faults_of(made(kind), another=lambda: made(kind)) == []


@pytest.mark.parametrize(
    ("name", "model", "dimensions"),
    [
        ("openai", "text-embedding-3-large", 3072),
        ("openai:text-embedding-3-small", "text-embedding-3-small", 1536),
        ("openai:text-embedding-3-large@1024", "text-embedding-3-large", 1024),
        ("openai:own-model@1024", "own-model", 1024),
        ("cohere", "embed-v4.0", 1024),
        ("cohere:embed-v4.0@1536", "embed-v4.0", 1536),
        ("voyage", "voyage-3", 1024),
        ("voyage:voyage-3.5@512", "voyage-3.5", 512),
    ],
)
def test_models_and_dimensions_are_those_of_the_setting(
    name: str,
    model: str,
    dimensions: int,
    server: EmbeddingServer,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    which = name.partition(":")[0]
    pytest.importorskip(PACKAGES[which])
    monkeypatch.setenv(KEYS[which], KEY)
    monkeypatch.setenv(PLACES[which], server.url)
    embedder = made(name)
    assert embedder.query("rent").shape == (dimensions,) == (embedder.dimensions,)
    assert server.requests[-1][1]["model"] == model
    assert f"{which} {model} {dimensions}" in embedder.fingerprint
    assert server.url in embedder.fingerprint


def test_queries_and_passages_are_told_apart(kind: str, server: EmbeddingServer) -> None:
    if kind == "openai":
        pytest.skip("its models make no difference")
    embedder = made(kind)
    embedder.query("rent")
    list(embedder.passages(["rent"]))
    roles = [asked["input_type"] for _, asked in server.requests]
    assert roles == {
        "cohere": ["search_query", "search_document"],
        "voyage": ["query", "document"],
    }.get(kind)


def test_texts_travel_in_portions_and_come_back_in_order(
    kind: str, server: EmbeddingServer
) -> None:
    texts = [f"clause {number} " + "of the lease " * (number % 7) for number in range(150)]
    embedder = made(kind)
    vectors = list(embedder.passages(texts))
    assert len(server.requests) == 3
    for text, found in zip(texts, vectors, strict=True):
        assert np.allclose(found, vector(text, embedder.dimensions), atol=1e-6)


def test_large_texts_are_not_sent_together(kind: str, server: EmbeddingServer) -> None:
    embedder = made(kind)
    list(embedder.passages([f"{number} " + "word " * 1500 for number in range(30)]))
    sizes = [sum(map(len, asked.get("texts") or asked["input"])) for _, asked in server.requests]
    assert max(sizes) <= 100_000
    assert len(sizes) == 3


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_busy_service_is_asked_again(kind: str, status: int, server: EmbeddingServer) -> None:
    server.script = [(status, {}, {"message": "busy", "error": {"message": "busy"}})] * 2
    pauses: list[float] = []
    assert made(kind, pauses).query("rent").any()
    assert pauses == [1.0, 2.0]
    assert len(server.requests) == 3


def test_the_service_says_how_long_to_wait(kind: str, server: EmbeddingServer) -> None:
    server.script = [
        (429, {"Retry-After": "7"}, {"message": "busy", "detail": "busy"}),
        (429, {"Retry-After": "9000"}, {"message": "busy", "detail": "busy"}),
    ]
    pauses: list[float] = []
    made(kind, pauses).query("rent")
    assert pauses == [7.0, 60.0]


def test_patience_ends(kind: str, server: EmbeddingServer) -> None:
    server.script = [(503, {}, {"message": "down", "error": {"message": "down"}})] * 9
    pauses: list[float] = []
    with pytest.raises(RetrievalFailed, match="answered 503"):
        made(kind, pauses).query("rent")
    assert len(server.requests) == len(pauses) + 1 == 5


@pytest.mark.parametrize("status", [400, 404, 422])
def test_a_no_is_a_no(kind: str, status: int, server: EmbeddingServer) -> None:
    server.script = [(status, {}, {"message": "no such model", "detail": "no such model"})] * 2
    with pytest.raises(UsageError, match="no such model"):
        made(kind).query("rent")
    assert len(server.requests) == 1


def test_a_refused_key_is_said_without_repeating_it(
    kind: str, server: EmbeddingServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(KEYS[kind], "wrong-key")
    with pytest.raises(UsageError, match="refused the key") as caught:
        made(kind).query("rent")
    assert KEYS[kind] in str(caught.value.suggestion)
    assert "wrong-key" not in str(caught.value.to_wire())
    assert len(server.requests) == 1


def test_money_that_is_spent_does_not_come_back_by_waiting(
    server: EmbeddingServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("openai")
    monkeypatch.setenv(KEYS["openai"], KEY)
    monkeypatch.setenv(PLACES["openai"], server.url)
    spent = {"error": {"message": "You exceeded your quota", "code": "insufficient_quota"}}
    server.script = [(429, {}, spent)] * 2
    with pytest.raises(RetrievalFailed, match="exceeded your quota"):
        made("openai").query("rent")
    assert len(server.requests) == 1


def test_a_server_that_is_not_there_is_said(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(PLACES[kind], "http://127.0.0.1:9")
    with pytest.raises(RetrievalFailed, match="cannot be reached"):
        made(kind).query("rent")


def test_other_dimensions_than_expected_are_refused(kind: str, server: EmbeddingServer) -> None:
    server.dimensions = 300
    with pytest.raises(UsageError, match="vectors of 300 dimensions"):
        made(kind).query("rent")


def test_too_few_dimensions_are_refused_before_anything_is_sent(
    kind: str, server: EmbeddingServer
) -> None:
    with pytest.raises(UsageError, match="at least 256"):
        checked(made(f"{kind}:some-model@128"))
    assert server.requests == []


@pytest.mark.parametrize("size", ["", "@", "@none", "@0"])
def test_dimensions_that_are_not_known_must_be_named(kind: str, size: str) -> None:
    with pytest.raises(UsageError, match="is not known"):
        made(f"{kind}:some-model{size}")


def test_a_missing_key_is_named(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(KEYS[kind])
    with pytest.raises(UsageError, match="needs a key") as caught:
        made(kind)
    assert KEYS[kind] in str(caught.value.suggestion)


@pytest.mark.parametrize("name", [*PACKAGES, "fastembed", "sentence-transformers", "static"])
def test_a_missing_package_names_its_extra(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda *_: None)
    with pytest.raises(MissingExtra) as caught:
        embedder_named(name, threads=1)
    assert f"tipstaff[{name}]" in str(caught.value.suggestion)
