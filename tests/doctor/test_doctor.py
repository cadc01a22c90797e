"""`tip doctor`: it looks, it says how to get the rest, and it gives no secret away."""

from __future__ import annotations

import json
import socket
import tomllib
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ROOT
from tipstaff.cli.main import main
from tipstaff.doctor.checkup import Check, State, examine_machine
from tipstaff.doctor.extras import FOR_BUILDERS, FOR_WHAT, packages_by_extra
from tipstaff.settings import load_settings

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])


def checks(
    folder: Path, environment: dict[str, str] | None = None, **settings: str
) -> dict[str, Check]:
    done = examine_machine(
        load_settings(settings, environment={}),
        environment=environment or {},
        data_folder=folder,
    )
    return {one.name: one for one in done.checks}


def test_every_extra_is_explained_and_every_explained_one_exists() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = set(project["optional-dependencies"])
    assert extras - FOR_BUILDERS == set(FOR_WHAT)


def test_what_is_here_works_and_what_is_not_says_how_to_get_it(tmp_path: Path) -> None:
    found = checks(tmp_path)
    for name in ("python", "data folder", "embedder minilm", "reader minilm", "serve", "mcp"):
        assert found[name].state is State.WORKS, found[name]
        assert not found[name].remedy
    assert found["scanned pages and pictures"].state is State.WORKS
    missing = found["pinecone"]
    assert missing.state is State.MISSING
    assert missing.remedy == "pip install 'tipstaff[pinecone]'"


def test_weights_that_are_not_those_that_were_measured_are_broken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from dataclasses import replace

    from tipstaff.doctor import machine
    from tipstaff.models import READER

    other = replace(READER, sha256="0" * 64)
    monkeypatch.setattr(machine, "_MODELS", (("reader minilm", (other,), ""),))
    reader = checks(tmp_path)["reader minilm"]
    assert reader.state is State.BROKEN
    assert reader.remedy == "Install Tipstaff anew."


def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    found = checks(tmp_path / "file" / "data")["data folder"]
    assert found.state is State.BROKEN
    assert "TIPSTAFF_DATA_DIR" in found.remedy


def test_without_tesseract_and_without_its_language(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = "scanned pages and pictures"
    lacking = checks(tmp_path, ocr_languages="eng+tlh")[name]
    assert lacking.state is State.BROKEN
    assert "tesseract-ocr-tlh" in lacking.remedy
    monkeypatch.setenv("PATH", str(tmp_path))
    assert checks(tmp_path)[name].state is State.MISSING


def test_a_service_that_is_configured_is_knocked_at_and_its_password_kept(
    tmp_path: Path,
) -> None:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        port = listening.getsockname()[1]
        address = f"postgresql://tip:hunter2@127.0.0.1:{port}/tip"
        there = checks(tmp_path, records_url=address)["the service's records"]
    gone = checks(tmp_path, records_url=address)["the service's records"]
    assert there.state is State.WORKS
    assert gone.state is State.BROKEN
    assert f"127.0.0.1:{port}" in gone.detail
    assert "hunter2" not in str((there, gone))


def test_a_key_is_noticed_and_never_shown(tmp_path: Path) -> None:
    found = checks(tmp_path, {"ANTHROPIC_API_KEY": "sk-not-to-be-seen"})
    assert found["anthropic:NAME"].state is State.WORKS
    assert "not-to-be-seen" not in str(found)
    assert "OPENAI_API_KEY" in found["openai:NAME"].remedy


def test_packages_are_read_from_the_distributions_own_words() -> None:
    lines = [
        "numpy>=2.0",
        "av>=14.0; extra == 'speech'",
        "uvloop>=0.21; (sys_platform != 'win32') and extra == 'serve'",
        'httpx>=0.28; extra == "serve"',
    ]
    assert packages_by_extra(lines) == {"speech": ["av"], "serve": ["uvloop", "httpx"]}


@pytest.mark.parametrize(("words", "code"), [([], 0), (["--set", "opa_url=http://127.0.0.1:1"], 9)])
def test_something_broken_is_an_exit_code(
    words: list[str], code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["doctor", "--json", *words]) == code
    shown: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert shown["works"] is (code == 0)
    assert {one["group"] for one in shown["checks"]} == {
        "machine",
        "models",
        "reading",
        "extras",
        "services",
    }


def test_a_person_is_told_in_lines(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor"]) == 0
    said = capsys.readouterr().out
    assert "✓ embedder minilm" in said
    assert "\n      pip install 'tipstaff[pinecone]'\n" in said
    assert said.rstrip().endswith("is optional.")
