"""Names become models, and nothing is imported for those that were not chosen."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tipstaff.errors import UsageError
from tipstaff.llm.model import Model
from tipstaff.llm.registry import GROUP, model_named

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
NAMES = sorted(PROJECT["entry-points"][GROUP])


def test_the_providers_are_these() -> None:
    assert NAMES == ["anthropic", "bedrock", "google", "openai", "scripted"]


@pytest.mark.parametrize("name", NAMES)
def test_every_provider_but_the_scripted_has_an_extra_of_its_name(name: str) -> None:
    assert (name in PROJECT["optional-dependencies"]) == (name != "scripted")


@pytest.mark.parametrize("name", NAMES)
def test_every_provider_is_in_the_documentation(name: str) -> None:
    page = (ROOT / "docs" / "models.md").read_text(encoding="utf-8")
    assert re.search(rf"^\| `{name}:", page, re.MULTILINE)


@pytest.mark.parametrize(
    ("wrong", "right"),
    [("antropic:x", "anthropic"), ("opnai:gpt-4o", "openai"), ("extractiv", "extractive")],
)
def test_a_name_that_is_nearly_right_is_suggested(wrong: str, right: str) -> None:
    with pytest.raises(UsageError) as caught:
        model_named(wrong)
    assert caught.value.suggestion == f"Did you mean '{right}'?"


@pytest.mark.parametrize("name", ["extractive", "extractive:x"])
def test_no_model_at_all_is_not_suggested_in_its_own_place(name: str) -> None:
    """As `fallback_model`, or with a name behind it."""
    with pytest.raises(UsageError, match="is no language model") as caught:
        model_named(name)
    assert "Did you mean" not in str(caught.value.suggestion)


def test_a_name_that_is_nothing_gets_the_list() -> None:
    with pytest.raises(UsageError) as caught:
        model_named("xyzzy:1")
    assert all(name in str(caught.value.suggestion) for name in NAMES)


@pytest.mark.parametrize("name", ["openai", "openai:", "scripted: "])
def test_a_provider_alone_is_no_model(name: str) -> None:
    with pytest.raises(UsageError, match=r"needs a (model|file)"):
        model_named(name)


def test_choosing_one_imports_no_other(tmp_path: Path) -> None:
    file = tmp_path / "script.json"
    file.write_text(json.dumps(["Yes."]))
    program = (
        "import sys\nfrom tipstaff.llm.registry import model_named\n"
        f"model_named({f'scripted:{file}'!r})\nprint(*sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    modules = set(done.stdout.split())
    assert "tipstaff.llm.scripted" in modules
    assert not modules & {"anthropic", "openai", "google.genai", "boto3", "httpx", "httpx2"}


def test_what_a_provider_makes_is_a_model(tmp_path: Path) -> None:
    file = tmp_path / "script.json"
    file.write_text(json.dumps(["Yes."]))
    assert isinstance(model_named(f"scripted:{file}"), Model)
