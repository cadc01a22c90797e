"""`tip serve` as a person runs it: a real process, real sockets, TLS, signals."""

from __future__ import annotations

import asyncio
import signal
import ssl
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

import tipstaff
from tests.serve.conftest import QUESTION
from tests.serve.processes import Server, served
from tipstaff.domain.events import Event, ResponseEnd, SessionEnd, Token

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])


def test_a_whole_session_over_tls(
    folder: Path, tmp_path: Path, certificate: tuple[Path, Path]
) -> None:
    """Init, a streamed query, a follow-up, a reader who comes back, close."""
    cert, key = certificate

    async def asking(server: Server) -> None:
        trusted = ssl.create_default_context(cafile=str(cert))
        async with tipstaff.Client(server.url, server.token, verify=trusted) as client:
            session = await client.init("small-tez")
            streamed = [event async for event in session.stream(QUESTION)]
            end = streamed[-1]
            assert isinstance(end, ResponseEnd)
            assert end.envelope is not None
            said = "".join(one.delta for one in streamed if isinstance(one, Token))
            assert said == end.envelope.response.text
            assert "$4,200" in said
            again = await session.ask(QUESTION)
            assert again.session.query_count == 2
            assert again.session.remaining_queries is not None
            await session.close()
            whole = [event async for event in session.events()]
            rest = [event async for event in session.events(after=3)]
            assert rest == whole[3:]
            assert isinstance(whole[-1], SessionEnd)
            answer = await client.http.get("/healthz")
            assert answer.headers["Strict-Transport-Security"]

    with served(tmp_path, folder, "--tls-cert", cert, "--tls-key", key) as server:
        assert server.url.startswith("https://127.0.0.1:")
        asyncio.run(asking(server))
        assert server.stop() == 0
    assert "Traceback" not in server.errors.read_text()


def test_a_session_survives_a_server_that_is_killed(folder: Path, tmp_path: Path) -> None:
    def session_events(server: Server, path: str, token: str) -> str:
        with httpx.Client(base_url=server.url) as client:
            answer = client.get(f"{path}/events", headers={"Authorization": f"Bearer {token}"})
            assert answer.status_code == 200, answer.text
            return answer.text

    async def begun(server: Server) -> tuple[str, list[Event]]:
        async with tipstaff.Client(server.url, server.token) as client:
            session = await client.init("small-tez")
            return session.path, [event async for event in session.stream(QUESTION)]

    async def ended(server: Server, path: str, token: str) -> Any:
        async with tipstaff.Client(server.url, token) as client:
            return await client.call("POST", f"{path}/close")

    with served(tmp_path, folder) as server:
        token = server.token
        path, events = asyncio.run(begun(server))
        server.process.kill()
    with served(tmp_path, folder) as server:
        summary = asyncio.run(ended(server, path, token))
        assert summary["summary"]["query_count"] == 1
        replayed = session_events(server, path, token)
        assert replayed.count("event: tip.response.end") == 1
        assert replayed.count("\nid: ") == len(events) + 1
        server.stop()


def test_a_draining_server_ends_idle_streams_and_leaves(folder: Path, tmp_path: Path) -> None:
    async def listening(server: Server) -> list[str]:
        async with tipstaff.Client(server.url, server.token) as client:
            session = await client.init("small-tez")
            lines = []
            async with client.http.stream("GET", f"{session.path}/events") as answer:
                async for line in answer.aiter_lines():
                    lines.append(line)
                    if line.startswith("id: 2"):
                        server.process.send_signal(signal.SIGTERM)
            return lines

    with served(tmp_path, folder) as server:
        lines = asyncio.run(asyncio.wait_for(listening(server), 20))
        assert "event: tip.context.loaded" in lines
        assert server.process.wait(timeout=20) == 0


def test_no_word_of_a_query_is_in_what_the_process_writes(folder: Path, tmp_path: Path) -> None:
    """TIP §13.1: stdout, stderr and metrics; the exchanges themselves are the recipient's own."""
    canary = "zanzibar-canary-7261"

    async def asking(server: Server) -> str:
        async with tipstaff.Client(server.url, server.token) as client:
            async with await client.init("small-tez") as session:
                await session.ask(f"What is the budget for {canary}?")
                [event async for event in session.stream(f"And for {canary}?")]
            return (await client.http.get("/metrics")).text

    with served(tmp_path, folder) as server:
        metrics = asyncio.run(asking(server))
        server.stop()
        assert server.process.stdout is not None
        printed = server.process.stdout.read()
    for sink in (metrics, printed, server.errors.read_text()):
        assert canary not in sink
    assert "tip_queries_total" in metrics
    assert '"route": "/tez/{tez_id}/interrogate/{session_id}/query"' in server.errors.read_text()


def test_a_server_refuses_to_listen_to_the_world_in_the_clear(
    tip: Callable[..., subprocess.CompletedProcess[str]],
) -> None:
    done = tip("serve", "--host", "0.0.0.0", "--port", "0")  # noqa: S104
    assert done.returncode == 2
    assert "TLS is not set up" in done.stderr


def test_a_wrong_configuration_file_is_a_usage_error(
    tip: Callable[..., subprocess.CompletedProcess[str]], tmp_path: Path
) -> None:
    file = tmp_path / "serve.toml"
    file.write_text("[serve]\nprot = 1\n")
    done = tip("serve", "--config", file)
    assert done.returncode == 2
    assert "Did you mean 'port'?" in done.stderr
