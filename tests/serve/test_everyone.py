"""The client, curl and a browser, each through a whole session with a real server, over TLS: init,
a streamed query, a follow-up, a connection lost in mid-answer and taken up again, close."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
import ssl
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

import tipstaff
from tests.conftest import BundleMaker
from tests.serve.browsing import browser
from tests.serve.long_answers import FOLLOW_UP, QUESTION, THINGS, long_bundle, slow_model
from tests.serve.processes import Server, served, without_limits
from tipstaff.domain.events import Event, ResponseEnd, Token
from tipstaff.server_sent import EventReader, Received

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])
INIT = "/tez/small-tez/interrogate/init"
PAGE = Path(__file__).with_name("event_source.js")


@pytest.fixture
def server(
    make_bundle: BundleMaker, tmp_path: Path, certificate: tuple[Path, Path]
) -> Iterator[Server]:
    cert, key = certificate
    model = slow_model(tmp_path, delay_ms=100)
    words = (long_bundle(make_bundle), "--tls-cert", cert, "--tls-key", key, "--model", model)
    with served(tmp_path, *words, *without_limits()) as running:
        assert running.url.startswith("https://127.0.0.1:")
        yield running
        assert running.stop() == 0
    assert "Traceback" not in running.errors.read_text()


def is_whole(answer: str) -> bool:
    return all(thing in answer for thing in THINGS)


class CutOnce(httpx.AsyncBaseTransport):
    """The network, which fails once: behind the third token of a stream."""

    def __init__(self, verify: ssl.SSLContext) -> None:
        self._network = httpx.AsyncHTTPTransport(verify=verify)
        self.cuts = 0

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        response = await self._network.handle_async_request(request)
        if request.method == "POST" and request.url.path.endswith("/query") and not self.cuts:
            return httpx.Response(
                response.status_code, headers=response.headers, stream=_Cut(response, self)
            )
        return response

    async def aclose(self) -> None:
        await self._network.aclose()


class _Cut(httpx.AsyncByteStream):
    def __init__(self, response: httpx.Response, transport: CutOnce) -> None:
        self._response = response
        self._transport = transport

    async def __aiter__(self) -> Any:
        seen = b""
        async for piece in self._response.aiter_raw():
            seen += piece
            yield piece
            if seen.count(b"event: tip.token") >= 3:
                self._transport.cuts += 1
                raise httpx.ReadError("cut")

    async def aclose(self) -> None:
        await self._response.aclose()


def test_the_client_completes_a_session(server: Server, certificate: tuple[Path, Path]) -> None:
    async def asking() -> None:
        transport = CutOnce(ssl.create_default_context(cafile=str(certificate[0])))
        async with tipstaff.Client(server.url, server.token, transport=transport) as client:
            session = await client.init("small-tez")
            events: list[Event] = [event async for event in session.stream(QUESTION)]
            assert transport.cuts == 1
            end = events[-1]
            assert isinstance(end, ResponseEnd)
            assert end.envelope is not None
            said = "".join(one.delta for one in events if isinstance(one, Token))
            assert said == end.envelope.response.text
            assert is_whole(said)
            assert "$1,000" in (await session.ask(FOLLOW_UP)).response.text
            assert (await session.close())["summary"]["query_count"] == 2

    asyncio.run(asking())


class Curl:
    def __init__(self, server: Server, cert: Path) -> None:
        self._words = ["curl", "-sS", "--no-buffer", "--cacert", str(cert)]
        self._words += ["-H", f"Authorization: Bearer {server.token}"]
        self._words += ["-H", "Content-Type: application/json"]
        self._url = server.url

    def command(self, path: str, *words: str) -> list[str]:
        return [*self._words, *words, self._url + path]

    def __call__(self, path: str, *words: str) -> str:
        command = self.command(path, *words)
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    def leaves_after(self, tokens: int, path: str, *words: str) -> bytes:
        """All that came until curl was killed, which is after so many tokens."""
        with subprocess.Popen(self.command(path, *words), stdout=subprocess.PIPE) as process:
            assert process.stdout is not None
            came = b""
            while came.count(b"event: tip.token") < tokens:
                piece = process.stdout.readline()
                assert piece, came
                came += piece
            process.kill()
            return came + process.stdout.read()


def test_curl_completes_a_session(server: Server, certificate: tuple[Path, Path]) -> None:
    assert shutil.which("curl")
    curl = Curl(server, certificate[0])
    session_id = json.loads(curl(INIT, "-X", "POST"))["session_id"]
    path = INIT.replace("init", session_id)
    streaming = ("-H", "Accept: text/event-stream", "-d", json.dumps({"query": QUESTION}))
    first = curl.leaves_after(3, f"{path}/query", "-i", *streaming)
    headers, _, body = first.partition(b"\r\n\r\n")
    query_id = re.search(rb"(?i)x-tip-query-id: (\S+)", headers)
    assert query_id is not None
    reader = EventReader()
    events = reader.feed(body)
    assert not any(one.name == "tip.response.end" for one in events)
    again = curl(
        f"{path}/events?query_id={query_id[1].decode()}", "-H", f"Last-Event-ID: {reader.last_id}"
    )
    reader.restart()
    events += reader.feed(again.encode())
    check_events(events)
    follow_up = json.loads(curl(f"{path}/query", "-d", json.dumps({"query": FOLLOW_UP})))
    assert "$1,000" in follow_up["response"]["text"]
    assert json.loads(curl(f"{path}/close", "-X", "POST"))["summary"]["query_count"] == 2


def check_events(events: list[Received]) -> None:
    """The stream of a session's first query, whole: each number once, in order."""
    assert [int(one.id) for one in events] == list(range(1, len(events) + 1))
    assert events[-1].name == "tip.response.end"
    said = "".join(json.loads(one.data)["delta"] for one in events if one.name == "tip.token")
    assert is_whole(said)


def test_a_browser_completes_a_session(server: Server, tmp_path: Path) -> None:
    """A page of the server's own origin, its EventSource, and no token in any address."""
    with browser(tmp_path) as page:
        page.visit(f"{server.url}/healthz")
        done = page.run(
            PAGE.read_text(),
            {"token": server.token, "question": QUESTION, "followUp": FOLLOW_UP},
        )
        addresses = page.run("done(performance.getEntriesByType('resource').map(e => e.name))", {})
    assert done.get("failed") is None, done
    events = [Received(one["name"], one["data"], one["id"]) for one in done["events"]]
    assert done["opened"] == 2
    assert 0 < done["lostAt"] < len(events)
    assert [int(one.id) for one in events] == list(range(1, len(events) + 1))
    assert [one.name for one in events].count("tip.response.end") == 2
    assert events[-1].name == "tip.session.end"
    assert done["summary"]["query_count"] == 2
    assert any("ticket=" in one for one in addresses)
    assert not any(server.token in one for one in addresses)
