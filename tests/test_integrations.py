"""The hook and the action, run as git and a runner run them, in a repository of their own."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.conftest import ROOT, BundleMaker

HOOKS = ROOT / ".pre-commit-hooks.yaml"
HOOK = ROOT / "integrations" / "pre-commit" / "hook"
ACTION = ROOT / "integrations" / "github-action" / "action.yml"
QUICK = "--set reader=none --set embedder=static"
TRUE = b"# A\n\n## B\n\nThe roof of the depot costs $48,200 to mend [[plan:L1]].\n"
FALSE = TRUE.replace(b"$48,200", b"$91,000")
PLAN = b"The roof of the depot costs $48,200 to mend.\n"


@pytest.fixture
def surroundings(tmp_path: Path) -> dict[str, str]:
    """`tip` and `python` are those under test; git asks nobody who they are."""
    places = tmp_path / "bin"
    places.mkdir()
    for name in ("tip", "python"):
        module = "" if name == "python" else " -m tipstaff"
        script = f'#!/bin/sh\nexec {shlex.quote(sys.executable)}{module} "$@"\n'
        (places / name).write_text(script)
        (places / name).chmod(0o755)
    return os.environ | {
        "PATH": f"{places}:{os.environ['PATH']}",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_AUTHOR_NAME": "A",
        "GIT_AUTHOR_EMAIL": "a@example.com",
        "GIT_COMMITTER_NAME": "A",
        "GIT_COMMITTER_EMAIL": "a@example.com",
        "TIPSTAFF_READER": "none",
    }


def _ran(words: list[str], place: Path, env: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        words, cwd=place, env=dict(env), capture_output=True, text=True, timeout=120, check=False
    )


@pytest.fixture
def repository(tmp_path: Path, make_bundle: BundleMaker, surroundings: dict[str, str]) -> Path:
    make_bundle({"plan.md": PLAN}, synthesis=TRUE, name="repo/bundles/a bundle")
    place = tmp_path / "repo"
    (place / "README.md").write_text("# Not a bundle\n")
    assert _ran(["git", "init", "-q"], place, surroundings).returncode == 0
    return place


def _commit(place: Path, env: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    assert _ran(["git", "add", "-A"], place, env).returncode == 0
    return _ran(["git", "commit", "-q", "-m", "x"], place, env)


def test_the_hook_lets_a_true_bundle_through_and_stops_a_false_one(
    repository: Path, surroundings: dict[str, str]
) -> None:
    target = repository / ".git" / "hooks" / "pre-commit"
    target.write_bytes(HOOK.read_bytes())
    target.chmod(0o755)
    env = surroundings | {"TIP_CHECK_ARGS": f"--strict {QUICK}"}
    done = _commit(repository, env)
    assert done.returncode == 0, done.stdout + done.stderr
    (repository / "bundles" / "a bundle" / "tez.md").write_bytes(FALSE)
    done = _commit(repository, env)
    assert done.returncode != 0
    assert "contradicted" in done.stdout + done.stderr
    log = _ran(["git", "log", "--oneline"], repository, env).stdout
    assert len(log.splitlines()) == 1


def test_the_hook_does_not_look_at_what_is_not_in_the_commit(
    repository: Path, surroundings: dict[str, str]
) -> None:
    target = repository / ".git" / "hooks" / "pre-commit"
    target.write_bytes(HOOK.read_bytes())
    target.chmod(0o755)
    (repository / "bundles" / "a bundle" / "tez.md").write_bytes(FALSE)
    assert _ran(["git", "add", "README.md"], repository, surroundings).returncode == 0
    done = _ran(["git", "commit", "-q", "-m", "x"], repository, surroundings)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("name", ["tip-validate", "tip-audit"])
def test_each_hook_of_pre_commit_runs_with_the_files_that_it_asks_for(
    repository: Path, surroundings: dict[str, str], name: str
) -> None:
    (hook,) = [one for one in yaml.safe_load(HOOKS.read_text()) if one["id"] == name]
    assert hook["language"] == "python"
    (repository / "bundles" / "a bundle" / "tez.md").write_bytes(FALSE)
    assert _ran(["git", "add", "-A"], repository, surroundings).returncode == 0
    listed = _ran(["git", "ls-files", "-z"], repository, surroundings).stdout.split("\0")
    files = [file for file in listed if re.search(hook["files"], file)]
    assert "README.md" not in files
    assert len(files) == 3
    words = [*shlex.split(hook["entry"]), *shlex.split(QUICK), *files]
    done = _ran(words, repository, surroundings)
    assert done.returncode == (9 if name == "tip-audit" else 0), done.stdout + done.stderr


def _steps(inputs: Mapping[str, str]) -> list[tuple[str, dict[str, str]]]:
    """The shell of each step, with its environment as a runner makes it of the inputs."""
    action: dict[str, Any] = yaml.safe_load(ACTION.read_text())
    given = {name: str(one["default"]) for name, one in action["inputs"].items()} | dict(inputs)
    found = []
    for step in action["runs"]["steps"]:
        if "run" not in step:
            continue
        assert "${{" not in step["run"], "an input would become a command"
        env = {
            name: re.sub(r"\$\{\{ inputs\.([\w-]+) \}\}", lambda m: given[m[1]], value)
            for name, value in step.get("env", {}).items()
        }
        found.append((step["run"], env))
    return found


def _acted(
    place: Path, env: Mapping[str, str], tmp_path: Path, **inputs: str
) -> tuple[int, str, str, str]:
    """The status of the last step that ran, what was printed, the outputs, the summary."""
    files = {name: tmp_path / name for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}
    for file in files.values():
        file.write_text("")
    runner = {name: str(file) for name, file in files.items()} | {"RUNNER_TEMP": str(tmp_path)}
    printed, status = "", 0
    for shell, own in _steps({"package": "", **inputs}):
        words = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", shell]
        done = _ran(words, place, dict(env) | runner | own)
        printed, status = printed + done.stdout + done.stderr, done.returncode
        if status:
            break
    output, summary = (file.read_text() for file in files.values())
    return status, printed, output, summary


def test_the_action_passes_a_repository_whose_bundles_stand(
    repository: Path, surroundings: dict[str, str], tmp_path: Path
) -> None:
    status, printed, output, summary = _acted(repository, surroundings, tmp_path, path="bundles")
    assert status == 0, printed
    assert "tip " in printed
    assert "passed=true" in output
    assert "passed, score 1.000" in summary


def test_the_action_fails_and_annotates_the_line_of_a_false_claim(
    repository: Path, surroundings: dict[str, str], tmp_path: Path
) -> None:
    (repository / "bundles" / "a bundle" / "tez.md").write_bytes(FALSE)
    status, printed, output, _ = _acted(repository, surroundings, tmp_path, strict="true")
    assert status == 9
    assert "passed=false" in output
    assert "::error file=bundles/a bundle/tez.md,line=5::contradicted: The roof" in printed
    report = json.loads((tmp_path / "tip-check.json").read_text())
    assert report["bundles"][0]["audit"]["counts"]["contradicted"] == 1


def test_what_an_input_says_is_never_a_command(
    repository: Path, surroundings: dict[str, str], tmp_path: Path
) -> None:
    trap = tmp_path / "trapped"
    status, _, _, _ = _acted(
        repository, surroundings, tmp_path, path=f"$(touch {trap}); touch {trap}"
    )
    assert status == 2
    assert not trap.exists()


def test_only_bundles_are_validated_where_no_audit_is_wanted(
    repository: Path, surroundings: dict[str, str], tmp_path: Path
) -> None:
    (repository / "bundles" / "a bundle" / "tez.md").write_bytes(FALSE)
    status, printed, _, _ = _acted(repository, surroundings, tmp_path, audit="false")
    assert status == 0, printed
