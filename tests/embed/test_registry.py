"""Names become embedders, and nothing is imported for those that were not chosen."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib

import pytest

from tests.conftest import ROOT
from tests.embed import fakes
from tipstaff.embed.embedder import checked
from tipstaff.embed.registry import GROUP, embedder_named
from tipstaff.errors import UsageError

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
NAMES = sorted(PROJECT["entry-points"][GROUP])


@pytest.mark.parametrize("name", NAMES)
def test_every_embedder_but_the_default_has_an_extra_of_its_name(name: str) -> None:
    assert name == "minilm" or name in PROJECT["optional-dependencies"]


@pytest.mark.parametrize("name", NAMES)
def test_every_embedder_is_in_the_documentation(name: str) -> None:
    page = (ROOT / "docs" / "retrieval.md").read_text(encoding="utf-8")
    assert re.search(rf"^\| `{name}` \|", page, re.MULTILINE)


def test_a_name_that_is_nearly_right_is_suggested() -> None:
    with pytest.raises(UsageError) as caught:
        embedder_named("statik", threads=1)
    assert caught.value.suggestion == "Did you mean 'static'?"


def test_a_name_that_is_nothing_gets_the_list() -> None:
    with pytest.raises(UsageError) as caught:
        embedder_named("xyzzy", threads=1)
    assert all(name in str(caught.value.suggestion) for name in NAMES)


@pytest.mark.parametrize("name", ["minilm:large", "static:large"])
def test_the_offline_ones_have_one_model_each(name: str) -> None:
    with pytest.raises(UsageError, match="has one model"):
        embedder_named(name, threads=1)


def test_too_few_dimensions_are_refused() -> None:
    """TIP §10.1.4, requirement 2."""
    with pytest.raises(UsageError, match="has 64 dimensions; at least 256"):
        checked(fakes.Small())


@pytest.mark.parametrize(
    ("name", "unwanted"),
    [
        ("minilm", {"onnxruntime", "tokenizers", "wordllama", "openai", "cohere"}),
        ("static", {"onnxruntime", "wordllama", "safetensors", "openai", "cohere"}),
    ],
)
def test_choosing_one_imports_no_other(name: str, unwanted: set[str]) -> None:
    program = (
        "import sys\nfrom tipstaff.embed.registry import embedder_named\n"
        f"embedder_named({name!r}, threads=1){'' if name == 'minilm' else '.query(str())'}\n"
        "print(*sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert not unwanted & set(done.stdout.split())
