"""The documents tell the truth: their commands run, their links lead somewhere."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT

PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
FENCE = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)


def snippets(language: str) -> list[tuple[Path, str]]:
    return [
        (page, code)
        for page in PAGES
        for found, code in FENCE.findall(page.read_text(encoding="utf-8"))
        if found == language
    ]


def run(*words: str) -> str:
    done = subprocess.run(
        [sys.executable, *words], cwd=ROOT, capture_output=True, text=True, timeout=100, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize(("page", "code"), snippets("console"))
def test_console_snippets_print_what_they_show(page: Path, code: str) -> None:
    """Lines behind `$ tip …` are its output; `…` stands for any number of lines."""
    for command, shown in re.findall(r"^\$ tip ([^\n]+)\n(.*?)(?=^\$|\Z)", code, re.M | re.S):
        output = run("-m", "tipstaff", *shlex.split(command))
        pattern = re.escape(shown.rstrip("\n")).replace("…", ".*")
        assert re.search(pattern, output, re.DOTALL), output


@pytest.mark.parametrize(("page", "code"), snippets("python"))
def test_python_snippets_run(page: Path, code: str) -> None:
    assert run("-W", "error", "-c", code)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_between_documents_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), target


def test_architecture_names_every_module_of_the_tree() -> None:
    page = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    source = ROOT / "src" / "tipstaff"
    for path in [*source.glob("*.py"), *source.glob("domain/*.py"), *source.glob("bundle/*.py")]:
        if not path.name.startswith("__"):
            assert f"`{path.name}`" in page, path.name


def test_the_readme_has_the_two_commands_of_the_makefile() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert [code.strip() for _, code in snippets("sh") if code in readme] == [
        "make demo",
        "make test",
    ]
    ci = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert ci.rstrip().endswith("make lint\nmake test")
