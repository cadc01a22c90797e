"""`tip comply` against our own server, as anybody would run it; offline."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ROOT
from tipstaff.cli.main import main

MERIDIAN = ROOT / "bundles" / "meridian"


def complied(*words: str | Path) -> tuple[int, dict[str, Any]]:
    command = [sys.executable, "-m", "tipstaff", "comply", "--json", *map(str, words)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.returncode, json.loads(done.stdout)


def test_our_server_passes_on_the_reference_bundle(tmp_path: Path) -> None:
    # One run: it words nothing twice in two ways (tests/test_tip_tests.py runs it three times).
    words = ("--bundle", MERIDIAN, "--runs", "1", "--without", "tip-10", "--report", tmp_path)
    code, told = complied(*words)
    assert {one["id"]: one["why"] for one in told["tests"] if not one["passed"]} == {}
    assert code == 0
    assert len(told["tests"]) == 13
    assert told["server"]["model"] == "extractive"
    assert "TAMARACK" in (tmp_path / "report.html").read_text("utf-8")


def test_our_server_finds_what_stands_at_any_depth_of_a_large_bundle() -> None:
    quick = ("--set", "embedder=static", "--set", "reader=none")
    code, told = complied("--only", "tip-10", "--runs", "1", *quick)
    assert [(one["id"], one["passed"], one["why"]) for one in told["tests"]] == [
        ("tip-10", True, "")
    ]
    assert code == 0


@pytest.mark.parametrize(
    "words",
    [
        ["--runs", "0"],
        ["--suite", "nosuch"],
        ["--token-for", "jane"],
        ["--tez-id", "=x"],
        ["--url", "http://127.0.0.1:9", "--token", "t", "--set", "embedder=static"],
        ["--url", "http://127.0.0.1:9"],
    ],
)
def test_what_cannot_be_run_is_a_mistake_of_the_caller(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["comply", *words]) == 2
    assert capsys.readouterr().err


@pytest.mark.allow_hosts(["127.0.0.1"])
def test_a_server_that_does_not_answer_is_unavailable(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["comply", "--url", "http://127.0.0.1:9", "--token", "t"]) == 7
    assert "cannot be reached" in capsys.readouterr().err
