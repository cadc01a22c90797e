"""Agents over HTTP: the service's tokens decide, in both generations of the protocol."""

from __future__ import annotations

import asyncio
import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.agents.clients import over_http
from tests.conftest import BundleMaker, manifest_of
from tests.serve.processes import served

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])

ITEMS = {
    "lease.md": b"The rent of the mill is $4,200 a month.\n",
    "survey.md": b"The roof of the mill costs $38,000.\n",
}
Tip = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def mill(make_bundle: BundleMaker) -> Path:
    manifest = manifest_of(ITEMS)
    manifest["context"]["items"][1]["access"] = {"type": "creator_only"}
    return make_bundle(ITEMS, manifest=manifest, synthesis=b"The rent is $4,200 [[lease]].\n")


def test_a_token_is_a_recipient_and_sessions_budgets_and_senders_rights_are_the_services(
    mill: Path, tmp_path: Path, tip: Tip
) -> None:
    data = str(tmp_path / "data")
    tokens = {
        user: json.loads(tip("token", "issue", user, *scope, "--data", data, "--json").stdout)
        for user, *scope in (
            ("jane@example.com", "--tez", "small-tez"),
            ("ann@example.com", "--every-tez", "--scope", "interrogate", "--scope", "publish"),
        )
    }
    secret = {user: str(issued["token"]) for user, issued in tokens.items()}
    allow = tmp_path / "allowed"
    allow.mkdir()

    async def recipient(url: str, mode: str) -> None:
        async with over_http(url, secret["jane@example.com"], mode=mode) as agent:
            assert [one["tez_id"] for one in (await agent.call("list_tezits"))["tezits"]] == [
                "small-tez"
            ]
            tez = {"tez_id": "small-tez"}
            rent = await agent.call("ask", **tez, query="What is the rent of the mill?")
            assert "$4,200" in rent["response"]["text"]
            assert agent.progress
            again = await agent.call(
                "ask", **tez, session_id=rent["session_id"], query="What does the roof cost?"
            )
            assert again["session"]["query_count"] == 2
            assert again["session"]["remaining_queries"] is not None
            assert "38,000" not in str(again)
            uris = [one.uri for one in (await agent.client.list_resources()).resources]
            assert not any("survey" in uri for uri in uris)
            assert (await agent.fail("inspect_tez", tez_id="other"))["type"] == "not_found"
            # Nor what lies in the server's folders, though it may be asked to publish from them.
            refused = await agent.fail("open_tez", path="nothing.tez")
            assert refused["type"] == "authorization_denied"
            other = await agent.fail("ask", **tez, session_id="tip-sess-0", query="?")
            assert other["type"] == "not_found"

    async def sender(url: str) -> None:
        async with over_http(url, secret["ann@example.com"]) as agent:
            draft = await agent.call("create_tez", step="draft", title="A pond", creator="Ann")
            of = {"draft_id": draft["draft_id"]}
            await agent.call("create_tez", step="add_context", **of, text="The pond is 3 m deep.")
            await agent.call("create_tez", step="set_synthesis", **of, text="It is deep [[note]].")
            packed = await agent.call("create_tez", step="pack", **of)
            assert packed["kept_at"] == "published as version 1 of a-pond"
            deep = await agent.call("ask", tez_id="a-pond", query="How deep is the pond?")
            assert "3 m" in deep["response"]["text"]

    words: list[Any] = [mill, "--http", "--allow", allow]
    with served(tmp_path, *words, command="mcp", makes_token=False) as server:
        assert server.url.endswith("/mcp")
        for mode in ("auto", "legacy"):
            asyncio.run(recipient(server.url, mode))
        asyncio.run(sender(server.url))
        nobody = httpx.post(server.url, json={})
        assert nobody.status_code == 401
        assert nobody.json()["error"]["type"] == "authentication_required"
        assert nobody.headers["WWW-Authenticate"].startswith("Bearer")
        elsewhere = httpx.post(
            server.url,
            json={"jsonrpc": "2.0", "id": 1, "method": "tools/list"},
            headers={
                "Authorization": f"Bearer {secret['jane@example.com']}",
                "Accept": "application/json, text/event-stream",
                "Origin": "https://evil.example",
            },
        )
        assert elsewhere.status_code == 403
        assert httpx.get(server.url.removesuffix("mcp") + "healthz").status_code == 200
        assert server.stop() == 0
    log = server.errors.read_text(encoding="utf-8")
    assert "Traceback" not in log
    assert '"route": "/mcp"' in log
