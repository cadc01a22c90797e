"""The documents tell the truth: their commands run, their links lead somewhere."""

from __future__ import annotations

import ast
import json
import os
import re
import shlex
import subprocess
import sys
import tomllib
from dataclasses import fields
from pathlib import Path

import pytest

from documentation.reference import REFERENCE
from tests.conftest import ROOT
from tipstaff.cli.main import COMMANDS, parser_of
from tipstaff.serve.configuration import ServeConfiguration
from tipstaff.settings import Settings

PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
DOCS = ROOT / "docs"
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


ANSWERED: dict[str, subprocess.CompletedProcess[str]] = {}


def by_bash(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """A question that several pages put to the same bundle is asked once."""
    search = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    if command not in ANSWERED or "bundles/" not in command:
        ANSWERED[command] = subprocess.run(
            ["bash", "-c", command],
            cwd=folder,
            env=os.environ | {"PATH": search},
            capture_output=True,
            text=True,
            timeout=100,
            check=False,
        )
    return ANSWERED[command]


@pytest.mark.parametrize(("page", "code"), snippets("console"))
def test_console_snippets_print_what_they_show(page: Path, code: str, tmp_path: Path) -> None:
    """Lines behind `$ …` are its output; `…` stands for any number of lines. Bash runs it in a
    folder that has nothing but `bundles`. `$ echo $?` says how the one before it ends."""
    (tmp_path / "bundles").symlink_to(ROOT / "bundles")
    steps = re.findall(r"^\$ ([^\n]+)\n(.*?)(?=^\$|\Z)", code, re.M | re.S)
    assert steps, "There is no command in it."
    for number, (command, shown) in enumerate(steps):
        if command == "echo $?":
            continue
        done = by_bash(command, tmp_path)
        after = steps[number + 1] if number + 1 < len(steps) else ("", "")
        expected = int(after[1]) if after[0] == "echo $?" else 0
        assert done.returncode == expected, done.stderr
        pattern = re.escape(shown.rstrip("\n")).replace("…", ".*")
        assert re.search(pattern, done.stdout, re.DOTALL), done.stdout


@pytest.mark.parametrize(
    ("page", "code"), [*snippets("sh"), *snippets("text"), *snippets("console")]
)
def test_commands_in_snippets_have_words_that_their_parsers_take(page: Path, code: str) -> None:
    """Also where a snippet is not run: it needs a server, a service or minutes."""
    prompt = r"\$ " if "$ " in code else ""
    for line in re.findall(rf"^{prompt}tip ([^\n|>]+)$", code, re.MULTILINE):
        name, *words = shlex.split(line, comments=True)
        if name in COMMANDS:
            parser_of(name)[1].parse_args(words)
        else:
            assert name == "--version", line


@pytest.mark.parametrize(("page", "code"), snippets("json"))
def test_json_snippets_are_json(page: Path, code: str) -> None:
    """One document, or one a line."""
    lines = code.splitlines()
    try:
        json.loads(code)
    except ValueError:
        assert all(json.loads(line) for line in lines)


@pytest.mark.parametrize(("page", "code"), snippets("toml"))
def test_toml_snippets_name_settings_that_exist(page: Path, code: str) -> None:
    read = tomllib.loads(code)
    plain = {name for name, value in read.items() if not isinstance(value, dict)}
    named = {one.name for one in fields(Settings)}
    assert plain | set(read.get("settings", {})) <= named
    assert set(read.get("serve", {})) <= {one.name for one in fields(ServeConfiguration)}


@pytest.mark.parametrize(("page", "code"), snippets("python"))
def test_python_snippets_run(page: Path, code: str) -> None:
    assert run("-W", "error", "-c", code)


@pytest.mark.parametrize(("page", "code"), snippets("py"))
def test_python_that_needs_a_server_is_python_at_least(page: Path, code: str) -> None:
    assert compile(code, page.name, "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)


def test_every_snippet_is_of_a_kind_that_is_tested() -> None:
    """`sql` and `yaml` are for programs of others; what is only shown is `text`."""
    tested = {"console", "python", "py", "sh", "text", "json", "toml"}
    found = {kind for page in PAGES for kind, _ in FENCE.findall(page.read_text(encoding="utf-8"))}
    assert found <= tested | {"sql", "yaml"}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_between_documents_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
        leads_to = page.parent / target
        made = leads_to.is_relative_to(DOCS) and str(leads_to.relative_to(DOCS)) in REFERENCE
        assert made or leads_to.exists(), target


def test_architecture_names_every_module_of_the_tree() -> None:
    """But for commands, which are modules of their names, and formats, whose modules are many."""
    page = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    named = {Path(word).stem for word in re.findall(r"`([\w/.]+)`", page)}
    source = ROOT / "src" / "tipstaff"
    modules = {path.relative_to(source) for path in source.rglob("*.py")}
    commands = {Path("cli", f"{module.split('.')[-1]}.py") for module, _ in COMMANDS.values()}
    unnamed = {
        path
        for path in modules - commands
        if not path.name.startswith("__")
        and path.parts[0] != "parse"
        and "migrations" not in path.parts
        and path.stem not in named
    }
    assert not unnamed


def test_the_readme_has_the_two_commands_of_the_makefile() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert [code.strip() for _, code in snippets("sh") if code in readme] == [
        "make demo",
        "make test",
    ]
    ci = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert ci.rstrip().endswith("make lint\nmake test")
