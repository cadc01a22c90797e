"""What surrounds requests: headers, limits, health, metrics, logs; and that no text gets out."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from typing import Any

import httpx
import pytest

from tests.conftest import manifest_of
from tests.hosting.conftest import TezMaker, make_tez
from tests.serve.conftest import Asked, sha256
from tests.serve.parts import JANE
from tests.serve.test_interrogate import INTERROGATE, begun
from tipstaff.audit.search import AuditSearch
from tipstaff.errors import ModelUnavailable
from tipstaff.serve.logs import JsonLines
from tipstaff.serve.traces import Traces

__all__ = ["make_tez"]

Serving = Callable[..., Any]
CANARY = "zanzibar-canary-7261"


def fetched(serving: Serving, path: str, **also: Any) -> httpx.Response:
    configured = also.pop("configured", {})
    who = also.pop("who", "jane")
    peer = also.pop("peer", ("203.0.113.9", 5))
    method = also.pop("method", "GET")

    async def asking(asked: Asked) -> httpx.Response:
        async with asked.client(who, peer=peer) as client:
            return await client.request(method, path, **also)

    answer: httpx.Response = serving(asking, **configured)
    return answer


def test_every_answer_has_safe_headers_and_an_id(serving: Serving) -> None:
    for path in ("/healthz", "/tez", "/nowhere"):
        headers = fetched(serving, path).headers
        assert "default-src 'none'" in headers["Content-Security-Policy"]
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Referrer-Policy"] == "no-referrer"
        assert headers["Cache-Control"] == "no-store"
        assert len(headers["X-Request-Id"]) == 32
        assert "Strict-Transport-Security" not in headers
    secured = {"configured": {"public_url": "https://tez.example.com"}}
    assert fetched(serving, "/healthz", **secured).headers["Strict-Transport-Security"]


def test_a_request_keeps_its_callers_id_if_it_is_one(serving: Serving) -> None:
    kept = fetched(serving, "/healthz", headers={"X-Request-Id": "job-7"})
    assert kept.headers["X-Request-Id"] == "job-7"
    forged = fetched(serving, "/healthz", headers={"X-Request-Id": 'a" b'})
    assert len(forged.headers["X-Request-Id"]) == 32


def test_pages_of_other_origins_are_shut_out_unless_they_were_named(serving: Serving) -> None:
    origin = {"headers": {"Origin": "https://page.example.com"}}
    assert "Access-Control-Allow-Origin" not in fetched(serving, "/healthz", **origin).headers
    named = {"configured": {"cors_origins": ("https://page.example.com",)}}
    allowed = fetched(serving, "/healthz", **origin, **named).headers
    assert allowed["Access-Control-Allow-Origin"] == "https://page.example.com"
    other = {"headers": {"Origin": "https://evil.example.com"}}
    assert (
        "Access-Control-Allow-Origin" not in fetched(serving, "/healthz", **other, **named).headers
    )


@pytest.mark.parametrize("says_how_large", [True, False])
def test_a_body_that_is_too_large_is_not_read(serving: Serving, says_how_large: bool) -> None:
    async def pieces() -> Any:
        for _ in range(4):
            yield b'{"query": "' + b"x" * 400

    content = b"x" * 1_600 if says_how_large else pieces()
    answer = fetched(
        serving,
        f"{INTERROGATE}/some-session/query",
        method="POST",
        content=content,
        headers={"Content-Type": "application/json"},
        configured={"max_request_bytes": 1_000},
    )
    assert answer.status_code == 413
    assert answer.json()["error"] == {
        "type": "request_too_large",
        "message": "The request is larger than 1,000 bytes.",
        "max_bytes": 1_000,
    }


def test_an_upload_is_streamed_and_has_a_limit_of_its_own(
    serving: Serving, make_tez: TezMaker
) -> None:
    def sent(words: str) -> bytes:
        items = {"notes.md": words.encode()}
        return make_tez(items, manifest=manifest_of(items, id="new-tez")).read_bytes()

    async def asking(asked: Asked) -> None:
        first = sent("The roof is red.\n")
        assert len(first) > 2 * asked.service.configuration.max_request_bytes
        async with asked.client("sender") as client:
            done = await client.put("/tez/new-tez", content=first)
            assert done.status_code == 201
            assert done.json()["digest"] == sha256(first)
            then = sent("The roof is blue.\n")
            later = await client.put("/tez/new-tez?wait=false", content=then)
            assert (later.status_code, later.json()["state"]) == (202, "indexing")
        async with asked.client("jane") as client:
            assert (await client.put("/tez/new-tez", content=b"z")).status_code == 403

    serving(asking, max_request_bytes=300)


def test_metrics_are_for_admins_and_for_this_computer(serving: Serving) -> None:
    local = ("127.0.0.1", 5)
    assert fetched(serving, "/metrics").status_code == 403
    assert fetched(serving, "/metrics", who=None).status_code == 401
    assert fetched(serving, "/metrics", who="sender").status_code == 200
    assert fetched(serving, "/metrics", who=None, peer=local).status_code == 200
    proxied = {"headers": {"X-Forwarded-For": "198.51.100.7"}}
    assert fetched(serving, "/metrics", who=None, peer=local, **proxied).status_code == 401


def test_readiness_ends_when_the_server_drains(serving: Serving) -> None:
    async def asking(asked: Asked) -> None:
        async with asked.client() as client:
            assert (await client.get("/readyz")).json() == {"status": "ready"}
            session = await begun(client)
            asked.service.drain()
            assert (await client.get("/readyz")).status_code == 503
            assert (await client.get("/healthz")).status_code == 200
            refused = await client.post(f"{session}/query", json={"query": "x"})
            assert refused.status_code == 503
            assert refused.headers["Retry-After"] == "5"
            await asked.service.stop()
            with pytest.raises(ModelUnavailable):
                await asked.service.sessions.init(JANE, "small-tez")

    serving(asking)


def test_a_server_with_too_many_streams_says_so(serving: Serving) -> None:
    async def asking(asked: Asked) -> None:
        async with asked.client() as client:
            session = await begun(client)
            asked.service.open_streams = asked.service.configuration.max_streams
            answer = await client.get(f"{session}/events")
            assert answer.status_code == 503
            assert "open streams" in answer.text

    serving(asking)


def test_the_audit_is_for_admins_and_comes_in_pages(serving: Serving) -> None:
    async def asking(asked: Asked) -> None:
        async def records(tenant: str, search: AuditSearch) -> list[dict[str, Any]]:
            numbers = range(search.after + 1, min(search.after + search.limit, 5) + 1)
            return [{"tenant": tenant, "number": number} for number in numbers]

        asked.service.audit_records = records
        async with asked.client() as client:
            assert (await client.get("/audit")).status_code == 403
        async with asked.client("sender") as client:
            page = (await client.get("/audit?limit=2")).json()
            assert [one["number"] for one in page["records"]] == [1, 2]
            assert page["records"][0]["tenant"] == "acme"
            rest = (await client.get(f"/audit?limit=9&after={page['next']}")).json()
            assert [one["number"] for one in rest["records"]] == [3, 4, 5]
            assert "next" not in rest

    serving(asking)


def test_costs_are_told_to_the_sender(serving: Serving) -> None:
    path = "/tez/small-tez/costs?since=2026-02-01&until=2026-02-28"
    assert fetched(serving, path).status_code == 404
    report = fetched(serving, path, who="sender").json()
    assert report["cost_report"]["period"] == "2026-02-01 to 2026-02-28"


def test_discovery_says_what_is_kept_and_what_it_costs(serving: Serving) -> None:
    found = fetched(serving, "/.well-known/tip", who=None).json()
    assert found["tip_version"] == "1.0"
    assert "TIP-Enterprise-Streaming" in found["conformance"]
    assert found["hosting"]["cost_model"] == "sender_funded"
    assert found["limits"]["max_query_tokens"] == 2_000
    assert found["endpoints"]["openapi"] == "http://tip.test/openapi.json"


class _Broken:
    async def describe(self, *_: Any) -> Any:
        raise RuntimeError(f"a fault that quotes {CANARY}")


class _Span:
    def __init__(self, told: list[Any]) -> None:
        self.told = told

    def __enter__(self) -> _Span:
        return self

    def __exit__(self, *_: object) -> None:
        return None

    def update_name(self, name: str) -> None:
        self.told.append(name)

    def set_attribute(self, name: str, value: object) -> None:
        self.told.append((name, value))


class _Tracer:
    def __init__(self) -> None:
        self.told: list[Any] = []

    def start_as_current_span(self, name: str, **also: Any) -> _Span:
        assert not also.pop("record_exception")
        self.told.append((name, also))
        return _Span(self.told)


def test_no_sink_ever_holds_a_word_of_a_query(
    serving: Serving,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """TIP §13.1: asked plainly, streamed, malformed, with faults inside: logs, metrics, traces."""
    tracer = _Tracer()
    monkeypatch.setattr("tipstaff.serve.app.traces_from", lambda **_: Traces(tracer))
    caplog.set_level(logging.DEBUG, logger="tipstaff")

    async def asking(asked: Asked) -> str:
        async with asked.client() as client:
            session = await begun(client)
            body = {"query": f"What is the budget for {CANARY}?"}
            await client.post(f"{session}/query", json=body)
            streamed = await client.post(
                f"{session}/query", json=body, headers={"Accept": "text/event-stream"}
            )
            assert CANARY in streamed.text
            await client.post(f"{session}/query", json={"query": [CANARY]})
            await client.get(f"/tez/small-tez/items/notes/locate?citation={CANARY}")
            await client.get(f"/{CANARY}?ticket={CANARY}")
            asked.service.tezits = _Broken()  # type: ignore[assignment]
            failed = await client.get(f"/tez/{CANARY}")
            assert failed.status_code == 500
            assert CANARY not in failed.text
            assert "describe" not in failed.text
        return asked.service.metrics.text().decode()

    metrics = serving(asking)
    lines = [JsonLines().format(record) for record in caplog.records]
    out, err = capfd.readouterr()
    for sink in (metrics, "\n".join(lines), out, err, repr(tracer.told)):
        assert CANARY not in sink
    # The sinks are no empty ones.
    assert 'route="/tez/{tez_id}/interrogate/{session_id}/query"' in metrics
    failed = [json.loads(line) for line in lines if "request_failed" in line]
    assert failed[0]["exception"] == "RuntimeError"
    assert any("describe" in frame for frame in failed[0]["frames"])
    assert ("http.response.status_code", 500) in tracer.told
    assert any(json.loads(line).get("request_id") for line in lines)


def test_lines_of_other_libraries_are_logged_without_their_words() -> None:
    record = logging.LogRecord("sqlalchemy.engine", 30, "x.py", 1, "SELECT %s", (CANARY,), None)
    line = json.loads(JsonLines().format(record))
    assert line["logger"] == "sqlalchemy.engine"
    assert CANARY not in str(line)


def test_a_reader_who_leaves_is_let_go_and_the_log_is_let_go_with_them(serving: Serving) -> None:
    async def asking(asked: Asked) -> None:
        async with asked.client() as client:
            session = await begun(client)
        readers, follow = 0, asked.service.sessions.follow

        async def counted(*words: Any, **also: Any) -> AsyncGenerator[Any, None]:
            nonlocal readers
            readers += 1
            try:
                async with aclosing(follow(*words, **also)) as events:
                    async for event in events:
                        yield event
            finally:
                readers -= 1

        asked.service.sessions.follow = counted  # type: ignore[method-assign]
        left = asyncio.Event()
        sent: list[Any] = []

        async def receive() -> dict[str, Any]:
            if not sent:
                return {"type": "http.request", "body": b"", "more_body": False}
            await left.wait()
            return {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            sent.append(message)
            if len(sent) == 4:
                assert readers == 1
                assert asked.service.open_streams == 1
                left.set()

        scope = {
            "type": "http",
            "method": "GET",
            "path": f"{session}/events",
            "raw_path": b"",
            "query_string": b"",
            "headers": [(b"authorization", b"Bearer jane")],
            "client": ("203.0.113.9", 5),
            "server": ("tip.test", 80),
            "scheme": "http",
            "http_version": "1.1",
            "root_path": "",
        }
        await asyncio.wait_for(asked.app(scope, receive, send), 10)
        assert readers == 0
        assert asked.service.open_streams == 0

    serving(asking)
