"""A scripted agent before `tip mcp`, as its host starts it: a process, stdin and stdout."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.agents.clients import over_stdio
from tests.conftest import MERIDIAN, BundleMaker
from tipstaff.cli.main import main

PLANTED = "Customer satisfaction with order handling slid to 71 percent"
FALSE_CLAIM = "Meridian Corp's revenue for the third quarter of 2025 was $61.4 million."


def test_an_agent_opens_meridian_asks_verifies_is_refused_politely_and_finds_the_planted_claim(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Whatever another test has indexed is opened at once: only a first opening is long.
    monkeypatch.setenv("TIPSTAFF_DATA_DIR", str(tmp_path / "data"))

    async def script() -> None:
        words = ("--allow", MERIDIAN.parent)
        # With the reader: what is asked here is to be answered as a person would have it.
        quick = ("--set", "embedder=static")
        async with over_stdio(*words, errors=tmp_path / "stderr", quick=quick) as agent:
            assert (await agent.call("list_tezits"))["tezits"] == []
            tez = {"tez_id": (await agent.call("open_tez", path="meridian"))["tez_id"]}
            assert agent.progress, "a long opening is told of"

            first = await agent.call("ask", **tez, query="What was Meridian Corp's Q3 revenue?")
            assert "$48.62 million" in first["response"]["text"]
            assert all(one["verified"] for one in first["response"]["citations"])
            cited = first["response"]["citations"][0]
            mark = f"[[{cited['item_id']}:{cited['location']}]]"
            shown = await agent.call("show_citation", **tez, citation=mark)
            assert "$48.62 million" in shown["text"]

            session = {"session_id": first["session_id"]}
            second = await agent.call("ask", **tez, **session, query="And in Q3 2024?")
            assert second["session"]["query_count"] == 2
            assert "$44.56 million" in second["response"]["text"]

            verdict = await agent.call("verify_claim", **tez, statement=FALSE_CLAIM)
            assert verdict["verdict"] == "contradicted"
            assert "$48.62 million" in verdict["passages"][0]["text_excerpt"]

            price = await agent.call(
                "ask", **tez, query="What is Meridian Corp's current stock price?"
            )
            assert price["abstained"]
            assert price["response"]["gaps"]
            assert "does not contain" in price["response"]["text"]

            audit = await agent.call("audit_synthesis", **tez)
            held = {"supported", "weak", "view", "uncited"}
            planted = [one for one in audit["claims"] if one["standing"] not in held]
            assert [one["standing"] for one in planted] == ["unsupported"]
            assert PLANTED in planted[0]["text"]
            assert 0.7 < audit["score"] < 1

    asyncio.run(script())
    assert "Traceback" not in (tmp_path / "stderr").read_text(encoding="utf-8")


def test_the_named_recipient_is_who_asks(make_bundle: BundleMaker, tmp_path: Path) -> None:
    folder = make_bundle()
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    manifest["context"]["items"][0]["access"] = {"type": "creator_only"}
    (folder / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")

    async def items(*words: str) -> int:
        async with over_stdio(folder, *words, errors=tmp_path / "stderr") as agent:
            return len((await agent.call("inspect_tez", tez_id="small-tez"))["items"])

    assert asyncio.run(items()) == 1
    assert asyncio.run(items("--as", "user:jane@example.com")) == 0


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["nothing.tez"], 4),
        (["--allow", "nothing"], 2),
        (["--port", "8000"], 2),
        (["--http", "--as", "user:jane@example.com"], 2),
    ],
)
def test_what_cannot_be_served_ends_with_its_exit_code(
    words: list[str], code: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["mcp", *words]) == code


def test_over_stdio_nothing_of_the_service_is_needed() -> None:
    """The extra `mcp` alone is enough."""
    program = "import sys, tipstaff.agents.stdio; print('|'.join(sys.modules), file=sys.stderr)"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    loaded = {name.partition(".")[0] for name in done.stderr.strip().split("|")}
    assert not loaded & {"fastapi", "prometheus_client", "sqlalchemy", "aiosqlite", "joserfc"}
    assert "mcp" in loaded
